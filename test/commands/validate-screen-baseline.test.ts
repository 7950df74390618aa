import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

let cwd: string;
beforeEach(async () => {
  cwd = await makeTempFolder();
});

const product = { name: 'Contracts', entity: 'contract' };
const configName = '.msgsite-screens.json';
const put = async (name: string, value: unknown): Promise<void> => {
  await mkdir(dirname(join(cwd, name)), { recursive: true });
  await writeFile(join(cwd, name), typeof value === 'string' ? value : JSON.stringify(value));
};
const validate = (...words: readonly string[]) => runCli(['validate-screen', ...words], { cwd });
const warnings = async (...words: readonly string[]): Promise<readonly { path: string }[]> => {
  const { files } = JSON.parse((await validate(...words, '--json')).stdout);
  return files.flatMap((file: { warnings: object[]; infos: object[] }) => [
    ...file.warnings,
    ...file.infos,
  ]);
};
const locations = async (...words: readonly string[]) =>
  (await warnings(...words)).map(({ path }) => path);
const readConfig = async () => JSON.parse(await readFile(join(cwd, configName), 'utf8'));

interface Row {
  readonly [key: string]: unknown;
}
const queue = (rows: readonly Row[], more: object = {}): object => ({
  product,
  statuses: { new: { label: 'New', tone: 'info' } },
  table: {
    columns: [
      { key: 'number', label: 'Number' },
      { key: 'state', label: 'State', type: 'status', values: ['new'] },
    ],
    rows,
  },
  ...more,
});
const rows: readonly Row[] = [
  { number: 'A-1', state: 'nwe' },
  { number: 'A-2', state: 'new' },
  { number: 'A-3', state: 'old', extra: 1 },
];

describe('an accepted finding', () => {
  beforeEach(async () => {
    await put('a.json', queue(rows));
    await validate('a.json', '--write-baseline');
  });

  it('is identified by the name of its row and the text of its cell', async () => {
    expect((await readConfig()).baseline).toEqual([
      { file: 'a.json', rule: 'advised-count', at: '/table/rows' },
      { file: 'a.json', rule: 'cell-status', at: '/table/rows/[A-1]/state', text: 'nwe' },
      { file: 'a.json', rule: 'cell-status', at: '/table/rows/[A-3]/state', text: 'old' },
      { file: 'a.json', rule: 'unused-row-field', at: '/table/rows/*/extra' },
    ]);
    expect(await locations('a.json')).toEqual([]);
  });

  it.each([
    ['a row is inserted above it', [{ number: 'A-0', state: 'new', extra: 2 }, ...rows]],
    ['rows are sorted differently', [...rows].reverse()],
    ['other cells of its row change', rows.map((row) => ({ ...row, sum: 1 }))],
  ])('stays accepted when %s', async (_what, changed) => {
    await put('a.json', JSON.stringify(queue(changed), null, '\t').replaceAll('\n', '\r\n'));
    const found = await locations('a.json');
    expect(found.filter((path) => !path.endsWith('/sum'))).toEqual([]);
  });

  it('is reported again if its text changes or it occurs in a different row', async () => {
    await put('a.json', queue([{ number: 'A-1', state: 'nwee' }, ...rows.slice(1)]));
    expect(await locations('a.json')).toEqual(['/table/rows/0/state']);
    await put('a.json', queue([...rows, { number: 'A-4', state: 'nwe' }]));
    expect(await locations('a.json')).toEqual(['/table/rows/3/state']);
  });

  it('matches only the accepted number of equal findings', async () => {
    await put('a.json', queue([...rows, { number: 'A-1', state: 'nwe' }]));
    expect(await locations('a.json')).toEqual(['/table/rows/3/state']);
    await validate('a.json', '--write-baseline');
    expect((await readConfig()).baseline[1]).toMatchObject({ text: 'nwe', count: 2 });
    expect(await locations('a.json')).toEqual([]);
  });

  it('that no longer occurs is reported, and --prune-baseline removes it without accepting new findings', async () => {
    await put('a.json', queue([{ number: 'A-1', state: 'oops' }, ...rows.slice(1)]));
    const { stderr } = await validate('a.json');
    expect(stderr).toContain(
      '1 finding of the baseline no longer occurs. Run with --prune-baseline to remove it.',
    );
    const pruned = await validate('a.json', '--prune-baseline', '--max-warnings', '0');
    expect(pruned.stderr).toContain('Removed 1 accepted finding');
    expect(pruned.exitCode).toBe(1);
    expect((await readConfig()).baseline).toHaveLength(3);
    expect((await validate('a.json')).stderr).not.toContain('baseline');
    expect(await locations('a.json')).toEqual(['/table/rows/0/state']);
  });

  it('is removed by --prune-baseline if its file no longer exists, and counts that are too high are reduced', async () => {
    const baseline = [
      { file: 'a.json', rule: 'advised-count', at: '/table/rows', count: 3 },
      { file: 'gone.json', rule: 'idle-block', at: '/inbox', count: 2 },
      { rule: 'cell-status' },
    ];
    await put(configName, { baseline });
    expect((await validate('a.json', '--prune-baseline')).stderr).toContain('Removed 4 accepted');
    expect((await readConfig()).baseline).toEqual([
      { file: 'a.json', rule: 'advised-count', at: '/table/rows' },
      { rule: 'cell-status' },
    ]);
  });

  it('is not changed if its file cannot be parsed', async () => {
    const before = await readConfig();
    await put('a.json', '{');
    await validate('a.json', '--prune-baseline');
    await validate('a.json', '--write-baseline');
    expect(await readConfig()).toEqual(before);
  });

  it('has a unique SARIF fingerprint that does not depend on the position of its row', async () => {
    await put(configName, {});
    const prints = async (list: readonly Row[]) => {
      await put('a.json', queue(list));
      const { stdout } = await validate('a.json', '--format', 'sarif');
      const { results } = JSON.parse(stdout).runs[0];
      return results
        .map((result: { partialFingerprints: object }) => result.partialFingerprints)
        .sort((a: object, b: object) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
    };
    expect(await prints([{ number: 'A-0', state: 'new' }, ...rows])).toEqual(await prints(rows));
    const twice = await prints([...rows, { number: 'A-1', state: 'nwe' }]);
    expect(new Set(twice.map((each: object) => JSON.stringify(each))).size).toBe(twice.length);
  });
});

describe('baseline entries with a JSON Pointer', () => {
  it('still accept findings and are replaced by --write-baseline', async () => {
    await put('a.json', queue(rows));
    const baseline = [
      { file: 'a.json', rule: 'cell-status', path: '/table/rows/0/state' },
      { file: 'a.json', rule: 'cell-status', path: '/table/rows/2' },
      { file: 'a.json', rule: 'unused-row-field' },
      { rule: 'advised-count', path: '/table' },
    ];
    await put(configName, { baseline });
    expect(await locations('a.json')).toEqual([]);
    await validate('a.json', '--write-baseline');
    expect((await readConfig()).baseline).toHaveLength(4);
    expect((await readConfig()).baseline[0]).toEqual({ rule: 'advised-count', path: '/table' });
    expect(await locations('a.json')).toEqual([]);
  });
});

describe('the file pattern of an entry', () => {
  const warned = { product, layout: 'queue' };
  const accept = (...files: readonly string[]): Promise<void> =>
    put(configName, { ignore: files.map((file) => ({ rule: 'deprecated-property', file })) });
  beforeEach(async () => {
    for (const name of ['s/a.screen.json', 's/old/b.screen.json', 's/old/deep/c.screen.json'])
      await put(name, warned);
  });

  it.each([
    ['s/old/**', 1],
    ['**/*.screen.json', 0],
    ['s/*.screen.json', 2],
    ['s/{a,b}.screen.json', 2],
    ['s/old/', 1],
    ['s/old', 1],
    ['./s/a.screen.json', 3],
    ['s/a.screen.json', 2],
    ['s/?.screen.json', 2],
  ])('%s leaves %i findings', async (glob, left) => {
    await accept(glob);
    expect((await warnings('s')).length).toBe(left);
  });

  it('is relative to the folder of the configuration, regardless of the working directory', async () => {
    await accept('s/old/**', 's/a.screen.json');
    const elsewhere = { cwd: join(cwd, 's/old') };
    const words = ['validate-screen', '..', '--config', '../../.msgsite-screens.json', '--json'];
    expect(JSON.parse((await runCli(words, elsewhere)).stdout).summary.warnings).toBe(0);
    const absolute = await validate(join(cwd, 's'), '--json');
    expect(JSON.parse(absolute.stdout).summary.warnings).toBe(0);
  });

  it('can be the name of a file that looks like a glob', async () => {
    await put('s/[a].screen.json', warned);
    await accept('s/[a].screen.json');
    expect((await warnings('s')).length).toBe(3);
  });

  it('can be a glob in the baseline, which --write-baseline preserves', async () => {
    const baseline = [{ rule: 'deprecated-property', file: 's/old/**' }];
    await put(configName, { baseline });
    await validate('s', '--write-baseline');
    expect((await readConfig()).baseline).toEqual([
      { file: 's/a.screen.json', rule: 'deprecated-property', at: '/layout' },
      ...baseline,
    ]);
    expect(await warnings('s')).toEqual([]);
  });

  it('is reported if it matches no file of a folder search', async () => {
    await accept('s/odl/**', 's/old/*.json', 'x.screen.json', 's/a.screen.json');
    const { stderr } = await validate('s/old');
    expect(stderr).toContain('No file matches "s/odl/**", "x.screen.json". Check "file"');
    expect((await validate('s/a.screen.json')).stderr).toBe('');
  });

  it.each([
    ['!s/old/**', 'it begins with !'],
    ['s/[a', 'it has an unclosed bracket'],
    ['s/+(a|b)', 'patterns in round brackets are not supported'],
    ['*a*a*a*a*a*a*a*b', '6 wildcards'],
    ['', 'file is empty'],
  ])('is rejected if it is %j', async (glob, reason) => {
    await accept(glob);
    const { exitCode, stderr } = await validate('s');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });
});

describe('an invalid entry', () => {
  it.each([
    [{ path: 'nav' }, 'begins with a slash'],
    [{ at: '/nav', count: 0 }, 'count must be a positive whole number'],
    [{ at: '/nav', path: '/nav' }, 'both path'],
    [{ text: 5 }, 'text must be a string'],
  ])('is reported with the reason: %j', async (entry, reason) => {
    await put('a.json', { product });
    await put(configName, { baseline: [{ rule: 'idle-block', ...entry }] });
    const { exitCode, stderr } = await validate('a.json');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });
});
