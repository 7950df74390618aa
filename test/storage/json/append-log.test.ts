import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openAppendLog } from '../../../src/storage/json/append-log.js';
import { createFaultyFiles, type FaultyStep } from '../../faults/faulty-files.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';

async function reopen(path: string): Promise<unknown[]> {
  const values: unknown[] = [];
  const log = await openAppendLog({ path, onValue: (value) => values.push(value) });
  await log.close();
  return values;
}

describe('an append-only log', () => {
  it('gives back at opening what was appended, in order', async () => {
    const path = join(await makeTempFolder(), 'a.jsonl');
    const log = await openAppendLog({ path });
    await Promise.all([1, 2, 3].map((n) => log.append(JSON.stringify({ n }))));
    await log.append('{"n":4}');
    expect(log.size).toBe((await readFile(path)).length);
    await log.close();
    expect(await reopen(path)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
  });

  it('writes lines that arrive together with one write and one sync', async () => {
    const files = createFaultyFiles();
    const log = await openAppendLog({ path: join(await makeTempFolder(), 'a.jsonl'), files });
    files.uses.length = 0;
    await Promise.all(Array.from({ length: 100 }, (_, n) => log.append(String(n))));
    expect(files.uses.map(({ step }) => step)).toEqual(['write', 'datasync']);
    await log.close();
  });

  it('reads lines longer than one block and characters across block borders', async () => {
    const path = join(await makeTempFolder(), 'a.jsonl');
    const texts = ['ж'.repeat(700_001), 'x'.repeat(2_500_000), '🙂'.repeat(400_000)];
    const log = await openAppendLog({ path });
    for (const text of texts) await log.append(JSON.stringify(text));
    await log.close();
    expect(await reopen(path)).toEqual(texts);
  });

  it('drops a line torn at any byte and keeps every whole one', async () => {
    const folder = await makeTempFolder();
    const whole = ['{"n":1}', '{"text":"мир 🙂"}', '[]', '{"n":4}'];
    const bytes = Buffer.from(`${whole.join('\n')}\n`);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const path = join(folder, 'a.jsonl');
      await writeFile(path, bytes.subarray(0, cut));
      const lines = bytes.subarray(0, cut).toString().split('\n').slice(0, -1);
      expect(await reopen(path)).toEqual(lines.map((line) => JSON.parse(line)));
      expect((await readFile(path)).length).toBe(
        lines.reduce((n, l) => n + Buffer.byteLength(l) + 1, 0),
      );
    }
  });

  it('drops a last line with holes, as a power cut leaves it', async () => {
    const path = join(await makeTempFolder(), 'a.jsonl');
    await writeFile(path, '{"n":1}\n{"n":\0\0\0\0\n');
    expect(await reopen(path)).toEqual([{ n: 1 }]);
  });

  it.each([
    ['in the middle', '{"n":1}\n{"n":\n{"n":3}\n', 2],
    ['in the last whole line', '{"n":1}\n{"n":2}\n{"n"3}\n', 3],
    ['in the first line', 'hello\n{"n":2}\n', 1],
  ])('refuses damage %s, naming file and line', async (_name, content, line) => {
    const path = join(await makeTempFolder(), 'a.jsonl');
    await writeFile(path, content);
    await expect(openAppendLog({ path })).rejects.toMatchObject({
      code: 'data_damaged',
      message: expect.stringContaining(`${path}, line ${line}`),
    });
    expect(await readFile(path, 'utf8')).toBe(content);
  });

  it('refuses appends after it was closed', async () => {
    const log = await openAppendLog({ path: join(await makeTempFolder(), 'a.jsonl') });
    await log.close();
    await expect(log.append('1')).rejects.toMatchObject({ code: 'shutting_down' });
  });
});

describe('a log on a disk that fails', () => {
  const faults: [string, FaultyStep[], string | { fits: number }][] = [
    ['a full disk', ['write'], 'ENOSPC'],
    ['a disk that takes half of the bytes', ['write'], { fits: 3 }],
    ['a failing sync', ['datasync'], 'EIO'],
    ['a failing write and a failing truncate', ['write', 'truncate'], 'EIO'],
    ['a short write and a failing truncate', ['write', 'truncate'], { fits: 3 }],
  ];
  it.each(faults)(
    '%s: says so, keeps nothing of it, and goes on once it is over',
    async (_n, steps, fault) => {
      const path = join(await makeTempFolder(), 'a.jsonl');
      const files = createFaultyFiles();
      const log = await openAppendLog({ path, files });
      await log.append('"before"');
      let writes = 0;
      files.fault = ({ step }) => {
        if (!steps.includes(step)) return undefined;
        if (typeof fault === 'string') return fault;
        if (step !== 'write') return 'EIO';
        writes += 1;
        return { fits: writes === 1 ? fault.fits : 0 };
      };
      const outcomes = await Promise.allSettled([log.append('"lost 1"'), log.append('"lost 2"')]);
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({ reason: { code: 'storage_unavailable', status: 503 } });
      }
      await expect(log.append('"lost 3"')).rejects.toMatchObject({ code: 'storage_unavailable' });
      files.fault = () => undefined;
      await log.append('"after"');
      await log.close();
      expect(await reopen(path)).toEqual(['before', 'after']);
    },
  );

  it('never loses, doubles or invents a line, whatever fails when', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('none', 'none', 'write', 'short', 'datasync', 'truncate'), {
          maxLength: 40,
        }),
        async (plan) => {
          const path = join(await makeTempFolder(), 'a.jsonl');
          const files = createFaultyFiles();
          const log = await openAppendLog({ path, files });
          const kept: number[] = [];
          for (const [n, failing] of plan.entries()) {
            files.fault = ({ step }) => {
              if (failing === 'short' && step === 'write') return { fits: n % 3 };
              if (failing === 'truncate') {
                return step === 'truncate' || step === 'datasync' ? 'EIO' : undefined;
              }
              return step === failing ? 'ENOSPC' : undefined;
            };
            const outcome = await Promise.allSettled([log.append(String(n))]);
            if (outcome[0]?.status === 'fulfilled') kept.push(n);
          }
          files.fault = () => undefined;
          await log.close();
          expect(await reopen(path)).toEqual(kept);
        },
      ),
      { numRuns: 40 },
    );
  });
});
