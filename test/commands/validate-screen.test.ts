import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

const good = '{"product": {"name": "Contracts", "entity": "contract"}}';
const warned = '{"product": {"name": "Contracts", "entity": "contract"}, "layout": "queue"}';
const bad = '{"product": {"name": "Contracts"}}';

let cwd: string;
beforeEach(async () => {
  cwd = await makeTempFolder();
});

const put = async (name: string, text: string): Promise<void> => {
  await mkdir(dirname(join(cwd, name)), { recursive: true });
  await writeFile(join(cwd, name), text);
};
const validate = (...words: readonly string[]) => runCli(['validate-screen', ...words], { cwd });
const json = async (...words: readonly string[]) =>
  JSON.parse((await validate(...words, '--json')).stdout);

describe('the exit code', () => {
  it('is 0 for a valid file, with or without warnings', async () => {
    await put('a.json', good);
    await put('b.json', warned);
    expect((await validate('a.json')).exitCode).toBe(0);
    expect((await validate('b.json')).exitCode).toBe(0);
  });

  it.each([
    ['a broken contract', bad],
    ['invalid JSON', '{'],
    ['an empty file', ''],
    ['a root that is not an object', '[]'],
    ['a duplicate key', '{"product": {"name": "x", "entity": "y", "name": "z"}}'],
  ])('is 1 for %s', async (_what, text) => {
    await put('a.json', text);
    expect((await validate('a.json')).exitCode).toBe(1);
  });

  it('is 1 for a file in a different encoding, and 0 for a file with a byte order mark', async () => {
    await writeFile(join(cwd, 'a.json'), Buffer.from(`\ufeff${good}`, 'utf16le'));
    await put('b.json', `\ufeff${good}`);
    expect((await validate('a.json')).stdout).toContain('not UTF-8');
    expect((await validate('a.json')).exitCode).toBe(1);
    expect((await validate('b.json')).exitCode).toBe(0);
  });

  it('is 2 if a file cannot be read, and the other files are still checked', async () => {
    await put('a.json', bad);
    await symlink('loop.json', join(cwd, 'loop.json'));
    const result = await json('missing.json', 'a.json', 'loop.json');
    expect(result.files.map(({ file }: { file: string }) => file)).toEqual([
      'missing.json',
      'a.json',
      'loop.json',
    ]);
    expect(result.files[0].errors[0]).toMatchObject({ rule: 'unreadable', path: '' });
    expect((await validate('missing.json', 'a.json')).exitCode).toBe(2);
  });

  it.each([
    [['--format', 'xml']],
    [['--format', 'json', '--format', 'sarif']],
    [['--format', 'json=']],
    [['--max-warnings', '-1']],
    [['--max-warnings', 'none']],
    [['--explain', 'no-such-rule']],
    [['-', 'a.json']],
    [['-', '--watch']],
    [['--nonsense']],
    [['nothing/*.json']],
    [['empty']],
    [['--config', 'missing.json', 'a.json']],
    [['--format', 'json=a.json/x.json', 'a.json']],
  ])('is 2 for %j', async (words) => {
    await put('a.json', good);
    await mkdir(join(cwd, 'empty'));
    const { exitCode, stderr } = await validate(...words);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^Error: /);
  });

  it('is 1 for more warnings than --max-warnings, including those hidden by --no-warnings', async () => {
    await put('a.json', warned);
    expect((await validate('a.json', '--max-warnings', '1')).exitCode).toBe(0);
    const { exitCode, stdout } = await validate('a.json', '--max-warnings', '0', '--no-warnings');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('--max-warnings allows 0');
  });
});

/** Returns a name as it must be written in an ignore file. */
const encodeIgnored = (name: string): string => name.replaceAll('\\', '\\\\');

describe('the file search', () => {
  it('accepts files, folders and globs, and finds each file once', async () => {
    for (const name of ['s/a.screen.json', 's/deep/b.screen.json', 's/other.json'])
      await put(name, good);
    await put('s/node_modules/c.screen.json', bad);
    const names = async (...words: string[]) =>
      (await json(...words)).files.map(({ file }: { file: string }) => file);
    expect(await names('s')).toEqual(['s/a.screen.json', 's/deep/b.screen.json']);
    expect(await names('s/', './s/a.screen.json')).toEqual([
      's/a.screen.json',
      's/deep/b.screen.json',
    ]);
    expect(await names('s/**/*.json')).toEqual([
      's/a.screen.json',
      's/deep/b.screen.json',
      's/other.json',
    ]);
    expect(await names()).toEqual(['s/a.screen.json', 's/deep/b.screen.json']);
  });

  it('finds a file whose name looks like a glob', async () => {
    await put('[a].screen.json', good);
    expect((await json('[a].screen.json')).summary.files).toBe(1);
  });

  it.each([
    ['a line feed', 'a\nb'],
    ['a line feed at its beginning', '\nb'],
    ['a carriage return', '\rb'],
    ['a line separator', 'a\u2028b'],
    ['a backslash', 'a\\b'],
  ])('finds files and folders with %s in their name', async (_what, word) => {
    const names = [`s/${word}.screen.json`, `s/${word}/${word}.screen.json`];
    for (const name of names) await put(name, bad);
    const found = async (...words: string[]) =>
      (await json(...words)).files.map(({ file }: { file: string }) => file).sort();
    expect(await found('s')).toEqual([...names].sort());
    expect(await found(`s/${word}`)).toEqual([names[1]]);
    expect(await found(...names)).toEqual([...names].sort());
    const sarif = JSON.parse((await validate('s', '--format', 'sarif')).stdout);
    const [location] = sarif.runs[0].results[0].locations;
    const { uri } = location.physicalLocation.artifactLocation;
    expect(names).toContain(decodeURIComponent(uri));
    await put('.msgsite-screensignore', `${encodeIgnored(word)}/\n`);
    if (!/[\r\n]/.test(word)) expect(await found('s')).toEqual([names[0]]);
  });

  it('rejects an empty argument instead of searching the working directory', async () => {
    await put('a.screen.json', good);
    for (const words of [[''], ['a.screen.json', '']]) {
      const { exitCode, stderr } = await validate(...words);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('An argument is empty')]);
    }
  });

  it('skips hidden names and special files, and sorts folders', async () => {
    for (const name of ['b/x', 'a/y', 'a-/z', 'c', '.h/x', 'B/x', 'node_modules/x', '.git/x'])
      await put(`s/${name}.screen.json`, good);
    await put('s/.screen.json', good);
    await mkdir(join(cwd, 's/folder.screen.json'));
    const { files } = await json('s');
    expect(files.map(({ file }: { file: string }) => file)).toEqual(
      ['B/x', 'a-/z', 'a/y', 'b/x', 'c'].map((name) => `s/${name}.screen.json`),
    );
  });

  it('skips files that the ignore file excludes', async () => {
    await put('a.screen.json', good);
    await put('old/b.screen.json', bad);
    await put('.msgsite-screensignore', 'old/\n');
    expect((await json('.')).summary).toMatchObject({ files: 1, errors: 0 });
    const { exitCode, stderr } = await validate('old/b.screen.json');
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('ignore file')]);
  });

  it('reports standard input under the name in --stdin-filename', async () => {
    const call = { cwd, stdin: bad };
    const words = ['validate-screen', '-', '--stdin-filename', 'new.screen.json', '--json'];
    const { exitCode, stdout } = await runCli(words, call);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout).files[0]).toMatchObject({ file: 'new.screen.json', valid: false });
  });
});

describe('output formats', () => {
  it('can be combined, and stdout still receives the pretty format', async () => {
    await put('a.json', bad);
    const words = ['json', 'sarif', 'junit', 'github', 'markdown', 'pretty'];
    const { stdout } = await validate(
      'a.json',
      ...words.flatMap((name) => ['--format', `${name}=out/${name}.txt`]),
    );
    expect(stdout).toContain('a.json:1:13 error required');
    for (const name of words) {
      expect((await readFile(join(cwd, 'out', `${name}.txt`), 'utf8')).length).toBeGreaterThan(50);
    }
    expect(JSON.parse(await readFile(join(cwd, 'out/json.txt'), 'utf8')).valid).toBe(false);
  });

  it('contain no notes with --quiet, and no warnings with --no-warnings', async () => {
    await put('a.json', '{"product": {"name": "x"}, "layout": "queue", "nav": [{"label": "a"}]}');
    const shown = async (...flags: readonly string[]) => {
      const { files, summary } = await json('a.json', ...flags);
      const [{ errors, warnings, infos }] = files;
      return [errors.length, warnings.length, infos.length, summary.warnings, summary.infos];
    };
    expect(await shown()).toEqual([1, 1, 1, 1, 1]);
    expect(await shown('--quiet')).toEqual([1, 1, 0, 1, 0]);
    expect(await shown('--no-warnings')).toEqual([1, 0, 0, 1, 0]);
    expect(await shown('--quiet', '--no-warnings')).toEqual([1, 0, 0, 1, 0]);
  });

  it('include the explanation of a rule with examples for --explain', async () => {
    const { exitCode, stdout } = await validate('--explain', 'unknown-field');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Reported:');
    expect((await validate('--explain', 'max-length')).exitCode).toBe(0);
    expect((await validate('--explain', 'unknown-feild')).stderr).toContain('unknown-field');
  });
});

describe('the configuration', () => {
  const config = (value: object): Promise<void> =>
    put('.msgsite-screens.json', JSON.stringify(value));

  it('disables rules and changes their severity', async () => {
    await put('a.json', warned);
    await config({ rules: { 'deprecated-property': 'off' } });
    expect((await json('a.json')).summary).toMatchObject({ errors: 0, warnings: 0 });
    await config({ rules: { 'deprecated-property': 'error' } });
    expect(await json('a.json')).toMatchObject({ valid: false, summary: { errors: 1 } });
    await config({ rules: { 'deprecated-property': 'info' } });
    expect((await json('a.json')).summary).toMatchObject({ warnings: 0, infos: 1 });
  });

  it('ignores findings by rule, path and file, but never contract errors', async () => {
    await put('a.json', warned);
    await config({ ignore: [{ rule: 'deprecated-property', path: '/layout', file: 'a.json' }] });
    expect((await json('a.json')).summary.warnings).toBe(0);
    await config({ ignore: [{ rule: 'deprecated-property', path: '/lay', file: 'a.json' }] });
    expect((await json('a.json')).summary.warnings).toBe(1);
    await config({ ignore: [{ rule: 'required' }] });
    expect((await validate('a.json')).stderr).toContain('always an error');
  });

  it('is rejected with all its errors together', async () => {
    await put('a.json', good);
    await config({ rules: { 'deprecated-propety': 'off', 'idle-block': 'loud' }, ignores: [] });
    const { exitCode, stderr } = await validate('a.json');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Did you mean "deprecated-property"?');
    expect(stderr).toContain('/rules/idle-block: A severity must be one of');
    expect(stderr).toContain('Did you mean "ignore"?');
  });

  it('stores accepted findings with --write-baseline, and new findings are still reported', async () => {
    await put('a.json', warned);
    await put('b.json', bad);
    await config({
      rules: { 'advised-count': 'off' },
      baseline: [{ rule: 'idle-block', file: 'c.json' }],
    });
    const { exitCode, stderr } = await validate('a.json', 'b.json', '--write-baseline');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Accepted 2 findings')]);
    expect(JSON.parse(await readFile(join(cwd, '.msgsite-screens.json'), 'utf8'))).toEqual({
      rules: { 'advised-count': 'off' },
      baseline: [
        { file: 'a.json', rule: 'deprecated-property', at: '/layout' },
        { file: 'c.json', rule: 'idle-block' },
      ],
    });
    expect((await validate('a.json', '--max-warnings', '0')).exitCode).toBe(0);
    await put('a.json', warned.replace('"layout"', '"filterKeys": [], "layout"'));
    expect((await validate('a.json', '--max-warnings', '0')).exitCode).toBe(1);
    expect((await validate('b.json')).exitCode).toBe(1);
  });
});

describe('--watch', () => {
  it('repeats the check after a change and stops when interrupted', async () => {
    await put('a.json', good);
    const stop = new AbortController();
    const running = runCli(['validate-screen', 'a.json', '--watch'], { cwd, signal: stop.signal });
    const rounds = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 900));
    await rounds();
    await put('a.json', bad);
    await rounds();
    stop.abort();
    const { exitCode, stdout } = await running;
    expect(exitCode).toBe(130);
    expect(stdout).toMatch(/no findings in 1 file[\s\S]*1 error in 1 file/);
  });
});
