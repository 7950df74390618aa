import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import type { FileLayer } from '../../src/base/files/file-layer.js';
import { openJsonImageStore } from '../../src/images/store-json/image-store.js';
import { imageChecker } from '../../src/images/store-json/image-transfer.js';
import type { Finding } from '../../src/storage/json/check/data-checker.js';
import { createFaultyFiles } from '../faults/faulty-files.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { describeImageStore, nameOf, sizesOf } from './store-contract.js';

const now = () => 1_000;
const open = (data: string, more: { files?: FileLayer; onDamage?(finding: Finding): void } = {}) =>
  openJsonImageStore({ data, now, ...more });

describeImageStore('JSON files', async () => {
  const data = await makeTempFolder();
  return { open: () => open(data) };
});

const [a, b] = [nameOf('a'), nameOf('b')];

async function filled(): Promise<string> {
  const data = await makeTempFolder();
  const store = await open(data);
  await store.add(a, sizesOf('a'), 5);
  await store.add(b, sizesOf('b'), 6);
  return data;
}

async function findings(data: string): Promise<Finding[]> {
  const found: Finding[] = [];
  await imageChecker.check(data, (finding) => found.push(finding));
  return found;
}

async function repair(data: string): Promise<string[]> {
  const done: string[] = [];
  await imageChecker.repair(data, {
    clock: systemClock,
    tell: ({ message }) => done.push(message),
  });
  return done;
}

it('the JSON image store creates no files before the first picture', async () => {
  const data = await makeTempFolder();
  const store = await open(data);
  expect([await store.list(), await store.renew(a, 1)]).toEqual([[], false]);
  expect(await readdir(data)).toEqual([]);
  expect(await findings(data)).toEqual([]);
});

describe('a disk failure in the JSON image store', () => {
  it.each(['open', 'write', 'sync', 'rename', 'mkdir'] as const)(
    'at %s leaves nothing behind, and the next upload succeeds',
    async (step) => {
      const data = await makeTempFolder();
      const files = createFaultyFiles();
      const store = await open(data, { files });
      for (let count = 1; ; count += 1) {
        const uses = files.uses.filter((use) => use.step === step).length;
        let failed = false;
        files.fault = (use) => {
          if (use.step !== step || use.count !== uses + count) return undefined;
          failed = true;
          return 'ENOSPC';
        };
        const outcome = await store.add(a, sizesOf('a'), 1).catch((error) => error.code);
        files.fault = () => undefined;
        if (!failed) break;
        expect(outcome).toBe('storage_unavailable');
        expect(await store.read({ name: a, width: 400 })).toBeUndefined();
        const left = await readdir(join(data, 'media')).catch(() => []);
        expect(left).toEqual([]);
        expect(await (await open(data)).list()).toEqual([]);
      }
      expect(await (await open(data)).list()).toEqual([{ name: a, unusedSince: 1 }]);
      expect(files.openFiles).toBe(0);
    },
  );
});

it('the JSON image store adds pictures that a crash left without an entry, and removes unfinished files', async () => {
  const data = await filled();
  const before = await readFile(join(data, 'media.jsonl'));
  const store = await open(data);
  await store.add(nameOf('c'), sizesOf('c'), 9);
  await writeFile(join(data, 'media.jsonl'), before);
  await writeFile(join(data, 'media', `${a}.picture.123-abc.tmp`), 'half');
  const found: Finding[] = [];
  const again = await open(data, { onDamage: (finding) => found.push(finding) });
  expect(await again.list()).toEqual([
    { name: a, unusedSince: 5 },
    { name: b, unusedSince: 6 },
    { name: nameOf('c'), unusedSince: 1_000 },
  ]);
  expect(found).toEqual([]);
  expect((await readdir(join(data, 'media'))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

describe('a damaged picture', () => {
  async function damaged(at: number): Promise<string> {
    const data = await filled();
    const path = join(data, 'media', `${a}.picture`);
    const bytes = await readFile(path);
    const position = at < 0 ? bytes.length + at : at;
    bytes[position] = (bytes[position] ?? 0) ^ 4;
    await writeFile(path, bytes);
    return data;
  }

  it.each([0, 30, -1])(
    'is never served, is found by the check, and is replaced by an upload (damage at byte %i)',
    async (at) => {
      const data = await damaged(at);
      const store = await open(data);
      const read = () => store.read({ name: a, width: 1600 });
      await expect(read()).rejects.toMatchObject({ code: 'data_damaged' });
      expect((await store.read({ name: b, width: 1600 }))?.bytes).toEqual(sizesOf('b')[1600]);
      expect(await findings(data)).toMatchObject([
        { severity: 'error', file: join(data, 'media', `${a}.picture`) },
      ]);
      expect(await store.renew(a, 7)).toBe(false);
      await store.add(a, sizesOf('a'), 7);
      expect((await read())?.bytes).toEqual(sizesOf('a')[1600]);
      expect(await findings(data)).toEqual([]);
    },
  );

  it('is set aside by a repair', async () => {
    const data = await damaged(-1);
    expect(await repair(data)).toMatchObject([
      expect.stringContaining('set aside'),
      expect.stringContaining('list of pictures'),
    ]);
    expect(await readdir(join(data, 'damaged', 'media'))).toEqual([`${a}.picture.1`]);
    expect(await findings(data)).toEqual([]);
    expect(await (await open(data)).list()).toEqual([{ name: b, unusedSince: 6 }]);
  });
});

it('the check reports a missing picture file', async () => {
  const data = await filled();
  const file = join(data, 'media', `${b}.picture`);
  await rm(file);
  expect(await findings(data)).toMatchObject([{ file, message: 'The file is missing.' }]);
  const found: Finding[] = [];
  const store = await open(data, { onDamage: (finding) => found.push(finding) });
  expect(found).toMatchObject([{ file }]);
  expect((await store.list()).map(({ name }) => name)).toEqual([a]);
});

it('a missing or damaged list of pictures is rebuilt from the pictures', async () => {
  const data = await filled();
  const index = join(data, 'media.jsonl');
  const kept = join(await makeTempFolder(), 'media.jsonl');
  await cp(index, kept);
  for (const damage of [
    () => rm(index),
    async () =>
      writeFile(
        index,
        (await readFile(kept, 'utf8')).replace('"unusedSince":6', '"unusedSince":7'),
      ),
    async () => writeFile(index, (await readFile(kept)).subarray(0, 40)),
  ]) {
    await cp(kept, index);
    await damage();
    expect(await findings(data)).not.toEqual([]);
    const found: Finding[] = [];
    const store = await open(data, { onDamage: (finding) => found.push(finding) });
    expect((await store.list()).map(({ name }) => name)).toEqual([a, b]);
    expect(found.length).toBeGreaterThan(0);
    expect(await findings(data)).toEqual([]);
  }
});
