import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemFiles } from '../../../src/base/files/file-layer.js';
import type { Finding } from '../../../src/storage/json/check/data-checker.js';
import {
  type CollectionOptions,
  openCollection,
} from '../../../src/storage/json/collection/collection.js';
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
  files: systemFiles,
  clock: createManualClock(),
  keyOf: ({ id }: Item) => id,
  isRecord: (value: unknown): value is Item => typeof (value as Partial<Item>).id === 'number',
  ...more,
});

const contentOf = async (folder: string) => {
  const items = await openCollection<Item>(options(folder));
  const values = [...items.values()].sort((a, b) => a.id - b.id);
  await items.close();
  return values;
};

describe('a collection', () => {
  it('stores new, changed and deleted records, even after it is opened again', async () => {
    const folder = await makeTempFolder();
    const items = await openCollection<Item>(options(folder));
    await items.putAll([1, 2, 3].map((id) => ({ id, text: 'a' })));
    await items.update(2, (item) => ({ ...item, text: 'b' }));
    await items.delete(3);
    expect(await items.update(9, (item) => item)).toBeUndefined();
    expect(items.get(2)).toEqual({ id: 2, text: 'b' });
    expect([...items.values()]).toHaveLength(2);
    await items.close();
    expect(await contentOf(folder)).toEqual([
      { id: 1, text: 'a' },
      { id: 2, text: 'b' },
    ]);
  });

  it('writes nothing if an update changes nothing, and deletes several records together', async () => {
    const folder = await makeTempFolder();
    const items = await openCollection<Item>(options(folder));
    await items.putAll([1, 2, 3].map((id) => ({ id, text: 'a' })));
    const path = join(folder, 'items.1.jsonl');
    const before = await readFile(path, 'utf8');
    expect(await items.update(1, (item) => item)).toEqual({ id: 1, text: 'a' });
    expect(await items.update(1, () => undefined)).toBeUndefined();
    await items.deleteAll([]);
    expect(await readFile(path, 'utf8')).toBe(before);
    await items.deleteAll([1, 3]);
    await items.close();
    expect(await contentOf(folder)).toEqual([{ id: 2, text: 'a' }]);
  });

  it('removes erased data from its files when it is closed, even after a kill', async () => {
    const folder = await makeTempFolder();
    const erasing = { erases: ({ text }: Item) => text === '' };
    const filesWith = async (text: string) => {
      const found: string[] = [];
      for (const name of await readdir(folder)) {
        if ((await readFile(join(folder, name), 'utf8')).includes(text)) found.push(name);
      }
      return found;
    };
    const items = await openCollection<Item>(options(folder, erasing));
    await items.putAll([1, 2].map((id) => ({ id, text: `secret ${id}` })));
    await items.update(1, (item) => ({ ...item, text: '' }));
    // The process is killed here. The next one finds the data in the log.
    const again = await openCollection<Item>(options(folder, erasing));
    expect(await filesWith('secret 1')).toEqual(['items.1.jsonl']);
    await again.close();
    expect(await filesWith('secret 1')).toEqual([]);
    expect(await filesWith('secret 2')).toEqual(['items.snapshot.jsonl']);
    // Nothing has been erased since, so nothing is rewritten.
    const names = await readdir(folder);
    await (await openCollection<Item>(options(folder, erasing))).close();
    expect(await readdir(folder)).toEqual(names);
    expect(await contentOf(folder)).toEqual([
      { id: 1, text: '' },
      { id: 2, text: 'secret 2' },
    ]);
  });

  it('applies all simultaneous updates of one record', async () => {
    const items = await openCollection<Item>(options(await makeTempFolder()));
    await items.put({ id: 1, text: '' });
    const letters = [...'abcdefghij'];
    await Promise.all(
      letters.map((letter) => items.update(1, (item) => ({ ...item, text: item.text + letter }))),
    );
    expect(items.get(1)?.text).toBe(letters.join(''));
    await items.close();
  });

  it('shows a change only when it is on disk, and does not show a failed change', async () => {
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

  it('folds its log into a snapshot while records are written', async () => {
    const folder = await makeTempFolder();
    const items = await openCollection<Item>(options(folder, { minLogSize: 2000 }));
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(
        Array.from({ length: 20 }, (_, id) => items.put({ id, text: `round ${round}` })),
      );
    }
    await items.close();
    const snapshot = await readFile(join(folder, 'items.snapshot.jsonl'), 'utf8');
    expect(snapshot).toMatch(/^\{"collection":"items","log":\d+,"crc"/);
    expect(snapshot).toMatch(/\n\{"end":"items","records":20,"lastId":19,"crc":".{8}"\}\n$/);
    expect((await readdir(folder)).filter((name) => /\.\d+\.jsonl$/.test(name))).toHaveLength(1);
    expect((await contentOf(folder)).every(({ text }) => text === 'round 19')).toBe(true);
  });

  it('does not return expired records, and removes them from its files', async () => {
    const folder = await makeTempFolder();
    const clock = createManualClock();
    const more = {
      clock,
      minLogSize: 500,
      isExpired: ({ until = Number.POSITIVE_INFINITY }: Item, now: number) => until <= now,
    };
    const items = await openCollection<Item>(options(folder, more));
    await items.put({ id: 1, text: 'short', until: clock.now() + 1000 });
    expect(items.get(1)).toBeDefined();
    await clock.advance(1000);
    expect(items.get(1)).toBeUndefined();
    for (let id = 2; id < 40; id += 1) await items.put({ id, text: 'x' });
    await items.close();
    expect(await readFile(join(folder, 'items.snapshot.jsonl'), 'utf8')).not.toContain('short');
  });

  it('never reuses an ID, even if the records with the highest IDs are deleted', async () => {
    const folder = await makeTempFolder();
    for (const [round, minLogSize] of [100_000, 100_000, 1].entries()) {
      const items = await openCollection<Item>(options(folder, { minLogSize }));
      const id = items.nextId();
      expect(id).toBe(2 * round + 1);
      await items.putAll([
        { id, text: '' },
        { id: items.nextId(), text: '' },
      ]);
      await items.delete(id + 1);
      await items.close();
    }
    const items = await openCollection<Item>(options(folder));
    expect([items.nextId(), [...items.values()].length]).toEqual([7, 3]);
    await items.close();
  });
});

/** Creates a folder whose snapshot contains two records and whose log contains two more, one per line. */
async function prepare() {
  const folder = await makeTempFolder();
  const items = await openCollection<Item>(options(folder, { minLogSize: 150 }));
  await items.putAll([1, 2].map((id) => ({ id, text: 'x'.repeat(60) })));
  await items.close();
  const again = await openCollection<Item>(options(folder));
  for (const id of [3, 4]) await again.put({ id, text: 'y' });
  await again.close();
  return folder;
}

describe('a damaged collection', () => {
  const flip = (text: string) => (content: string) => content.replace(text, `${text[0]}!`);
  const remove = () => undefined;
  it.each<[string, string, (content: string) => string | undefined, RegExp, number[]]>([
    ['a record', 'items.snapshot.jsonl', flip('"id":2'), /, line 3: /, [1, 3, 4]],
    ['the first line', 'items.snapshot.jsonl', flip('{"coll'), /, line 1: /, [1, 2, 3, 4]],
    ['the last line', 'items.snapshot.jsonl', flip('{"end'), /, line 4: /, [1, 2, 3, 4]],
    ['the end', 'items.snapshot.jsonl', (all) => all.split('{"end')[0], /: The end /, [1, 2, 3, 4]],
    ['all of it', 'items.snapshot.jsonl', remove, /: The file is missing/, [3, 4]],
    ['a change', 'items.2.jsonl', flip('"id":3'), /, line 3: /, [1, 2, 4]],
    ['the last change', 'items.2.jsonl', flip('"id":4'), /, line 4: /, [1, 2, 3]],
    ['the header', 'items.2.jsonl', flip('{"log'), /, line 1: /, [1, 2, 3, 4]],
    ['all of it', 'items.2.jsonl', remove, /: The file is missing/, [1, 2]],
  ])(
    'reports damage to %s in %s, or sets it aside if requested',
    async (_, name, edit, message, left) => {
      const folder = await prepare();
      const path = join(folder, name);
      const content = edit(await readFile(path, 'utf8'));
      await (content === undefined ? rm(path) : writeFile(path, content));
      await expect(openCollection(options(folder))).rejects.toMatchObject({
        code: 'data_damaged',
        message: expect.stringMatching(message),
      });
      const messages: string[] = [];
      const onDamage = async (finding: Finding) => void messages.push(finding.file);
      const items = await openCollection<Item>(options(folder, { onDamage }));
      expect(messages[0]).toBe(path);
      expect([...items.values()].map(({ id }) => id)).toEqual(left);
      expect(items.nextId()).toBe(5);
      await items.close();
      // The damaged parts are no longer in the files.
      expect((await contentOf(folder)).map(({ id }) => id)).toEqual(left);
    },
  );

  it('reports the loss of all its files', async () => {
    const folder = await makeTempFolder();
    await expect(openCollection(options(folder, { mustExist: true }))).rejects.toMatchObject({
      code: 'data_damaged',
    });
  });
});

describe('a crash of a collection', () => {
  it('at any byte of the log loses no acknowledged change and adds none', async () => {
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
    // A power cut loses data that was not synced, and this file was never synced.
    await rm(join(folder, 'items.durable.json'));
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      await writeFile(path, bytes.subarray(0, cut));
      const expected = acknowledged.filter(([length]) => length <= cut).at(-1)?.[1];
      expect(await contentOf(folder)).toEqual(expected);
      await rm(join(folder, 'items.durable.json'));
    }
  });

  it('at any step of a fold, or a failure, leaves files with all records', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 60 }), fc.boolean(), async (failAt, recovers) => {
        const folder = await makeTempFolder();
        const files = createFaultyFiles();
        const items = await openCollection<Item>(options(folder, { files, minLogSize: 300 }));
        const start = files.uses.length;
        // Only the steps of the fold fail. The current log always accepts writes.
        files.fault = ({ path }) => {
          const isFold = /items\.snapshot|items\.[2-9]\d*\.jsonl/.test(path);
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
        // The copy simulates a crash, because the old process still has the files open.
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
