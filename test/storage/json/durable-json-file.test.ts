import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { Low } from 'lowdb';
import { describe, expect, it } from 'vitest';
import { ensureFolder } from '../../../src/base/files/durable-write.js';
import type { FileLayer } from '../../../src/base/files/file-layer.js';
import { jsonChunks } from '../../../src/json/chunks.js';
import { durableJsonFile } from '../../../src/storage/json/durable-json-file.js';
import { createFaultyFiles, type FaultyStep } from '../../faults/faulty-files.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';

interface Document {
  readonly names: readonly string[];
}
const check = (data: unknown) => data as Document;

async function openLow(path: string, files?: FileLayer): Promise<Low<Document>> {
  const low = new Low(durableJsonFile<Document>({ path, check, ...(files ? { files } : {}) }), {
    names: [],
  });
  await low.read();
  return low;
}

describe('a durable JSON file', () => {
  it('keeps a lowdb document', async () => {
    const path = join(await makeTempFolder(), 'a.json');
    const low = await openLow(path);
    expect(low.data).toEqual({ names: [] });
    await low.update((data) => Object.assign(data, { names: ['ж'] }));
    expect((await openLow(path)).data).toEqual({ names: ['ж'] });
  });

  it('syncs the file before it gets its name, and the folder after', async () => {
    const files = createFaultyFiles();
    const folder = await makeTempFolder();
    const low = await openLow(join(folder, 'a.json'), files);
    files.uses.length = 0;
    await low.write();
    const steps = files.uses.map(({ step, path }) => (path === folder ? `folder ${step}` : step));
    expect(steps).toEqual(['open', 'write', 'sync', 'rename', 'folder open', 'folder sync']);
  });

  it.each<FaultyStep>(['open', 'write', 'sync', 'rename'])(
    'stays as it was when %s fails, leaves nothing beside it, and works again afterwards',
    async (failing) => {
      const folder = await makeTempFolder();
      const path = join(folder, 'a.json');
      const files = createFaultyFiles();
      const low = await openLow(path, files);
      await low.write();
      const before = await readFile(path, 'utf8');
      low.data = { names: ['new'] };
      files.fault = ({ step }) => (step === failing ? 'ENOSPC' : undefined);
      await expect(low.write()).rejects.toMatchObject({
        code: 'storage_unavailable',
        message: expect.stringContaining('the disk is full'),
      });
      expect(await readFile(path, 'utf8')).toBe(before);
      expect(await readdir(folder)).toEqual(['a.json']);
      files.fault = () => undefined;
      await low.write();
      expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ names: ['new'] });
    },
  );

  it('never ends up short on a disk that takes a part of the bytes', async () => {
    const path = join(await makeTempFolder(), 'a.json');
    const files = createFaultyFiles(({ step }) => (step === 'write' ? { fits: 3 } : undefined));
    const low = await openLow(path, files);
    low.data = { names: ['a', 'b'] };
    await low.write();
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ names: ['a', 'b'] });
  });

  it('that is no JSON is named with line and column', async () => {
    const path = join(await makeTempFolder(), 'a.json');
    await writeFile(path, '{\n  "names": [,]\n}');
    await expect(openLow(path)).rejects.toMatchObject({
      code: 'data_damaged',
      message: expect.stringContaining(`${path}, line 2, column 13`),
    });
  });
});

describe('JSON in pieces', () => {
  const textOf = async (value: unknown) => {
    let text = '';
    for await (const piece of jsonChunks(value)) text += piece;
    return text;
  };

  it('is the JSON of any value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        expect(JSON.parse(await textOf(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('lets the event loop turn while a large document is made', async () => {
    const records = Array.from({ length: 50_000 }, (_, id) => ({ id, name: `name ${id}` }));
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await textOf({ records });
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
