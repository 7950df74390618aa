import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CollectionOptions, openCollection } from '../../../src/storage/json/collection.js';
import { createFaultyFiles } from '../../faults/faulty-files.js';
import { createManualClock } from '../../helpers/manual-clock.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';

interface Item {
  id: number;
  text: string;
  until?: number;
}

const options = (folder: string, more: Partial<CollectionOptions<Item>> = {}) => ({
  folder,
  name: 'items',
  clock: createManualClock(),
  keyOf: ({ id }: Item) => id,
  ...more,
});

const contentOf = async (folder: string) => {
  const items = await openCollection<Item>(options(folder));
  const values = [...items.values()].sort((a, b) => a.id - b.id);
  await items.close();
  return values;
};

describe('a collection', () => {
  it('holds what was put, updated and deleted, also after reopening', async () => {
    const folder = await makeTempFolder();
    const items = await openCollection<Item>(options(folder));
    await items.putAll([1, 2, 3].map((id) => ({ id, text: 'a' })));
    await items.update(2, (item) => ({ ...item, text: 'b' }));
    await items.delete(3);
    expect(await items.update(9, (item) => item)).toBeUndefined();
    expect(items.get(2)).toEqual({ id: 2, text: 'b' });
    expect(items.size).toBe(2);
    await items.close();
    expect(await contentOf(folder)).toEqual([
      { id: 1, text: 'a' },
      { id: 2, text: 'b' },
    ]);
  });

  it('loses no update of one record among many at once', async () => {
    const items = await openCollection<Item>(options(await makeTempFolder()));
    await items.put({ id: 1, text: '' });
    const letters = [...'abcdefghij'];
    await Promise.all(
      letters.map((letter) => items.update(1, (item) => ({ ...item, text: item.text + letter }))),
    );
    expect(items.get(1)?.text).toBe(letters.join(''));
    await items.close();
  });

  it('shows a change only once it is on disk, and none that failed', async () => {
    const files = createFaultyFiles();
    const folder = await makeTempFolder();
    const items = await openCollection<Item>(options(folder, { files }));
    const put = items.put({ id: 1, text: 'a' });
    expect(items.get(1)).toBeUndefined();
    await put;
    expect(items.get(1)).toBeDefined();
    files.fault = ({ step }) => (step === 'write' ? 'ENOSPC' : undefined);
    await expect(items.put({ id: 2, text: 'b' })).rejects.toMatchObject({ status: 503 });
    await expect(items.update(1, (i) => ({ ...i, text: 'c' }))).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
    expect(items.get(2)).toBeUndefined();
    expect(items.get(1)?.text).toBe('a');
    files.fault = () => undefined;
    await items.put({ id: 3, text: 'd' });
    await items.close();
    expect(await contentOf(folder)).toEqual([
      { id: 1, text: 'a' },
      { id: 3, text: 'd' },
    ]);
  });

  it('folds its journal into a snapshot that lowdb can read, while writing goes on', async () => {
    const folder = await makeTempFolder();
    const items = await openCollection<Item>(options(folder, { smallestJournal: 2000 }));
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(
        Array.from({ length: 20 }, (_, id) => items.put({ id, text: `round ${round}` })),
      );
    }
    await items.close();
    const snapshot = JSON.parse(await readFile(join(folder, 'items.json'), 'utf8'));
    expect(snapshot).toMatchObject({ format: 1, journal: expect.any(Number) });
    expect(snapshot.records).toHaveLength(20);
    expect((await readdir(folder)).filter((name) => name.endsWith('.jsonl'))).toHaveLength(1);
    expect((await contentOf(folder)).every(({ text }) => text === 'round 19')).toBe(true);
  });

  it('forgets what has expired', async () => {
    const folder = await makeTempFolder();
    const clock = createManualClock();
    const more = {
      clock,
      smallestJournal: 500,
      isExpired: ({ until = Number.POSITIVE_INFINITY }: Item, now: number) => until <= now,
    };
    const items = await openCollection<Item>(options(folder, more));
    await items.put({ id: 1, text: 'short', until: clock.now() + 1000 });
    expect(items.get(1)).toBeDefined();
    await clock.advance(1000);
    expect(items.get(1)).toBeUndefined();
    for (let id = 2; id < 40; id += 1) await items.put({ id, text: 'x' });
    await items.close();
    expect(await readFile(join(folder, 'items.json'), 'utf8')).not.toContain('short');
  });

  it.each([
    ['items.json', '{"format": 1,\n"journal": 1 "records": []}', /items\.json, line 2, column 14/],
    ['items.json', '{"format": 2, "journal": 1, "records": []}', /items\.json has the format 2/],
    ['items.json', '{"format": 1}', /items\.json/],
    ['items.1.jsonl', '[["put",{"id":1}]]\n{"put":1}\n', /items\.1\.jsonl, line 2/],
    ['items.1.jsonl', '[["put",{"id":1}]]\n[["put"\n[]\n', /items\.1\.jsonl, line 2/],
  ])('names the place of damage in %s (%s)', async (name, content, message) => {
    const folder = await makeTempFolder();
    await writeFile(join(folder, name), content);
    await expect(openCollection(options(folder))).rejects.toMatchObject({
      code: 'data_damaged',
      message: expect.stringMatching(message),
    });
  });
});

describe('a crash', () => {
  it('at any byte of the journal loses nothing acknowledged and invents nothing', async () => {
    const folder = await makeTempFolder();
    const items = await openCollection<Item>(options(folder));
    const acknowledged: [number, Item[]][] = [[0, []]];
    const path = join(folder, 'items.1.jsonl');
    for (const id of [1, 2, 1, 3]) {
      await items.put({ id, text: `é${acknowledged.length}` });
      const values = [...items.values()].sort((a, b) => a.id - b.id);
      acknowledged.push([(await readFile(path)).length, values]);
    }
    await items.close();
    const bytes = await readFile(path);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      await writeFile(path, bytes.subarray(0, cut));
      const expected = acknowledged.filter(([length]) => length <= cut).at(-1)?.[1];
      expect(await contentOf(folder)).toEqual(expected);
    }
  });

  it('or a failure at any step of a fold leaves files that open with everything', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 60 }), fc.boolean(), async (failAt, recovers) => {
        const folder = await makeTempFolder();
        const files = createFaultyFiles();
        const items = await openCollection<Item>(options(folder, { files, smallestJournal: 300 }));
        const start = files.uses.length;
        // Only the fold's own steps fail: the journal of the moment always takes what is written.
        files.fault = ({ path }) => {
          const isFold = /items\.json|items\.[2-9]\d*\.jsonl/.test(path);
          const index = files.uses.length - start;
          const fails = recovers ? index === failAt : index >= failAt;
          return isFold && fails ? 'EIO' : undefined;
        };
        const kept = new Map<number, Item>();
        for (let id = 0; id < 30; id += 1) {
          const item = { id: id % 7, text: `text ${id}` };
          await items.put(item).then(
            () => kept.set(item.id, item),
            () => {},
          );
        }
        // A crash: the files as they are now, while the old process still has them open.
        const copy = join(folder, 'copy');
        await mkdir(copy);
        for (const name of await readdir(folder)) {
          if (name !== 'copy') await copyFile(join(folder, name), join(copy, name)).catch(() => {});
        }
        files.fault = () => undefined;
        await items.close();
        expect(files.openFiles).toBe(0);
        const expected = [...kept.values()].sort((a, b) => a.id - b.id);
        expect(await contentOf(folder)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});
