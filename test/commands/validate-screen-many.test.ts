import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

let cwd: string;
beforeEach(async () => {
  cwd = await makeTempFolder();
});

const put = async (name: string, value: object): Promise<void> => {
  await mkdir(dirname(join(cwd, name)), { recursive: true });
  await writeFile(join(cwd, name), JSON.stringify(value));
};
const validate = (...words: readonly string[]) => runCli(['validate-screen', ...words], { cwd });

/** Returns a definition with three notes, a warning for every tenth index, and an error for each index in `errors`. */
const definition = (index: number, errors: readonly number[]): object => ({
  product: { name: errors.includes(index) ? 'x'.repeat(50) : 'Contracts', entity: 'contract' },
  nav: [{ label: 'Queue' }],
  scenario: { headline: 'Approve all the open contracts', control: 'Approve' },
  table: { columns: [{ key: 'id', label: 'Number' }], rows: [{ id: `A-${index}` }] },
  ...(index % 10 === 0 ? { layout: 'queue' } : {}),
});
const putMany = async (count: number, errors: readonly number[] = []): Promise<void> => {
  for (let index = 1; index <= count; index++) {
    const name = `s/${String(index).padStart(3, '0')}.screen.json`;
    await put(name, definition(index, errors));
  }
};

describe('findings in many files', () => {
  it('are summarized on one page with all errors, a few other findings and a table by rule', async () => {
    await putMany(120, [40, 90]);
    const { stdout, exitCode } = await validate('s');
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThan(100);
    expect(exitCode).toBe(1);
    expect(lines.filter((line) => line.includes(' error max-length'))).toHaveLength(2);
    const table = lines.slice(lines.findIndex((line) => line.startsWith('rule ')));
    expect(table).toEqual([
      'rule                 severity  count  files  fixable',
      'max-length           error         2      2',
      'deprecated-property  warning      12     12       12',
      'advised-count        note        240    120',
      'advised-words        note        120    120',
      '',
      '✖ 2 errors, 12 warnings and 360 notes in 120 files',
      'Not shown: 7 warnings and 358 notes. Run with --all to show them.',
      'Run with --fix to fix 12 findings.',
      'Explain a rule: msgsite validate-screen --explain RULE',
    ]);
  });

  it('are all shown with --all, for a single file, and in machine formats', async () => {
    await putMany(12);
    const countIn = (text: string): number => text.split('note advised-count').length - 1;
    expect(countIn((await validate('s')).stdout)).toBe(1);
    expect(countIn((await validate('s', '--all')).stdout)).toBe(24);
    expect(countIn((await validate('s/001.screen.json')).stdout)).toBe(2);
    const { files } = JSON.parse((await validate('s', '--json')).stdout);
    expect(files.flatMap(({ infos }: { infos: object[] }) => infos)).toHaveLength(36);
    const github = await validate('s', '--format', 'github');
    expect(github.stdout.match(/advised-count/g)).toHaveLength(24);
  });

  it('are printed in the same order each time, even with several threads', async () => {
    await putMany(310);
    const first = await validate('s');
    expect((await validate('s')).stdout).toBe(first.stdout);
  });

  it('are summarized in one line with --quiet if there are only notes', async () => {
    await putMany(9);
    expect((await validate('s', '--quiet')).stdout).toBe('✔ no findings in 9 files\n');
  });
});

describe('--stats', () => {
  it('prints timings on stderr and does not change the report', async () => {
    await putMany(11);
    const plain = await validate('s');
    const { stdout, stderr } = await validate('s', '--stats');
    expect(stdout).toBe(plain.stdout);
    expect(stderr).toMatch(/^11 files with \d+ KB in \d+ ms\./);
    for (const word of ['reading', 'parsing', 'contract', 'rules', 'findings', 'reporting'])
      expect(stderr).toMatch(new RegExp(`^ {2}${word} +\\d+\\.\\d\\d ms$`, 'm'));
    expect(stderr).toMatch(/Slowest rules:\n {2}[a-z-]+ +\d/);
    expect(stderr).toMatch(/Slowest files:\n {2}s\/0\d\d\.screen\.json \(1 KB\) /);
    expect(plain.stderr).toBe('');
  });

  it('adds timings to the JSON, as totals over all threads', async () => {
    await putMany(310);
    const { stdout, stderr } = await validate('s', '--stats', '--json');
    const { stats } = JSON.parse(stdout);
    expect(stderr).toBe('');
    expect(stats).toMatchObject({ files: 310, bytes: expect.any(Number) });
    expect(stats.bytes).toBeGreaterThan(310 * 200);
    expect(Object.keys(stats.phases)).toEqual([
      'reading',
      'parsing',
      'contract',
      'rules',
      'findings',
      'reporting',
    ]);
    expect(stats.rules.map(({ rule }: { rule: string }) => rule)).toContain('advised-count');
    expect(stats.slowest).toHaveLength(5);
    expect(JSON.parse((await validate('s/001.screen.json', '--json')).stdout)).not.toHaveProperty(
      'stats',
    );
  });

  it('also measures standard input', async () => {
    const stdin = JSON.stringify(definition(1, []));
    const { stdout } = await runCli(['validate-screen', '-', '--stats', '--json'], { cwd, stdin });
    expect(JSON.parse(stdout).stats).toMatchObject({ files: 1, bytes: stdin.length });
  });
});
