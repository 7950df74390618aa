import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { packageFolder } from '../../src/base/package-files.js';
import { checkContent, helperFlag } from '../../src/screens/check/check-file.js';
import { checkFiles, threadCount } from '../../src/screens/check/check-files.js';
import type { FileReport } from '../../src/screens/findings/finding.js';
import { startMsgsite } from '../helpers/msgsite-process.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

it.each([
  { files: 0, cores: 4, threads: 1 },
  { files: 299, cores: 4, threads: 1 },
  { files: 300, cores: 4, threads: 2 },
  { files: 300, cores: 1, threads: 1 },
  { files: 1_000, cores: 4, threads: 4 },
  { files: 100_000, cores: 64, threads: 8 },
])('uses $threads threads for $files files on $cores cores', (machine) => {
  expect(threadCount(machine.files, () => machine.cores)).toBe(machine.threads);
});

describe('checking many files', () => {
  const good = '{"product": {"name": "Contracts", "entity": "contract"}}';
  const kinds = [
    good,
    '{"product": {"name": "Contracts"}}',
    '{"product": {"name": "Contracts", "entity": "contract"}, "layout": "queue"}',
    '{"a": 1,}',
    '{"product": {"name": "A", "entity": "b", "name": "C"}}',
  ];
  const maxBytes = 1_000;
  const { signal } = new AbortController();
  let cwd: string;
  let files: readonly string[];

  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'msgsite-'));
    files = Array.from({ length: 700 }, (_, index) => `${index}.screen.json`);
    for (const [index, file] of files.entries()) {
      await writeFile(join(cwd, file), kinds[index % kinds.length] ?? good);
    }
    await rm(join(cwd, '350.screen.json'));
  });

  const check = async (coreCount: number, lint = {}): Promise<readonly FileReport[]> => {
    const reports: FileReport[] = [];
    const cores = () => coreCount;
    for await (const report of checkFiles(files, { cwd, lint, cores, maxBytes, signal }))
      reports.push(report);
    return reports;
  };

  it('returns the same reports in the same order on one thread and on several', async () => {
    const alone = await check(1);
    expect(alone.map(({ file }) => file)).toEqual(files);
    expect(alone.filter(({ readable }) => !readable)).toHaveLength(1);
    expect(await check(4)).toEqual(alone);
  });

  it('applies the same settings on every thread', async () => {
    const lint = { severities: { 'deprecated-property': 'error' } } as const;
    const rules = (await check(4, lint)).flatMap(({ findings }) =>
      findings.filter(({ rule }) => rule === 'deprecated-property'),
    );
    expect(rules).toHaveLength(140);
    expect(new Set(rules.map(({ severity }) => severity))).toEqual(new Set(['error']));
  });

  it('stops when the caller reads no more reports', async () => {
    let count = 0;
    for await (const _report of checkFiles(files, {
      cwd,
      lint: {},
      cores: () => 4,
      maxBytes,
      signal,
    })) {
      count++;
      if (count === 20) break;
    }
    expect(count).toBe(20);
  });

  // With one processor, all files are checked on the main thread.
  const onThreads = it.skipIf(availableParallelism() === 1);
  onThreads(
    'checks the files of a crashed thread in separate processes, and reports them as unchecked if that fails',
    async () => {
      const { program, marker } = await packageWithBrokenThread();
      // Enough files for two threads, and a few more batches.
      const some = files.slice(0, 340);
      const folder = await makeTempFolder();
      // Files that keep the main thread busy until the other thread has received its batch and crashed.
      const rows = Array.from({ length: 600 }, (_, id) => ({ id, name: `Contract ${id}` }));
      const columns = [{ key: 'id', label: 'Number' }];
      const large = { ...JSON.parse(good), table: { columns, rows } };
      const text = JSON.stringify(large);
      for (const file of some) await writeFile(join(folder, file), text);
      const run = startMsgsite(['validate-screen', ...some, '--json'], { cwd: folder, program });
      await vi.waitUntil(() => existsSync(marker), { timeout: 30_000 });
      expect(await run.exit()).toBe(1);
      const report = JSON.parse(run.stdout());
      expect(report.files.map(({ file }: { file: string }) => file)).toEqual(some);
      const faulty = report.files.filter(({ valid }: { valid: boolean }) => !valid);
      expect(
        new Set(faulty.map(({ errors }: { errors: { rule: string }[] }) => errors[0]?.rule)),
      ).toEqual(new Set(['unchecked']));
      // A multiple of the batch size, regardless of the number of threads.
      expect(faulty.length % 8).toBe(0);
      expect(faulty.length).toBeLessThan(100);
    },
  );

  it('reports a large file whose process crashed, and checks the others', async () => {
    const { program } = await packageWithBrokenThread();
    await writeFile(join(cwd, 'large.json'), good.padEnd(600_000));
    const names = ['1.screen.json', 'large.json', '0.screen.json'];
    const run = startMsgsite(['validate-screen', ...names, '--json'], { cwd, program });
    expect(await run.exit()).toBe(1);
    const report = JSON.parse(run.stdout());
    expect(
      report.files.map(({ errors }: { errors: { rule: string }[] }) => errors[0]?.rule),
    ).toEqual(['required', 'unchecked', undefined]);
    expect(report.summary).toMatchObject({ files: 3, errors: 2 });
  });

  it('reports a file whose check throws', async () => {
    const options = {
      get severities(): never {
        throw new RangeError('Maximum call stack size exceeded');
      },
    };
    const report = await checkContent({ file: 'a.json', bytes: Buffer.from(good), lint: options });
    expect(report).toMatchObject({ file: 'a.json', readable: true, counts: { errors: 1 } });
    expect(report.findings).toMatchObject([{ rule: 'unchecked', severity: 'error', path: '' }]);
  });
});

/**
 * Copies the package and breaks the helper. The helper creates the marker and throws, both as a thread and as a
 * process.
 */
async function packageWithBrokenThread(): Promise<{ program: string; marker: string }> {
  const folder = await makeTempFolder();
  const marker = join(folder, 'broken');
  for (const part of ['bin', 'dist', 'package.json']) {
    await cp(join(packageFolder, part), join(folder, part), { recursive: true });
  }
  const bundle = join(folder, 'dist/validate-screen.cjs');
  const broken = `
    if (process.argv[2] === ${JSON.stringify(helperFlag)}) {
      require('node:fs').writeFileSync(${JSON.stringify(marker)}, '');
      throw new Error('broken on purpose');
    }
  `;
  await writeFile(bundle, broken + (await readFile(bundle, 'utf8')).replace(/^#!.*/, ''));
  return { program: join(folder, 'bin/msgsite.js'), marker };
}
