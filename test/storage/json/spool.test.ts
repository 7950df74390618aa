import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileLayer } from '../../../src/base/files/file-layer.js';
import { createSpool } from '../../../src/storage/json/spool.js';
import type { StateKind } from '../../../src/storage/json/spool-files.js';
import { createFaultyFiles } from '../../faults/faulty-files.js';
import { createManualClock } from '../../helpers/manual-clock.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';

interface Payment {
  amount: number;
  status?: string;
}
const states = { open: 'flat', ended: 'by-day' } as const;
const clock = () => createManualClock(Date.parse('2026-07-28T10:00:00Z'));

async function open(
  files?: FileLayer,
  kept: Readonly<Record<keyof typeof states, StateKind>> = states,
) {
  const folder = await makeTempFolder();
  const time = clock();
  const make = () =>
    createSpool<Payment, keyof typeof states>({
      folder,
      states: kept,
      clock: time,
      ...(files ? { files } : {}),
    });
  return { folder, time, make, spool: await make() };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('records', () => {
  it('are created, read, updated and moved, and only one place holds them', async () => {
    const { spool, folder } = await open();
    const created = await spool.create('inv:1/2', 'open', { amount: 5 });
    expect(created).toEqual({ id: 'inv:1/2', state: 'open', record: { amount: 5 }, created: true });
    expect(await spool.ids('open')).toEqual(['inv:1/2']);
    await spool.update('inv:1/2', { amount: 6 });
    expect(await spool.read('inv:1/2')).toMatchObject({ state: 'open', record: { amount: 6 } });
    const moved = await spool.move('inv:1/2', 'ended', { record: { amount: 6, status: 'paid' } });
    expect(moved).toMatchObject({ state: 'ended', day: '2026-07-28', record: { status: 'paid' } });
    expect(await readdir(join(folder, 'open'))).toEqual([]);
    expect(await readdir(join(folder, 'ended', '2026-07-28'))).toEqual(['inv%3a1%2f2.json']);
    expect(await spool.read('inv:1/2')).toMatchObject({ state: 'ended' });
  });

  it('survive reopening', async () => {
    const { spool, make } = await open();
    await spool.create('a', 'open', { amount: 1 });
    expect(await (await make()).read('a')).toMatchObject({ record: { amount: 1 } });
  });

  it('are created once an id, also at the same time and after they have ended', async () => {
    const { spool, make } = await open();
    const other = await make();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? spool : other).create('same', 'open', { amount: index }),
      ),
    );
    expect(outcomes.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(outcomes.map(({ record }) => record.amount)).size).toBe(1);
    await spool.move('same', 'ended');
    expect(await spool.create('same', 'open', { amount: 99 })).toMatchObject({
      created: false,
      state: 'ended',
    });
  });

  it('with ids of any kind and length keep apart', async () => {
    const { spool } = await open();
    const ids = ['../x', 'a b', 'a%20b', 'ключ', 'x'.repeat(500), `${'x'.repeat(499)}y`, '.', ''];
    for (const [index, id] of ids.entries()) await spool.create(id, 'open', { amount: index });
    expect((await spool.ids('open')).sort()).toEqual([...ids].sort());
    for (const [index, id] of ids.entries()) {
      expect((await spool.read(id))?.record.amount).toBe(index);
    }
  });

  it('that are not there cannot be updated or moved', async () => {
    const { spool } = await open();
    await expect(spool.update('no', { amount: 1 })).rejects.toMatchObject({ code: 'not_found' });
    await expect(spool.move('no', 'ended')).rejects.toMatchObject({ code: 'not_found' });
    expect(await spool.read('no')).toBeUndefined();
  });

  it('that a crash left in two states count once, the newer one, and a claim tidies up', async () => {
    const files = createFaultyFiles();
    const { spool, folder } = await open(files);
    await spool.create('a', 'open', { amount: 1 });
    files.fault = ({ step, path }) =>
      step === 'unlink' && path.includes('open') ? 'EIO' : undefined;
    await expect(spool.move('a', 'ended', { record: { amount: 2 } })).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
    files.fault = () => undefined;
    expect(await spool.read('a')).toMatchObject({ state: 'ended', record: { amount: 2 } });
    const claim = await spool.claim('a', 'test', 60_000);
    expect(claim?.entry).toMatchObject({ state: 'ended' });
    expect(await readdir(join(folder, 'open'))).toEqual([]);
  });
});

describe('lists', () => {
  it('give every record of a state and the days asked for, oldest day first', async () => {
    const { spool } = await open();
    for (const [index, day] of ['2026-07-03', '2026-07-01', '2026-07-02'].entries()) {
      await spool.create(`r${index}`, 'ended', { amount: index }, day);
    }
    for (let index = 0; index < 50; index += 1) {
      await spool.create(`o${index}`, 'open', { amount: index });
    }
    expect((await all(spool.list('ended'))).map(({ day }) => day)).toEqual([
      '2026-07-01',
      '2026-07-02',
      '2026-07-03',
    ]);
    expect(await all(spool.list('ended', { from: '2026-07-02', to: '2026-07-02' }))).toHaveLength(
      1,
    );
    expect(await all(spool.list('open'))).toHaveLength(50);
  });

  it('name a damaged file, or leave it out and report it', async () => {
    const { spool, folder } = await open();
    await spool.create('good', 'open', { amount: 1 });
    await writeFile(join(folder, 'open', 'bad.json'), '{"id": "bad",\n"revision": }');
    await expect(all(spool.list('open'))).rejects.toMatchObject({
      code: 'data_damaged',
      message: expect.stringMatching(/bad\.json, line 2, column 13/),
    });
    const reports: string[] = [];
    const left = await all(
      spool.list('open', { onDamaged: ({ message }) => reports.push(message) }),
    );
    expect(left.map(({ id }) => id)).toEqual(['good']);
    expect(reports).toHaveLength(1);
  });

  it('forget whole days', async () => {
    const { spool } = await open();
    await spool.create('old', 'ended', { amount: 1 }, '2026-01-01');
    await spool.create('new', 'ended', { amount: 1 }, '2026-07-01');
    expect(await spool.removeDaysBefore('ended', '2026-07-01')).toBe(1);
    expect(await spool.read('old')).toBeUndefined();
    expect(await spool.read('new')).toBeDefined();
  });
});

describe.each(['by-day', 'by-day-and-id'] as const)('old records of a state kept %s', (kind) => {
  const openKind = (files?: FileLayer) => open(files, { open: 'flat', ended: kind });

  it('are named by day, a few at a time, and a day that was emptied goes', async () => {
    const { folder, spool } = await openKind();
    const ids = Array.from({ length: 501 }, (_, n) => `n${n}`);
    for (const id of ids) await spool.create(id, 'ended', { amount: 1 }, '2026-07-01');
    await spool.create('x'.repeat(300), 'ended', { amount: 1 }, '2026-07-02');
    await spool.create('late', 'ended', { amount: 1 }, '2026-07-03');
    const batches: string[][] = [];
    const removed = await spool.removeBefore('ended', '2026-07-03', async (batch) => {
      batches.push([...batch]);
      return batch.filter((id) => id !== 'n7');
    });
    expect(removed).toBe(501);
    expect(batches.map(({ length }) => length)).toEqual([500, 1, 1]);
    expect(batches.flat().sort()).toEqual([...ids, 'x'.repeat(300)].sort());
    const days = (await readdir(join(folder, 'ended'))).filter((name) => name !== 'by-id');
    expect(days).toEqual(['2026-07-01', '2026-07-03']);
    expect((await all(spool.list('ended'))).map(({ id }) => id)).toEqual(['n7', 'late']);
    expect(await spool.read('n7')).toMatchObject({ day: '2026-07-01' });
    expect(await spool.read('n8')).toBeUndefined();
  });

  it('stay where the choice fails', async () => {
    const { spool } = await openKind();
    await spool.create('a', 'ended', { amount: 1 }, '2026-07-01');
    const refuse = () => Promise.reject(new Error('not now'));
    await expect(spool.removeBefore('ended', '2026-07-02', refuse)).rejects.toThrow('not now');
    expect(await spool.read('a')).toMatchObject({ state: 'ended' });
  });

  it('never come to life again, at whatever step the removal is cut off', async () => {
    for (let steps = 0; ; steps += 1) {
      const files = createFaultyFiles();
      const { folder, spool, make } = await openKind(files);
      await spool.create('a', 'open', { amount: 1 });
      const older = await readFile(join(folder, 'open', 'a.json'), 'utf8');
      await spool.move('a', 'ended', { day: '2026-07-01' });
      // A crash right after the move leaves both.
      await writeFile(join(folder, 'open', 'a.json'), older);
      const start = files.uses.length;
      const remove = () => spool.removeBefore('ended', '2026-07-02', async (ids) => ids);
      files.fault = () => (files.uses.length > start + steps ? 'EIO' : undefined);
      const isDone = await remove().then(
        () => true,
        () => false,
      );
      files.fault = () => undefined;
      const left = await (await make()).read('a');
      expect(left?.state).toBe(isDone ? undefined : left && 'ended');
      // The next round takes it up, wherever the first one was cut off.
      await remove();
      expect(await all(spool.list('ended'))).toEqual([]);
      expect(await readdir(join(folder, 'open'))).toEqual([]);
      if (isDone) break;
    }
  });
});

describe('a state that is kept for long', () => {
  const long = { open: 'flat', ended: 'by-day-and-id' } as const;
  const day = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString().slice(0, 10);

  /** Uses of the disk by everything that is done with a record. */
  async function costWith(days: number) {
    const files = createFaultyFiles();
    const { spool } = await open(files, long);
    for (let n = 1; n <= days; n += 1)
      await spool.create(`old${n}`, 'ended', { amount: n }, day(n));
    const start = files.uses.length;
    await spool.create('new', 'open', { amount: 1 });
    await spool.read('new');
    await (await spool.claim('new', 'test', 1000))?.release();
    await spool.update('new', { amount: 2 });
    await spool.move('new', 'ended', { day: day(days) });
    await spool.read('new');
    await spool.read('old1');
    await spool.read('nobody');
    return files.uses.length - start;
  }

  it('costs the same however many days there are', async () => {
    const few = await costWith(2);
    expect(few).toBeGreaterThan(20);
    expect(await costWith(40)).toBe(few);
  });

  it('keeps a record on its day, whoever ends it again', async () => {
    const { folder, spool, make } = await open(undefined, long);
    await spool.create('a', 'open', { amount: 1 });
    await spool.move('a', 'ended', { day: '2026-07-01' });
    await spool.move('a', 'ended', { day: '2026-07-02', record: { amount: 2 } });
    const found = { state: 'ended', day: '2026-07-01', record: { amount: 2 } };
    expect(await (await make()).read('a')).toMatchObject(found);
    await spool.update('a', { amount: 3 });
    expect(await (await make()).read('a')).toMatchObject({ ...found, record: { amount: 3 } });
    const [one, two] = await Promise.all(
      [join('ended', '2026-07-01'), join('ended', 'by-id')].map((place) =>
        stat(join(folder, place, 'a.json')),
      ),
    );
    expect(one?.ino).toBe(two?.ino);
    await spool.move('a', 'open');
    expect(await (await make()).read('a')).toMatchObject({ state: 'open' });
    expect(await readdir(join(folder, 'ended', 'by-id'))).toEqual(['.complete']);
  });

  it('has a record once, at whatever step the move is cut off', async () => {
    for (let steps = 0; ; steps += 1) {
      const files = createFaultyFiles();
      const { folder, spool, make } = await open(files, long);
      await spool.create('a', 'open', { amount: 1 });
      const start = files.uses.length;
      files.fault = () => (files.uses.length > start + steps ? 'EIO' : undefined);
      const isDone = await spool.move('a', 'ended', { day: '2026-07-01' }).then(
        () => true,
        () => false,
      );
      files.fault = () => undefined;
      const next = await make();
      const state = (await next.read('a'))?.state;
      const listed = (await all(next.list('ended'))).map(({ id }) => id);
      // What is listed as ended is found as ended; else it is still open.
      expect(state).toBe(listed.length > 0 ? 'ended' : 'open');
      expect(await next.create('a', 'open', { amount: 9 })).toMatchObject({ created: false });
      await (await next.claim('a', 'test', 1000))?.release();
      expect(await readdir(join(folder, 'open'))).toHaveLength(state === 'open' ? 1 : 0);
      await next.move('a', 'ended', { day: '2026-07-03' });
      expect(await all(next.list('ended'))).toHaveLength(1);
      if (isDone) break;
    }
  });

  it('is taken over from a folder that was written without an index, also when that is cut off', async () => {
    for (let steps = 0; ; steps += 1) {
      const { folder, spool } = await open(undefined, { open: 'flat', ended: 'by-day' });
      for (const n of [1, 2, 3]) await spool.create(`old${n}`, 'ended', { amount: n }, day(n));
      await spool.create('x'.repeat(300), 'ended', { amount: 4 }, day(3));
      await spool.create('open', 'open', { amount: 5 });
      const files = createFaultyFiles();
      files.fault = () => (files.uses.length > 12 + 5 * steps ? 'EIO' : undefined);
      const make = (layer?: FileLayer) =>
        createSpool<Payment, keyof typeof long>({
          folder,
          states: long,
          clock: clock(),
          ...(layer ? { files: layer } : {}),
        });
      const isDone = await make(files).then(
        () => true,
        () => false,
      );
      const next = await make();
      for (const n of [1, 2, 3]) {
        expect(await next.read(`old${n}`)).toMatchObject({ day: day(n), record: { amount: n } });
      }
      expect(await next.read('x'.repeat(300))).toMatchObject({ day: day(3) });
      expect(await all(next.list('ended'))).toHaveLength(4);
      expect(await next.read('open')).toMatchObject({ state: 'open' });
      if (isDone) break;
    }
  });
});

describe('claims', () => {
  it('belong to one at a time and can be taken again after release', async () => {
    const { spool, make } = await open();
    const other = await make();
    await spool.create('a', 'open', { amount: 1 });
    const claims = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 ? spool : other).claim('a', `worker ${index}`, 60_000),
      ),
    );
    const won = claims.filter((claim) => claim !== undefined);
    expect(won).toHaveLength(1);
    await won[0]?.release();
    expect(await other.claim('a', 'next', 60_000)).toBeDefined();
  });

  it('end with their lease, and the late owner is told', async () => {
    const { spool, time } = await open();
    await spool.create('a', 'open', { amount: 1 });
    const first = await spool.claim('a', 'slow', 10_000);
    await time.advance(9000);
    expect(await first?.renew(10_000)).toBe(true);
    await time.advance(9000);
    expect(await spool.claim('a', 'other', 10_000)).toBeUndefined();
    await time.advance(1001);
    const contenders = await Promise.all([1, 2, 3].map(() => spool.claim('a', 'other', 10_000)));
    expect(contenders.filter((claim) => claim)).toHaveLength(1);
    expect(await first?.renew(10_000)).toBe(false);
    await first?.release();
    expect(await spool.claim('a', 'third', 10_000)).toBeUndefined();
  });

  it('of a record that is not there are not given and leave nothing behind', async () => {
    const { spool, folder } = await open();
    expect(await spool.claim('no', 'x', 1000)).toBeUndefined();
    expect(await readdir(join(folder, 'claims'))).toEqual([]);
  });

  it('of a process that has died are taken over before the lease ends', async () => {
    const { spool, folder } = await open();
    await spool.create('a', 'open', { amount: 1 });
    const own = await spool.claim('a', 'x', 3_600_000);
    const { readFile } = await import('node:fs/promises');
    const path = join(folder, 'claims', 'a.claim');
    const owner = JSON.parse(await readFile(path, 'utf8'));
    await own?.release();
    owner.process.started = '1';
    await writeFile(path, JSON.stringify(owner));
    expect(await spool.claim('a', 'y', 1000)).toBeDefined();
  });
});

describe('a disk that fails', () => {
  it.each(['open', 'write', 'sync', 'link'] as const)(
    'at %s: create says storage_unavailable, stores nothing and works again afterwards',
    async (failing) => {
      const files = createFaultyFiles();
      const { spool, folder } = await open(files);
      files.fault = ({ step, path }) =>
        step === failing && /a\.json/.test(path) ? 'ENOSPC' : undefined;
      await expect(spool.create('a', 'open', { amount: 1 })).rejects.toMatchObject({
        code: 'storage_unavailable',
      });
      files.fault = () => undefined;
      expect(await spool.read('a')).toBeUndefined();
      expect(await readdir(join(folder, 'tmp'))).toEqual([]);
      expect(await spool.create('a', 'open', { amount: 1 })).toMatchObject({ created: true });
    },
  );

  it('with a short write keeps the old record', async () => {
    const files = createFaultyFiles();
    const { spool } = await open(files);
    await spool.create('a', 'open', { amount: 1 });
    const start = files.uses.filter(({ step }) => step === 'write').length;
    files.fault = ({ step, count }) =>
      step === 'write' ? { fits: count === start + 1 ? 5 : 0 } : undefined;
    await expect(spool.update('a', { amount: 2 })).rejects.toMatchObject({ status: 503 });
    files.fault = () => undefined;
    expect((await spool.read('a'))?.record.amount).toBe(1);
  });
});

it('temporary files of a crash are removed when the spool is opened', async () => {
  const { folder, make } = await open();
  const left = join(folder, 'tmp', 'a.json.1-abc.tmp');
  await mkdir(join(folder, 'tmp'), { recursive: true });
  await writeFile(left, '{"half');
  const old = new Date('2026-07-28T09:00:00Z');
  await utimes(left, old, old);
  await make();
  expect(await readdir(join(folder, 'tmp'))).toEqual([]);
});
