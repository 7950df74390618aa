import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import {
  dataFormat,
  hasDataFormat,
  writeDataFormat,
} from '../../../src/storage/json/data-folder/data-folder.js';
import { lockDataFolder, readDataLock } from '../../../src/storage/json/ownership/lease.js';
import { createManualClock } from '../../helpers/manual-clock.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';

const built = fileURLToPath(new URL('../../../dist/src/', import.meta.url));

/** Starts a process that locks the folder, reports the outcome and keeps the lock. */
async function startLocker(folder: string) {
  const script = `
    const { lockDataFolder } = await import(${JSON.stringify(`${built}storage/json/ownership/lease.js`)});
    const { systemClock } = await import(${JSON.stringify(`${built}base/clock.js`)});
    try {
      await lockDataFolder({ folder: ${JSON.stringify(folder)}, command: 'test', clock: systemClock });
      console.log('locked');
    } catch (error) {
      console.log(error.code);
    }
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [output] = await once(child.stdout, 'data');
  const kill = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { outcome: String(output).trim(), pid: child.pid, kill };
}

describe('the lock of a data directory', () => {
  it('rejects a second process, names the first one, and is available after its release', async () => {
    const folder = join(await makeTempFolder(), 'new', 'data');
    const lock = await lockDataFolder({ folder, command: 'msgsite serve', clock: systemClock });
    const second = lockDataFolder({ folder, command: 'msgsite serve', clock: systemClock });
    await expect(second).rejects.toMatchObject({
      code: 'data_in_use',
      message: expect.stringMatching(
        new RegExp(`${folder}.*msgsite serve.*process ${process.pid}.*since \\d{4}-`),
      ),
    });
    expect(await readDataLock(folder)).toMatchObject({ label: 'msgsite serve' });
    await lock.release();
    expect(await readDataLock(folder)).toBeUndefined();
    const again = await lockDataFolder({ folder, command: 'x', clock: systemClock });
    await again.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is taken over from a killed process by exactly one of several processes', async () => {
    const folder = await makeTempFolder();
    const first = await startLocker(folder);
    expect(first.outcome).toBe('locked');
    const refused = lockDataFolder({ folder, command: 'x', clock: systemClock });
    await expect(refused).rejects.toThrow(`process ${first.pid}`);
    await first.kill();
    const racers = await Promise.all(Array.from({ length: 4 }, () => startLocker(folder)));
    const outcomes = racers.map(({ outcome }) => outcome).sort();
    expect(outcomes).toEqual(['data_in_use', 'data_in_use', 'data_in_use', 'locked']);
    expect((await readdir(folder)).filter((name) => name !== 'serve.lock')).toEqual([]);
  });

  it('is taken over from a dead process whose ID was reused', async () => {
    const folder = await makeTempFolder();
    const lock = await lockDataFolder({ folder, command: 'x', clock: systemClock });
    const path = join(folder, 'serve.lock');
    const owner = JSON.parse(await readFile(path, 'utf8'));
    await lock.release();
    owner.process.started = '12345';
    await writeFile(path, JSON.stringify(owner));
    await (await lockDataFolder({ folder, command: 'y', clock: systemClock })).release();
  });

  it('of a process on another machine or in another container is valid only while it is renewed', async () => {
    const folder = await makeTempFolder();
    const path = join(folder, 'serve.lock');
    const process = { host: 'other', machine: 'm', boot: 'b', space: 's', pid: 1, started: '7' };
    const clock = createManualClock();
    const renew = (ahead = 0) => {
      const expires = clock.now() + ahead + 15_000;
      const named = { nonce: 'ab'.repeat(12), process, label: 'msgsite serve', since: 0 };
      return writeFile(path, JSON.stringify({ ...named, expires }));
    };
    await mkdir(folder, { recursive: true });
    await renew();
    const refused = lockDataFolder({ folder, command: 'x', clock }).catch((error) => error);
    const asleep = () => vi.waitUntil(() => clock.sleepers > 0);
    await asleep();
    await clock.advance(3000);
    await renew();
    await clock.advance(1000);
    expect(await refused).toMatchObject({
      code: 'data_in_use',
      message: expect.stringContaining('process 1 on other'),
    });
    // This also applies to a machine whose clock is ahead.
    for (const ahead of [0, 3_600_000]) {
      await renew(ahead);
      let isGranted = false;
      const granted = lockDataFolder({ folder, command: 'x', clock }).finally(() => {
        isGranted = true;
      });
      for (let passed = 0; passed < 12_000; passed += 4_000) {
        await asleep();
        await clock.advance(4_000);
      }
      expect(isGranted).toBe(false);
      await asleep();
      await clock.advance(4_000);
      await (await granted).release();
    }
  });

  it('is neither renewed nor released after another process has taken it over', async () => {
    const folder = await makeTempFolder();
    const clock = createManualClock();
    const lock = await lockDataFolder({ folder, command: 'x', clock });
    const path = join(folder, 'serve.lock');
    const owner = JSON.parse(await readFile(path, 'utf8'));
    const other = JSON.stringify({ ...owner, nonce: 'cd'.repeat(12) });
    await writeFile(path, other);
    const { mtimeMs } = await stat(path);
    await clock.advance(2000);
    await lock.release();
    expect(await readFile(path, 'utf8')).toBe(other);
    expect((await stat(path)).mtimeMs).toBe(mtimeMs);
  });
});

describe('the format of a data directory', () => {
  it('is recognized after it was written', async () => {
    const folder = await makeTempFolder();
    expect(await hasDataFormat(folder)).toBe(false);
    await writeDataFormat(folder);
    expect(await hasDataFormat(folder)).toBe(true);
  });

  it.each([
    [`{"format":${dataFormat + 1}}`, 'configuration'],
    [`{"format":${dataFormat - 1}}`, 'configuration'],
    ['{}', 'data_damaged'],
    ['null', 'data_damaged'],
    ['{', 'data_damaged'],
  ])('is rejected if the file contains %s', async (text, code) => {
    const folder = await makeTempFolder();
    await writeFile(join(folder, 'format.json'), text);
    await expect(hasDataFormat(folder)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(folder),
    });
  });
});
