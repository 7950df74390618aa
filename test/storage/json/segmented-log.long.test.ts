import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FileLayer, systemFiles } from '../../../src/base/files/file-layer.js';
import { type Finding, throwDamage } from '../../../src/storage/json/check/data-checker.js';
import { encodeLine } from '../../../src/storage/json/lines/lines.js';
import { readLog } from '../../../src/storage/json/log/log-reader.js';
import { openSegmentedLog } from '../../../src/storage/json/log/segmented-log.js';
import { createFaultyFiles, type FaultyStep } from '../../faults/faulty-files.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';

/** Opens a log of values, each in the member `v` of a line. */
async function openLog(folder: string, files: FileLayer = systemFiles) {
  const values: unknown[] = [];
  const place = { folder, name: 'a', files };
  const content = await readLog(place, (value) => values.push(valueIn(value)), throwDamage);
  const log = await openSegmentedLog({ ...place, lastId: () => 7 }, content);
  const append = (v: unknown) => log.append(JSON.stringify({ v }));
  return { ...log, append, size: () => log.size, values };
}

const valueIn = (line: unknown) => (line as { v: unknown }).v;

async function reopen(folder: string): Promise<unknown[]> {
  const { values, close } = await openLog(folder);
  await close();
  return values;
}

/** Returns the findings of reading a log, which does not change its files. */
async function findingsIn(folder: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  await readLog(
    { folder, name: 'a', files: systemFiles },
    () => {},
    (finding) => findings.push(finding),
  );
  return findings;
}

const first = (folder: string) => join(folder, 'a.1.jsonl');
const mark = (folder: string) => join(folder, 'a.durable.json');

describe('a segmented log', () => {
  it('returns the appended lines in order on opening, and continues after them', async () => {
    const folder = await makeTempFolder();
    const log = await openLog(folder);
    await Promise.all([1, 2, 3].map((n) => log.append({ n })));
    await log.append({ n: 4 });
    expect(log.size()).toBe((await stat(first(folder))).size);
    await log.close();
    const again = await openLog(folder);
    expect(again.values).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
    await again.append({ n: 5 });
    await again.close();
    expect(await reopen(folder)).toHaveLength(5);
  });

  it('writes lines that arrive together with one write and one sync', async () => {
    const files = createFaultyFiles();
    const folder = await makeTempFolder();
    const log = await openLog(folder, files);
    files.uses.length = 0;
    await Promise.all(Array.from({ length: 100 }, (_, n) => log.append(n)));
    const uses = files.uses.filter(({ path }) => path === first(folder));
    expect(uses.map(({ step }) => step)).toEqual(['write', 'datasync']);
    // The position on disk is recorded without a sync.
    expect(files.uses).toHaveLength(3);
    await log.close();
  });

  it('reads lines that are longer than a block, and characters across block boundaries', async () => {
    const folder = await makeTempFolder();
    const texts = ['ж'.repeat(700_001), 'x'.repeat(2_500_000), '🙂'.repeat(400_000)];
    const log = await openLog(folder);
    for (const text of texts) await log.append(text);
    await log.close();
    expect(await reopen(folder)).toEqual(texts);
  });

  it('continues in a new segment, and deletes old segments after they are dropped', async () => {
    const folder = await makeTempFolder();
    const log = await openLog(folder);
    await log.append(1);
    const early = await readFile(first(folder));
    const next = await log.rotate(async () => ({ fact: 5 }));
    await log.append(2);
    await log.drop(next);
    await log.append(3);
    await log.close();
    expect(await readdir(folder)).toEqual(['a.2.jsonl', 'a.durable.json']);
    expect(await readFile(join(folder, 'a.2.jsonl'), 'utf8')).toMatch(
      /^\{"log":"a","segment":2,"first":1,"previous":\d+,"lastId":7,"fact":5,"crc"/,
    );
    // A power cut may restore a name that was removed.
    await writeFile(first(folder), early);
    expect(await reopen(folder)).toEqual([2, 3]);
    expect(await readdir(folder)).toEqual(['a.2.jsonl', 'a.durable.json']);
  });

  it('rejects appends after it was closed', async () => {
    const log = await openLog(await makeTempFolder());
    await log.close();
    await expect(log.append(1)).rejects.toMatchObject({ code: 'shutting_down' });
  });
});

/** Creates a log of two segments. The second one contains a single line and two batches of three lines. */
async function prepare() {
  const folder = await makeTempFolder();
  const log = await openLog(folder);
  await log.append('before');
  await log.rotate();
  await log.append('a');
  await Promise.all(['b1', 'b2', 'b3'].map(log.append));
  const lengthOfB = log.size() - (await stat(first(folder))).size;
  await Promise.all(['c1', 'c2', 'c3'].map(log.append));
  // This simulates a kill, after which all written data remains.
  const path = join(folder, 'a.2.jsonl');
  const bytes = await readFile(path);
  const killed = await readFile(mark(folder));
  await log.close();
  await writeFile(mark(folder), killed);
  const lines = bytes.toString().split('\n').slice(0, -1);
  return { folder, path, bytes, lines, lengthOfB };
}

/** The line number of each value in the second segment, whose header is line 1. */
const lineOf = { a: 2, b1: 3, b2: 4, b3: 5, c1: 6, c2: 7, c3: 8 } as const;

describe('opening a segmented log', () => {
  it.each<[string, keyof typeof lineOf, boolean, string[] | number]>([
    ['a damaged line before a later batch', 'b2', false, lineOf.b2],
    ['a damaged line in the last batch, if the mark exists', 'c2', true, lineOf.c2],
    [
      'a damaged line in the last batch, if the mark is missing',
      'c2',
      false,
      ['before', 'a', 'b1', 'b2', 'b3', 'c1'],
    ],
    [
      'a damaged first line of the last batch, if the mark is missing',
      'c1',
      false,
      ['before', 'a', 'b1', 'b2', 'b3'],
    ],
    ['a damaged last line, if the mark exists', 'c3', true, lineOf.c3],
    ['a damaged single line', 'a', false, lineOf.a],
  ])('detects or drops %s', async (_, text, hasMark, expected) => {
    const { folder, path, lines } = await prepare();
    const damaged = lines.map((line) =>
      line.startsWith(`{"v":"${text}"`) ? `\0${line.slice(1)}` : line,
    );
    await writeFile(path, `${damaged.join('\n')}\n`);
    if (!hasMark) await rm(mark(folder));
    if (Array.isArray(expected)) {
      expect(await reopen(folder)).toEqual(expected);
      expect(await reopen(folder)).toEqual(expected);
      return;
    }
    await expect(openLog(folder)).rejects.toMatchObject({
      code: 'data_damaged',
      message: expect.stringContaining(`${path}, line ${expected}:`),
    });
    expect(await findingsIn(folder)).toMatchObject([
      { severity: 'error', file: path, line: expected },
    ]);
  });

  it.each([
    ['after a kill', 0],
    ['after a power cut that reset the mark to an earlier batch', 1],
  ])('detects a tail of zeros that was on disk %s', async (_, batch) => {
    const { folder, path, bytes, lengthOfB } = await prepare();
    if (batch === 1) {
      const line = encodeLine(JSON.stringify({ segment: 2, length: lengthOfB, lastId: 7 }));
      await writeFile(mark(folder), line);
    }
    const from = batch === 1 ? lengthOfB - 5 : bytes.length - 5;
    await writeFile(path, Buffer.from(bytes).fill(0, from));
    await expect(openLog(folder)).rejects.toMatchObject({ code: 'data_damaged' });
    // Data that was written after the mark may be lost.
    await writeFile(path, Buffer.from(bytes).fill(0, lengthOfB + 3));
    if (batch === 1) expect(await reopen(folder)).toEqual(['before', 'a', 'b1', 'b2', 'b3']);
    else await expect(openLog(folder)).rejects.toMatchObject({ code: 'data_damaged' });
  });

  it('rejects any truncated tail after a clean shutdown', async () => {
    const { folder, path, bytes } = await prepare();
    await reopen(folder);
    for (const length of [bytes.length - 1, bytes.length - 30, 10, 0]) {
      await writeFile(path, bytes.subarray(0, length));
      await expect(openLog(folder)).rejects.toMatchObject({ code: 'data_damaged' });
    }
  });

  it.each([1, 2])('rejects a log whose segment %i is missing', async (number) => {
    const { folder } = await prepare();
    const path = join(folder, `a.${number}.jsonl`);
    await rm(path);
    expect(await findingsIn(folder)).toMatchObject(
      [{ file: path, message: /missing/ }].map(() => ({ file: path })),
    );
    await expect(openLog(folder)).rejects.toMatchObject({ code: 'data_damaged' });
  });

  it('detects every flipped bit, and loses at most the line that contains it', async () => {
    const { folder, path, bytes } = await prepare();
    const all = ['before', 'a', 'b1', 'b2', 'b3', 'c1', 'c2', 'c3'];
    for (let bit = 0; bit < bytes.length * 8; bit += 7) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      await writeFile(path, flipped);
      const values: unknown[] = [];
      const findings: Finding[] = [];
      const place = { folder, name: 'a', files: systemFiles };
      await readLog(
        place,
        (value) => values.push(valueIn(value)),
        (finding) => findings.push(finding),
      );
      expect(findings.length).toBeGreaterThan(0);
      expect(all.filter((each) => !values.includes(each)).length).toBeLessThan(2);
      expect(values.every((value) => all.includes(value as string))).toBe(true);
    }
  });

  it('keeps every complete line of a batch that is torn at any byte', async () => {
    const { folder, path, bytes, lines } = await prepare();
    const header = Buffer.byteLength(lines[0] ?? '') + 1;
    for (let cut = header; cut <= bytes.length; cut += 1) {
      await writeFile(path, bytes.subarray(0, cut));
      await rm(mark(folder), { force: true });
      const whole = bytes.subarray(0, cut).toString().split('\n').slice(1, -1);
      const expected = whole.map((line) => valueIn(JSON.parse(line)));
      expect(await reopen(folder)).toEqual(['before', ...expected]);
      expect((await stat(path)).size).toBe(
        header + whole.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0),
      );
    }
  });

  it('creates a segment again if its header is incomplete', async () => {
    const folder = await makeTempFolder();
    const log = await openLog(folder);
    await log.append(1);
    await log.close();
    for (const content of ['', '\0'.repeat(512), '{"log":"a","segm']) {
      await writeFile(join(folder, 'a.2.jsonl'), content);
      const again = await openLog(folder);
      expect(again.values).toEqual([1]);
      expect(await again.rotate()).toBe(2);
      await again.close();
      await rm(join(folder, 'a.2.jsonl'));
      await rm(mark(folder));
    }
  });
});

describe('a segmented log on a failing disk', () => {
  const faults: [string, FaultyStep[], string | { fits: number }][] = [
    ['a full disk', ['write'], 'ENOSPC'],
    ['a disk that accepts only some of the bytes', ['write'], { fits: 3 }],
    ['a failing sync', ['datasync'], 'EIO'],
    ['a failing write and a failing truncate', ['write', 'truncate'], 'EIO'],
    ['a short write and a failing truncate', ['write', 'truncate'], { fits: 3 }],
  ];
  it.each(faults)(
    'reports %s, keeps no part of the write, and recovers afterwards',
    async (_n, steps, fault) => {
      const folder = await makeTempFolder();
      const files = createFaultyFiles();
      const log = await openLog(folder, files);
      await log.append('before');
      let writes = 0;
      files.fault = ({ step }) => {
        if (!steps.includes(step)) return undefined;
        if (typeof fault === 'string') return fault;
        if (step !== 'write') return 'EIO';
        writes += 1;
        return { fits: writes === 1 ? fault.fits : 0 };
      };
      const outcomes = await Promise.allSettled([log.append('lost 1'), log.append('lost 2')]);
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({ reason: { code: 'storage_unavailable', status: 503 } });
      }
      await expect(log.append('lost 3')).rejects.toMatchObject({ code: 'storage_unavailable' });
      files.fault = () => undefined;
      await log.append('after');
      await log.close();
      expect(await reopen(folder)).toEqual(['before', 'after']);
    },
  );

  it('never loses, duplicates or adds a line, regardless of which steps fail', async () => {
    const steps = ['none', 'none', 'write', 'short', 'datasync', 'truncate', 'sync', 'open'];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...steps), fc.boolean()), { maxLength: 40 }),
        async (plan) => {
          const folder = await makeTempFolder();
          const files = createFaultyFiles();
          const log = await openLog(folder, files);
          const kept: number[] = [];
          for (const [n, [failing, rotates]] of plan.entries()) {
            files.fault = ({ step }) => {
              if (failing === 'short' && step === 'write') return { fits: n % 3 };
              if (failing === 'truncate') {
                return step === 'truncate' || step === 'datasync' ? 'EIO' : undefined;
              }
              return step === failing ? 'ENOSPC' : undefined;
            };
            const rotation = rotates ? log.rotate() : undefined;
            const outcome = await Promise.allSettled([log.append(n), rotation]);
            if (outcome[0]?.status === 'fulfilled') kept.push(n);
          }
          files.fault = () => undefined;
          await log.close();
          expect(files.openFiles).toBe(0);
          expect(await reopen(folder)).toEqual(kept);
        },
      ),
      { numRuns: 40 },
    );
  });
});
