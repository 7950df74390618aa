import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, open, readdir, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FileLayer, systemFiles } from '../../../src/base/files/file-layer.js';
import { currentProcess } from '../../../src/storage/json/ownership/ownership.js';
import type { StateKind } from '../../../src/storage/json/records/record-file.js';
import { createFaultyFiles } from '../../faults/faulty-files.js';
import { createManualClock } from '../../helpers/manual-clock.js';
import { all, begin, end, line } from './records-under-test.js';

describe('claims', () => {
  it('a record is claimed by only one of many simultaneous claimants', async () => {
    const { records, make } = await begin();
    const others = [records, await make(), await make()];
    await records.create('a', { amount: 1 });
    const claims = await Promise.all(
      Array.from({ length: 9 }, (_, n) => others[n % 3]?.claim('a')),
    );
    const won = claims.filter((claim) => claim !== undefined);
    expect(won).toHaveLength(1);
    expect(await won[0]?.renew()).toBe(true);
    await won[0]?.release();
    await won[0]?.release();
    expect(await others[1]?.claim('a')).toBeDefined();
    expect(await records.claim('no')).toBeUndefined();
  });

  /** Creates a record that is claimed by a process with this identity. */
  async function claimedBy(identity: (own: object, pid: number) => object, expires = 0) {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    const begun = await begin();
    const { folder, records } = begun;
    await records.create('a', { amount: 1 });
    const nonce = 'a'.repeat(24);
    const own = identity(await currentProcess(), child.pid ?? 0);
    const owner = { nonce, process: own, label: 'x', since: 0, expires };
    await mkdir(join(folder, 'claimed', nonce), { recursive: true });
    await writeFile(join(folder, 'owners', `${nonce}.json`), JSON.stringify(owner));
    const path = join(folder, 'claimed', nonce, 'a.jsonl');
    await rename(join(folder, 'open', 'a.jsonl'), path);
    return { ...begun, path };
  }
  const late = Date.parse('2030-01-01');

  it.each<[string, (own: object, pid: number) => object, number?]>([
    ['a process that has died', (own, pid) => ({ ...own, pid, started: '1' }), late],
    ['a process from before a restart of the machine', (own) => ({ ...own, boot: 'other' }), late],
    ['a process on another machine whose lease has ended', (own) => ({ ...own, host: 'other' })],
  ])(
    'the claims of %s are released immediately, and the record is moved to the state of its content',
    async (_, identity, expires) => {
      const { folder, records, make, path } = await claimedBy(identity, expires);
      await appendFile(path, line({ record: { amount: 2, day: '2026-07-01' } }));
      expect(await records.find('a')).toMatchObject({ state: 'ended' });
      await records.freeAbandoned();
      expect(await readdir(join(folder, 'ended', '2026-07-01'))).toEqual(['a.jsonl']);
      expect(await readdir(join(folder, 'ended', 'by-id'))).toEqual(['a.jsonl']);
      expect(await readdir(join(folder, 'claimed'))).toEqual([]);
      expect(await readdir(join(folder, 'owners'))).toEqual([]);
      expect(await (await make()).claim('a')).toBeDefined();
    },
  );

  it('the claims of a suspended process are released by copying its records, and its folder is kept', async () => {
    const { folder, records, path } = await claimedBy((own) => own);
    const stopped = await open(path, 'r+');
    await records.freeAbandoned();
    expect(await records.claim('a')).toMatchObject({ record: { amount: 1 } });
    // A write that the process had started does not change the record.
    await stopped.write('whatever', 0);
    await stopped.close();
    expect(await records.find('a')).toMatchObject({ record: { amount: 1 } });
    expect(await readdir(join(folder, 'claimed'))).toHaveLength(2);
  });

  it('claims are renewed automatically while they are held', async () => {
    const clock = createManualClock();
    const { records, make } = await begin('by-day', undefined, clock);
    const other = await make();
    await records.create('a', { amount: 1 });
    const claim = await records.claim('a');
    await clock.advance(120_000);
    await other.freeAbandoned();
    expect(await claim?.renew()).toBe(true);
    await claim?.release();
    await clock.advance(10_000);
    expect(clock.sleepers).toBe(0);
  });

  it('new claims wait for the renewal of an expired lease, so that no other process releases them', async () => {
    const clock = createManualClock();
    let renewal = Promise.resolve();
    const files: FileLayer = {
      ...systemFiles,
      async rename(from, to) {
        if (to.includes('owners')) await renewal;
        await systemFiles.rename(from, to);
      },
    };
    const { records, make } = await begin('by-day', files, clock);
    const other = await make(systemFiles);
    for (const id of ['a', 'b', 'c']) await records.create(id, { amount: 1 });
    await (await records.claim('a'))?.release();
    await clock.advance(20_000);
    let renew = () => {};
    renewal = new Promise((resolve) => {
      renew = resolve;
    });
    const claiming = ['b', 'c'].map((id) => records.claim(id));
    await other.freeAbandoned();
    renew();
    for (const claim of await Promise.all(claiming)) expect(await claim?.renew()).toBe(true);
    await records.close();
  });

  it('a suspended process that resumes cannot use the claims that it lost, but can claim again', async () => {
    const clock = createManualClock();
    const still = { ...clock, sleep: () => new Promise<void>(() => {}) };
    const { records, make } = await begin('by-day', undefined, still);
    const other = await make(undefined, clock);
    await records.create('a', { amount: 1 });
    const claim = await records.claim('a');
    await clock.advance(14_000);
    await other.freeAbandoned();
    expect(await other.claim('a')).toBeUndefined();
    await clock.advance(1_000);
    await other.freeAbandoned();
    const taken = await other.claim('a');
    expect(taken).toBeDefined();
    expect(await claim?.renew()).toBe(false);
    await expect(claim?.settle({ amount: 2 })).rejects.toMatchObject({ code: 'conflict' });
    await taken?.settle({ amount: 3 });
    expect(await records.claim('a')).toMatchObject({ record: { amount: 3 } });
    await records.close();
    await other.close();
  });

  it.each<StateKind>(['by-day', 'by-day-and-id'])(
    'a stale copy of a record that was created again cannot be claimed (%s)',
    async (ended) => {
      const { folder, records, make } = await begin(ended);
      const files = createFaultyFiles();
      let proceed = () => {};
      const proceeding = new Promise<void>((resolve) => {
        proceed = resolve;
      });
      // The process is suspended just before its file is renamed.
      const link = async (from: string, to: string) => {
        if (to.endsWith('open/a.jsonl')) await proceeding;
        return files.link(from, to);
      };
      const stopped = await make({ ...files, link });
      const creating = stopped.create('a', { amount: 1 });
      await expect.poll(async () => (await readdir(join(folder, 'tmp'))).length).toBe(1);
      expect(await records.create('a', { amount: 1 })).toBe(true);
      await records.change('a', (record) => end(record, '2026-07-28'));
      proceed();
      expect(await creating).toBe(true);
      expect(await readdir(join(folder, 'open'))).toEqual(['a.jsonl']);
      expect(await records.claim('a', ['open'])).toBeUndefined();
      expect(await readdir(join(folder, 'open'))).toEqual([]);
      expect(await records.find('a')).toMatchObject({ state: 'ended' });
      expect(await records.claim('a')).toBeDefined();
    },
  );

  it('opening a folder releases claims with an unreadable owner, and reports damage', async () => {
    const { folder, make, path, damage } = await claimedBy((own) => own, late);
    await writeFile(join(folder, 'owners', `${'a'.repeat(24)}.json`), '');
    await truncate(path, 10);
    const records = await make();
    expect(await readdir(join(folder, 'open'))).toEqual(['a.jsonl']);
    expect(await all(records.list(['open']))).toEqual([]);
    expect(damage).toHaveLength(1);
  });

  it.each<[string, (own: object) => object]>([
    ['a running process', (own) => own],
    ['a process on another machine', (own) => ({ ...own, host: 'other' })],
    ['a process in another container', (own) => ({ ...own, space: 'other' })],
  ])('the claims of %s are kept', async (_, identity) => {
    const { records } = await claimedBy(identity, late);
    await records.freeAbandoned();
    expect(await records.claim('a')).toBeUndefined();
    expect(await records.find('a')).toMatchObject({ state: 'open' });
  });

  it('a lost claim is reported and cannot change the record', async () => {
    const { records, make, folder } = await begin();
    await records.create('a', { amount: 1 });
    const claim = await records.claim('a');
    const [owner = ''] = await readdir(join(folder, 'claimed'));
    await writeFile(join(folder, 'owners', `${owner}.json`), '');
    const other = await make();
    expect(await claim?.renew()).toBe(false);
    await expect(claim?.settle({ amount: 2 })).rejects.toMatchObject({ code: 'conflict' });
    await claim?.release();
    expect((await other.find('a'))?.record).toEqual({ amount: 1 });
  });
});
