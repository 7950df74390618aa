import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemFiles } from '../../../src/base/files/file-layer.js';
import { takeProcessLock } from '../../../src/storage/json/ownership/process-lock.js';
import { createManualClock } from '../../helpers/manual-clock.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';

async function prepare() {
  const folder = await makeTempFolder();
  const path = join(folder, 'thing.json');
  const clock = createManualClock();
  const take = () => takeProcessLock(systemFiles, path, 'test', clock);
  const owner = async () => JSON.parse(await readFile(path, 'utf8'));
  return { folder, path, clock, take, owner };
}

it('a process lock belongs to one process, and is free once it is released', async () => {
  const { folder, take } = await prepare();
  const lock = await take();
  expect(await take()).toBeUndefined();
  expect(await lock?.isOurs()).toBe(true);
  await lock?.release();
  expect(await readdir(folder)).toEqual([]);
  const again = await take();
  expect(await again?.isOurs()).toBe(true);
  await again?.release();
});

it('a process lock is renewed for other machines, and kept by its process after a suspension', async () => {
  const { clock, take, owner } = await prepare();
  const lock = await take();
  const { expires } = await owner();
  await clock.advance(5_000);
  await expect.poll(async () => (await owner()).expires).toBe(expires + 5_000);
  // The wall clock advanced and nothing was renewed; the process is alive, so nobody has taken it.
  await clock.advance(3_600_000);
  expect(await lock?.isOurs()).toBe(true);
  expect(await take()).toBeUndefined();
  await lock?.release();
});

it('a process lock that another process has taken is not released by the previous owner', async () => {
  const { path, clock, take, owner } = await prepare();
  const lock = await take();
  const other = { ...(await owner()), nonce: 'f'.repeat(24), label: 'other' };
  await writeFile(path, JSON.stringify(other));
  await clock.advance(60_000);
  expect(await lock?.isOurs()).toBe(false);
  await lock?.release();
  expect((await owner()).label).toBe('other');
  await rm(path);
  expect(await lock?.isOurs()).toBe(false);
});
