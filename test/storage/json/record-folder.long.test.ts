import {
  cp,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FileLayer, systemFiles } from '../../../src/base/files/file-layer.js';
import { diskFailures } from '../../../src/base/files/storage-errors.js';
import { createFaultyFiles } from '../../faults/faulty-files.js';
import { all, type Begun, begin, end, line, type Payment } from './records-under-test.js';

describe('records', () => {
  it('are created, found and changed, and moved to the state of their content', async () => {
    const { records, folder } = await begin();
    expect(await records.create('inv:1/2', { amount: 5 })).toBe(true);
    expect(await records.ids('open')).toEqual(['inv:1/2']);
    await records.change('inv:1/2', () => ({ record: { amount: 6 }, result: undefined }));
    expect(await records.find('inv:1/2')).toMatchObject({ state: 'open', record: { amount: 6 } });
    await records.change('inv:1/2', (record) => end(record, '2026-07-28'));
    expect(await records.find('inv:1/2')).toMatchObject({ state: 'ended', record: { amount: 6 } });
    expect(await readdir(join(folder, 'open'))).toEqual([]);
    const [name = ''] = await readdir(join(folder, 'ended', '2026-07-28'));
    expect(name).toBe('inv%3a1%2f2.jsonl');
    const places = ['2026-07-28', 'by-id'].map((each) => stat(join(folder, 'ended', each, name)));
    const [first, second] = await Promise.all(places);
    expect(first?.ino).toBe(second?.ino);
    // A change does not create a new file.
    const text = await readFile(join(folder, 'ended', 'by-id', name), 'utf8');
    expect(text.split('\n')).toHaveLength(4);
  });

  it('are created only once per ID, even simultaneously and after they have ended', async () => {
    const { records, make } = await begin();
    const other = await make();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, amount) =>
        (amount % 2 ? records : other).create('same', { amount }),
      ),
    );
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    await records.change('same', (record) => end(record, '2026-07-28'));
    expect(await other.create('same', { amount: 99 })).toBe(false);
  });

  it('are stored separately for IDs of any kind and length', async () => {
    const { records } = await begin();
    const ids = ['../x', 'a b', 'a%20b', 'ключ', 'x'.repeat(500), `${'x'.repeat(499)}y`, '.', ''];
    for (const [amount, id] of ids.entries()) await records.create(id, { amount });
    expect((await records.ids('open')).sort()).toEqual([...ids].sort());
    for (const [amount, id] of ids.entries()) {
      expect((await records.find(id))?.record).toEqual({ amount });
    }
  });

  it('are changed by one caller at a time across processes, and can be removed', async () => {
    const { records, make, folder } = await begin();
    const others = [records, await make(), await make()];
    await records.create('a', { amount: 0 });
    const add = (record: Payment | undefined) => ({
      record: { amount: (record?.amount ?? 0) + 1 },
      result: undefined,
    });
    // There are more changes than the maximum number of lines in a file.
    await Promise.all(Array.from({ length: 60 }, (_, n) => others[n % 3]?.change('a', add)));
    expect((await records.find('a'))?.record).toEqual({ amount: 60 });
    const text = await readFile(join(folder, 'open', 'a.jsonl'), 'utf8');
    expect(text.split('\n').length).toBeLessThan(25);
    await records.remove('a');
    await records.remove('a');
    expect(await records.find('a')).toBeUndefined();
    expect(await records.change('a', (record) => ({ result: record }))).toBeUndefined();
  });

  it('are listed by state and by ascending or descending day, including claimed ones', async () => {
    const { records, make } = await begin();
    for (const [amount, n] of [3, 1, 2].entries()) {
      await records.create(`r${n}`, { amount, day: `2026-07-0${n}` });
    }
    for (let amount = 0; amount < 50; amount += 1) await records.create(`o${amount}`, { amount });
    await records.claim('o7');
    await records.claim('r2');
    const other = await make();
    const ids = async (listed: ReturnType<typeof other.list>) =>
      (await all(listed)).map(({ id }) => id);
    expect(await ids(other.list(['ended']))).toEqual(['r2', 'r1', 'r3']);
    expect(await ids(other.list(['ended'], { latestDaysFirst: true }))).toEqual(['r2', 'r3', 'r1']);
    expect(new Set(await ids(other.list(['open']))).size).toBe(50);
    expect(await other.ids('open')).toHaveLength(49);
    expect(await other.allIds('open')).toHaveLength(51);
    expect((await other.claimedElsewhere()).sort()).toEqual(['o7', 'r2']);
  });

  it.each(['flat', 'by-day'] as const)(
    'are created only once even if a first one is claimed while a second one is created (%s)',
    async (kind) => {
      const { folder, records, make } = await begin(kind);
      const record = kind === 'flat' ? { amount: 1 } : { amount: 1, day: '2026-07-28' };
      let claim: Awaited<ReturnType<typeof records.claim>>;
      const late = await make({
        ...systemFiles,
        async link(from, to) {
          if (!claim) {
            expect(await records.create('a', record)).toBe(true);
            claim = await records.claim('a');
          }
          return systemFiles.link(from, to);
        },
      });
      expect(await late.create('a', { ...record, amount: 2 })).toBe(false);
      expect(await readdir(join(folder, 'claimed'))).toHaveLength(2);
      expect(await late.find('a')).toMatchObject({ record: { amount: 1 } });
      await claim?.settle({ ...record, amount: 3 });
      const state = kind === 'flat' ? 'open' : 'ended';
      expect((await all(late.list([state]))).map((each) => each.record.amount)).toEqual([3]);
    },
  );

  it('are listed once even if they are claimed and released during the listing', async () => {
    const { records, make } = await begin();
    for (const id of ['a', 'b']) await records.create(id, { amount: 1 });
    let isFirst = true;
    const other = await make({
      ...systemFiles,
      async readdir(path) {
        if (!isFirst || !path.endsWith('open')) return systemFiles.readdir(path);
        isFirst = false;
        const claim = await records.claim('a');
        const names = await systemFiles.readdir(path);
        await claim?.release();
        return names;
      },
    });
    expect((await all(other.list(['open']))).map(({ id }) => id).sort()).toEqual(['a', 'b']);
    expect(isFirst).toBe(false);
  });
});

describe.each(['by-day', 'by-day-and-id'] as const)('old records of a state stored %s', (kind) => {
  it('are removed in batches by day, together with the empty folders of their days', async () => {
    const { folder, records } = await begin(kind);
    const ids = Array.from({ length: 501 }, (_, n) => `n${n}`);
    await Promise.all(ids.map((id) => records.create(id, { amount: 1, day: '2026-07-01' })));
    await records.create('x'.repeat(300), { amount: 1, day: '2026-07-02' });
    await records.create('late', { amount: 1, day: '2026-07-03' });
    const batches: string[][] = [];
    const removed = await records.removeBefore('ended', '2026-07-03', async (batch) => {
      batches.push([...batch]);
      return batch.filter((id) => id !== 'n7');
    });
    expect(removed).toBe(501);
    expect(batches.map(({ length }) => length)).toEqual([500, 1, 1]);
    expect(batches.flat().sort()).toEqual([...ids, 'x'.repeat(300)].sort());
    const days = (await readdir(join(folder, 'ended'))).filter((name) => name !== 'by-id');
    expect(days).toEqual(['2026-07-01', '2026-07-03']);
    expect(await records.find('n7')).toBeDefined();
    expect(await records.find('n8')).toBeUndefined();
    const refuse = () => Promise.reject(new Error('not now'));
    await expect(records.removeBefore('ended', '2026-07-02', refuse)).rejects.toThrow('not now');
    expect(await records.find('n7')).toBeDefined();
    if (kind === 'by-day') {
      expect(await records.removeBefore('ended', '2026-07-03')).toBe(1);
      expect(await records.find('n7')).toBeUndefined();
    }
  });

  it.each(['end', 'remove', 'forget'] as const)(
    'exist at most once after a disk failure at any step of %s, which can be repeated',
    async (operation) => {
      for (let steps = 0; ; steps += 1) {
        const files = createFaultyFiles();
        const { records, make, exported, check } = await begin(kind, files);
        await records.create('a', { amount: 1 });
        const work: Record<typeof operation, (records: Begun['records']) => Promise<unknown>> = {
          end: (on) => on.change('a', (record) => end(record, '2026-07-01')),
          remove: (on) => on.remove('a'),
          forget: (on) => on.removeBefore('ended', '2026-07-02', async (ids) => ids),
        };
        if (operation === 'forget') await work.end(records);
        const start = files.uses.length;
        files.fault = () => (files.uses.length > start + steps ? 'EIO' : undefined);
        const isDone = await work[operation](records).then(
          () => true,
          () => false,
        );
        files.fault = () => undefined;
        const next = await make();
        const found = await next.find('a');
        const listed = await all(next.list(['open', 'ended']));
        if (isDone) expect(found?.state).toBe(operation === 'end' ? 'ended' : undefined);
        // A leftover second name is removed by the next removal of the record or by a repair.
        expect(listed.length).toBeLessThanOrEqual(1);
        if (found && operation !== 'forget') expect(listed).toHaveLength(1);
        expect((await check()).filter(({ severity }) => severity === 'error')).toEqual(
          operation === 'forget' ? expect.anything() : [],
        );
        await records.close();
        await work[operation](next);
        expect(await exported()).toHaveLength(operation === 'end' ? 1 : 0);
        if (isDone) break;
      }
    },
  );
});

it('the cost of finding a record does not depend on the number of days', async () => {
  async function costWith(days: number): Promise<number> {
    const files = createFaultyFiles();
    const { records } = await begin('by-day-and-id', files);
    const day = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString().slice(0, 10);
    for (let n = 1; n <= days; n += 1) await records.create(`old${n}`, { amount: n, day: day(n) });
    const start = files.uses.length;
    await records.create('new', { amount: 1 });
    await records.find('new');
    await (await records.claim('new'))?.release();
    await records.change('new', (record) => end(record, day(days)));
    await records.find('new');
    await records.find('old1');
    await records.find('nobody');
    return files.uses.length - start;
  }
  const few = await costWith(2);
  expect(few).toBeGreaterThan(20);
  expect(await costWith(40)).toBe(few);
});

describe('a record folder after a power cut', () => {
  const whole = line({ id: 'a', record: { amount: 1 } });
  const changed = line({ record: { amount: 2 } });
  const second = Buffer.from(whole + changed);

  /** Opens a folder with a valid record, and a file for the record `a` with this content. */
  async function withFile(content: string | Uint8Array, place = 'open') {
    const begun = await begin();
    await begun.records.create('b', { amount: 7 });
    await mkdir(join(begun.folder, place), { recursive: true });
    const path = join(begun.folder, place, 'a.jsonl');
    await writeFile(path, content);
    return { ...begun, path };
  }

  const zeros = (from: number, to: number) =>
    Buffer.from(second).fill(0, from, Math.min(to, second.length));
  const long = Buffer.from(`${whole}${line({ record: { amount: 2, note: 'x'.repeat(1200) } })}`);
  it.each([
    ['no line break', Buffer.from(whole + changed.slice(0, -1))],
    ['half a line', Buffer.from(whole + changed.slice(0, 10))],
    ['one byte', Buffer.from(`${whole}{`)],
    ['zeros', zeros(whole.length, second.length)],
    ['zeros at the end', zeros(whole.length + 9, second.length)],
    ['a sector that was never written', Buffer.from(long).fill(0, whole.length, 512)],
    ['a sector in the middle that was never written', Buffer.from(long).fill(0, 512, 1024)],
  ])('ignores a last line with %s, and overwrites it with the next change', async (_, text) => {
    const { records, check, exported, path, damage } = await withFile(text);
    expect((await records.find('a'))?.record).toEqual({ amount: 1 });
    expect(await check()).toMatchObject([{ severity: 'note', file: path }]);
    expect((await exported()).map(({ record }) => record.amount)).toEqual([1, 7]);
    await records.change('a', () => ({ record: { amount: 3 }, result: undefined }));
    expect((await records.find('a'))?.record).toEqual({ amount: 3 });
    expect(await check()).toEqual([]);
    expect(damage).toEqual([]);
  });

  const flip = (at: number) => {
    const bytes = Buffer.from(second);
    bytes[at] = (bytes[at] ?? 0) ^ 4;
    return bytes;
  };
  it.each<[string, string | Uint8Array, number, string?]>([
    ['no content', '', 1],
    ['invalid JSON', 'nonsense\n', 1],
    ['no checksum', '{"id":"a","record":{"amount":1}}\n', 1],
    ['an invalid form', line({ id: 'a', record: { x: 1 } }), 1],
    ['no record', line({ id: 'a' }), 1],
    ['a torn first line', whole.slice(0, -4), 1],
    ['an invalid change', whole + line({ change: {} }), 2],
    ['a bad line in the middle', `${whole}${changed.replace('2', '3')}${changed}`, 2],
    ['a flipped bit in its first line', flip(20), 1],
    ['a flipped bit in its last line', flip(whole.length + 12), 2],
    ['a flipped bit in its last line break', flip(second.length - 1), 2],
    ['a missing last change', whole, 1, 'ended/2026-07-01'],
  ])('reports a record with %s as damaged, and returns the others', async (...row) => {
    const [, content, number, place = 'open'] = row;
    const { records, folder, check, exported, damage, path } = await withFile(content, place);
    if (place !== 'open') await writeFile(join(folder, 'ended', 'by-id', 'a.jsonl'), content);
    const error = {
      code: 'data_damaged',
      message: expect.stringMatching(`a\\.jsonl, line ${number}: `),
    };
    await expect(records.find('a')).rejects.toMatchObject(error);
    await expect(records.claim('a')).rejects.toMatchObject(error);
    await expect(exported()).rejects.toMatchObject(error);
    expect(await check()).toContainEqual(
      expect.objectContaining({ severity: 'error', file: path, line: number }),
    );
    const listed = async () => (await all(records.list(['open', 'ended']))).map(({ id }) => id);
    expect([await listed(), await listed()]).toEqual([['b'], ['b']]);
    expect(damage).toHaveLength(1);
  });

  it('uses a change whose file was not moved, and moves the file on the next claim', async () => {
    const ended = line({ record: { amount: 1, day: '2026-07-01' } });
    const { records, folder, check, exported } = await withFile(whole + ended);
    expect(await records.find('a')).toMatchObject({ state: 'ended' });
    expect(await check()).toEqual([]);
    expect((await exported()).map(({ id, state }) => [id, state])).toEqual([
      ['b', 'open'],
      ['a', 'ended'],
    ]);
    await (await records.claim('a'))?.release();
    expect(await readdir(join(folder, 'ended', '2026-07-01'))).toEqual(['a.jsonl']);
    expect(await readdir(join(folder, 'ended', 'by-id'))).toEqual(['a.jsonl']);
    expect((await all(records.list(['ended']))).map(({ id }) => id)).toEqual(['a']);
  });

  it('removes old temporary files on opening', async () => {
    const { folder, make } = await begin();
    const left = join(folder, 'tmp', 'a.jsonl.1-abc.tmp');
    await writeFile(left, '{"half');
    await utimes(left, new Date(0), new Date(0));
    await make();
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
  });
});

describe('a record with two names', () => {
  async function ended() {
    const begun = await begin();
    await begun.records.create('a', { amount: 1 });
    await begun.records.change('a', (record) => end(record, '2026-07-01'));
    return { ...begun, other: await begun.make() };
  }

  it('is not claimed by its second name while another process has claimed it', async () => {
    const { records, other } = await ended();
    const claim = await records.claim('a');
    expect(await other.claim('a')).toBeUndefined();
    await claim?.settle({ amount: 2, day: '2026-07-01' });
    expect((await other.claim('a'))?.record).toEqual({ amount: 2, day: '2026-07-01' });
  });

  it('is changed by one process at a time, and is listed once, even when its day changes', async () => {
    const { records, other, exported, folder } = await ended();
    const changes = Array.from({ length: 20 }, (_, n) =>
      (n % 2 ? records : other).change('a', (record) => ({
        record: { amount: (record?.amount ?? 0) + 1, day: `2026-07-${10 + (n % 3)}` },
        result: undefined,
      })),
    );
    await Promise.all(changes);
    expect(await exported()).toMatchObject([{ record: { amount: 21 } }]);
    const { amount } = (await records.find('a'))?.record ?? {};
    expect(amount).toBe(21);
    const files = await readdir(join(folder, 'ended'), { recursive: true });
    expect(files.filter((name) => name.endsWith('a.jsonl'))).toHaveLength(2);
  });

  it('is claimed by its second name after a crash has lost the first one, as soon as no other claim can be pending', async () => {
    const { records, folder } = await ended();
    const first = join(folder, 'ended', '2026-07-01', 'a.jsonl');
    await rm(first);
    expect(await records.claim('a')).toBeUndefined();
    const second = join(folder, 'ended', 'by-id', 'a.jsonl');
    const before = new Date(Date.now() - 60_000);
    await utimes(second, before, before);
    await records.change('a', (record) => end(record, '2026-07-01'));
    expect((await stat(first)).ino).toBe((await stat(second)).ino);
  });
});

it('a record folder copied without hard links can be used, and its second names are linked again', async () => {
  const { folder, records } = await begin();
  await records.create('a', { amount: 1 });
  await records.change('a', (record) => end(record, '2026-07-01'));
  const copy = await begin();
  await cp(folder, copy.folder, { recursive: true });
  const amount = (value: number) => (record: Payment | undefined) => ({
    record: { ...record, amount: value },
    result: undefined,
  });
  await copy.records.change('a', amount(2));
  expect(await copy.records.find('a')).toMatchObject({ state: 'ended', record: { amount: 2 } });
  await copy.records.change('a', amount(3));
  expect(await copy.check()).toEqual([]);
  const places = ['2026-07-01', 'by-id'].map((each) => join(copy.folder, 'ended', each, 'a.jsonl'));
  const [one, two] = await Promise.all(places.map((path) => stat(path)));
  expect(one?.ino).toBe(two?.ino);
  // Both names belong to one file again, so damage affects both.
  await truncate(places[0] ?? '', 0);
  await expect(copy.records.find('a')).rejects.toMatchObject({ code: 'data_damaged' });
});

describe('a disk failure in a record folder', () => {
  it('is not reported for a new day, for which a folder is created', async () => {
    const failed: unknown[] = [];
    const note = (failure: unknown) => void failed.push(failure);
    diskFailures.subscribe(note);
    onTestFinished(() => void diskFailures.unsubscribe(note));
    const { records, folder } = await begin('by-day');
    expect(await records.create('first', { amount: 1, day: '2026-07-29' })).toBe(true);
    await records.create('second', { amount: 1 });
    await records.change('second', (record) => end(record, '2026-07-30'));
    expect(await readdir(join(folder, 'ended'))).toEqual(['2026-07-29', '2026-07-30']);
    expect(failed).toEqual([]);
  });

  it.each(['open', 'write', 'sync', 'link'] as const)(
    'makes create fail with storage_unavailable at %s, stores nothing, and allows later writes',
    async (failing) => {
      const files = createFaultyFiles();
      const { records, folder } = await begin('by-day', files);
      files.fault = ({ step, path }) =>
        step === failing && /a\.json/.test(path) ? 'ENOSPC' : undefined;
      await expect(records.create('a', { amount: 1 })).rejects.toMatchObject({
        code: 'storage_unavailable',
      });
      files.fault = () => undefined;
      expect(await records.find('a')).toBeUndefined();
      expect(await readdir(join(folder, 'tmp'))).toEqual([]);
      expect(await records.create('a', { amount: 1 })).toBe(true);
    },
  );

  it('during a write leaves the record unchanged, and the next change overwrites the incomplete line', async () => {
    const files = createFaultyFiles();
    const { records } = await begin('by-day', files);
    await records.create('a', { amount: 1 });
    const claim = await records.claim('a');
    let fits = 9;
    files.fault = ({ step }) => {
      if (step !== 'write') return undefined;
      const fault = { fits };
      fits = 0;
      return fault;
    };
    await expect(claim?.settle({ amount: 123_456 })).rejects.toMatchObject({ status: 503 });
    expect((await records.find('a'))?.record.amount).toBe(1);
    files.fault = () => undefined;
    await claim?.settle({ amount: 3 });
    expect((await records.find('a'))?.record.amount).toBe(3);
  });
});

it('a record is moved to the folder of a new day only after the folder has been synced', async () => {
  const done: string[] = [];
  const files: FileLayer = {
    ...systemFiles,
    async open(path, flags, mode) {
      const handle = await systemFiles.open(path, flags, mode);
      return Object.assign(handle, {
        async sync() {
          await delay(20);
          await handle.datasync();
          done.push(`sync ${path}`);
        },
      });
    },
    async rename(from, to) {
      done.push(`rename ${to}`);
      await systemFiles.rename(from, to);
    },
  };
  const { folder, make } = await begin('by-day', files);
  const records = await make();
  const ids = ['a', 'b', 'c', 'd'];
  await Promise.all(ids.map((id) => records.create(id, { amount: 1 })));
  done.length = 0;
  await Promise.all(ids.map((id) => records.change(id, (record) => end(record, '2026-07-28'))));
  const ended = join(folder, 'ended');
  const moves = done.flatMap((each, place) => (each.startsWith(`rename ${ended}`) ? [place] : []));
  expect(moves).toHaveLength(ids.length);
  expect(Math.min(...moves)).toBeGreaterThan(done.indexOf(`sync ${ended}`));
  expect(done).toContain(`sync ${ended}`);
});
