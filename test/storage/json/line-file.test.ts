import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Low } from 'lowdb';
import { describe, expect, it } from 'vitest';
import { ensureFolder } from '../../../src/base/files/durable-write.js';
import type { FileLayer } from '../../../src/base/files/file-layer.js';
import { lineFile } from '../../../src/storage/json/lines/line-file.js';
import type { Line } from '../../../src/storage/json/lines/lines.js';
import { createFaultyFiles, type FaultyStep } from '../../faults/faulty-files.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';

type Names = readonly string[];

async function parse(all: AsyncIterable<readonly Line[]>): Promise<Names> {
  const names: string[] = [];
  for await (const lines of all) {
    for (const { text } of lines) {
      names.push(text === undefined ? 'damaged' : JSON.parse(text).name);
    }
  }
  return names;
}

async function openLow(path: string, files?: FileLayer): Promise<Low<Names>> {
  const format = (names: Names) => names.map((name) => JSON.stringify({ name }));
  const low = new Low<Names>(lineFile({ path, parse, format, ...(files ? { files } : {}) }), []);
  await low.read();
  return low;
}

describe('a file of lines', () => {
  it('stores a lowdb document with a checksum at the end of each line', async () => {
    const path = join(await makeTempFolder(), 'a.jsonl');
    const low = await openLow(path);
    expect(low.data).toEqual([]);
    low.data = ['ж', 'x'];
    await low.write();
    expect((await openLow(path)).data).toEqual(['ж', 'x']);
    expect(await readFile(path, 'utf8')).toMatch(
      /^\{"name":"ж","crc":"[0-9a-f]{8}"\}\n\{"name":"x","crc":"[0-9a-f]{8}"\}\n$/,
    );
  });

  it('is synced before it is renamed, and its folder is synced afterwards', async () => {
    const files = createFaultyFiles();
    const folder = await makeTempFolder();
    const low = await openLow(join(folder, 'a.jsonl'), files);
    files.uses.length = 0;
    low.data = ['a'];
    await low.write();
    const steps = files.uses.map(({ step, path }) => (path === folder ? `folder ${step}` : step));
    expect(steps).toEqual(['open', 'write', 'sync', 'rename', 'folder open', 'folder sync']);
  });

  it.each<FaultyStep>(['open', 'write', 'sync', 'rename'])(
    'is unchanged if %s fails, leaves no temporary file, and can be written afterwards',
    async (failing) => {
      const folder = await makeTempFolder();
      const path = join(folder, 'a.jsonl');
      const files = createFaultyFiles();
      const low = await openLow(path, files);
      low.data = ['old'];
      await low.write();
      const before = await readFile(path, 'utf8');
      low.data = ['new'];
      files.fault = ({ step }) => (step === failing ? 'ENOSPC' : undefined);
      await expect(low.write()).rejects.toMatchObject({
        code: 'storage_unavailable',
        message: expect.stringContaining('the disk is full'),
      });
      expect(await readFile(path, 'utf8')).toBe(before);
      expect(await readdir(folder)).toEqual(['a.jsonl']);
      files.fault = () => undefined;
      await low.write();
      expect((await openLow(path)).data).toEqual(['new']);
    },
  );

  it('is complete even if the disk accepts only a few bytes at a time', async () => {
    const path = join(await makeTempFolder(), 'a.jsonl');
    const files = createFaultyFiles(({ step }) => (step === 'write' ? { fits: 3 } : undefined));
    const low = await openLow(path, files);
    low.data = ['a', 'b'];
    await low.write();
    expect((await openLow(path)).data).toEqual(['a', 'b']);
  });

  it('does not block the event loop while a large document is written', async () => {
    const low = await openLow(join(await makeTempFolder(), 'a.jsonl'));
    low.data = Array.from({ length: 50_000 }, (_, id) => `name ${id} of a record of some length`);
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await low.write();
    isDone = true;
    expect(turns).toBeGreaterThan(10);
  });
});

it('a new folder and its parents are synced into their own parents', async () => {
  const base = await makeTempFolder();
  const files = createFaultyFiles();
  await mkdir(join(base, 'a'));
  await ensureFolder(files, join(base, 'a', 'b', 'c'));
  expect((await stat(join(base, 'a', 'b'))).mode & 0o777).toBe(0o700);
  const synced = files.uses.filter(({ step }) => step === 'sync').map(({ path }) => path);
  expect(synced).toEqual([join(base, 'a', 'b'), join(base, 'a')]);
});
