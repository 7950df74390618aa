import { chmod, lstat, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkScreen } from '../../src/screens/check/check-text.js';
import { fixText } from '../../src/screens/check/fix-file.js';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

let cwd: string;
beforeEach(async () => {
  cwd = await makeTempFolder();
});

const put = async (name: string, text: string): Promise<void> => {
  await mkdir(dirname(join(cwd, name)), { recursive: true });
  await writeFile(join(cwd, name), text);
};
const read = (name: string): Promise<string> => readFile(join(cwd, name), 'utf8');
const validate = (...words: readonly string[]) => runCli(['validate-screen', ...words], { cwd });
const pipe = (stdin: string, ...words: readonly string[]) =>
  runCli(['validate-screen', '-', ...words], { cwd, stdin });

const product = '"product": {"name": "A", "entity": "b"}';
const sound = `{${product}, "archetype": "queue"}`;
const old = `{${product}, "layout": "queue"}`;
const broken = `{${product}, "layout": "queue", "width": "wide"}`;

describe('--fix', () => {
  it('fixes files in place, counts the fixes and reports the remaining findings', async () => {
    await put('a.screen.json', old);
    await put('b.screen.json', broken);
    await put('c.screen.json', sound);
    const { exitCode, stdout, stderr } = await validate('--fix');
    expect(stderr).toBe('Fixed 2 findings in 2 files.\n');
    expect(stdout).toContain('b.screen.json:1:74 error one-of');
    expect(stdout).not.toContain('deprecated');
    expect(exitCode).toBe(1);
    expect(await read('a.screen.json')).toBe(old.replace('layout', 'archetype'));
    expect(await read('b.screen.json')).toBe(broken.replace('layout', 'archetype'));
  });

  it('preserves whitespace, numbers, order, line endings and a byte order mark', async () => {
    const text = `\ufeff{\r\n\t"kpsi" : [ {"value":"1","label":"\\u0410","n":1.0,"m":1e3} ],\r\n\t\t${product},\r\n\r\n "filterKeys":[\r\n"a"],"nav":[{"label":"x","count":4},{"count":4 , "label":"y"}]}\r\n`;
    await put('a.json', text);
    await validate('a.json', '--fix');
    expect(await read('a.json')).toBe(
      text
        .replace('kpsi', 'kpis')
        .replace(',\r\n\r\n "filterKeys":[\r\n"a"]', '')
        .replace(',"count":4}', '}')
        .replace('"count":4 , ', ''),
    );
  });

  it('repeats until no further fixes are possible', async () => {
    await put('a.json', `{${product}, "layuot": "Cockpit"}`);
    const { stderr } = await validate('a.json', '--fix');
    expect(await read('a.json')).toBe(`{${product}, "archetype": "cockpit"}`);
    expect(stderr).toContain('Fixed 3 findings in 1 file.');
  });

  it('does not change valid files, accepted findings or duplicate keys', async () => {
    await put('a.json', sound);
    await put('b.json', old);
    await put('c.json', `{${product}, "layout": "queue", "nav": [], "nav": []}`);
    const before = (await stat(join(cwd, 'a.json'))).mtimeMs;
    const ignore = [{ rule: 'deprecated-property', file: 'b.json' }];
    await put('.msgsite-screens.json', JSON.stringify({ ignore }));
    const { stderr, exitCode } = await validate('a.json', 'b.json', 'c.json', '--fix');
    expect([stderr, exitCode]).toEqual(['No findings can be fixed with --fix.\n', 1]);
    expect((await stat(join(cwd, 'a.json'))).mtimeMs).toBe(before);
    expect(await read('b.json')).toBe(old);
  });

  it('preserves a symbolic link and the mode of a file', async () => {
    await put('real/a.json', old);
    await chmod(join(cwd, 'real/a.json'), 0o640);
    await symlink('real/a.json', join(cwd, 'link.json'));
    await validate('link.json', '--fix');
    expect((await lstat(join(cwd, 'link.json'))).isSymbolicLink()).toBe(true);
    expect(await read('real/a.json')).toContain('archetype');
    expect((await stat(join(cwd, 'real/a.json'))).mode & 0o777).toBe(0o640);
  });

  it('reports a read-only file and fixes the other files', async () => {
    await put('a.json', old);
    await put('b.json', old);
    await chmod(join(cwd, 'a.json'), 0o444);
    const { exitCode, stderr, stdout } = await validate('a.json', 'b.json', '--fix');
    expect(stderr).toMatch(
      /a\.json cannot be fixed: it is not writable\.[\s\S]*Fixed 1 finding in 1/,
    );
    expect(exitCode).toBe(2);
    expect(stdout).toContain('a.json:1:43 warning deprecated-property');
    expect([await read('a.json'), await read('b.json')]).toEqual([
      old,
      old.replace('layout', 'archetype'),
    ]);
  });

  it('reports fixed and fixable findings in JSON', async () => {
    await put('a.json', old);
    const one = JSON.parse((await validate('a.json', '--json')).stdout);
    expect(one.files[0].warnings[0]).toMatchObject({ rule: 'deprecated-property', fixable: true });
    const { files } = JSON.parse((await validate('a.json', '--json', '--fix')).stdout);
    expect(files[0]).toMatchObject({ fixed: 1, warnings: [] });
  });

  it.each([['--watch'], ['--write-baseline'], ['--prune-baseline']])(
    'cannot be combined with %s',
    async (flag) => {
      await put('a.json', old);
      expect((await validate('a.json', '--fix', flag)).exitCode).toBe(2);
      expect(await read('a.json')).toBe(old);
    },
  );
});

describe('--fix-dry-run', () => {
  it('prints a diff and changes nothing', async () => {
    await put('a.json', `{\n  ${product},\n  "layout": "queue"\n}\n`);
    const { exitCode, stdout, stderr } = await validate('a.json', '--fix-dry-run');
    expect(stdout).toBe(
      `--- a/a.json\n+++ b/a.json\n@@ -1,4 +1,4 @@\n {\n   ${product},\n-  "layout": "queue"\n+  "archetype": "queue"\n }\n`,
    );
    expect(stderr).toContain('--fix would fix 1 finding in 1 file.');
    expect(exitCode).toBe(0);
    expect(await read('a.json')).toContain('layout');
  });

  it('prints no terminal or CI commands', async () => {
    await put('a.json', old.replace('"A"', '"\u202e::error::x"'));
    const { stdout } = await validate('a.json', '--fix-dry-run');
    expect(stdout).not.toMatch(/\u202e|::error::/);
  });
});

describe('standard input with --fix', () => {
  it('is printed to stdout after the fixes, with the findings on stderr', async () => {
    const { exitCode, stdout, stderr } = await pipe(broken, '--fix');
    expect(stdout).toBe(broken.replace('layout', 'archetype'));
    expect(stderr).toContain('error one-of');
    expect(exitCode).toBe(1);
  });

  it.each([sound, '{', '\ufeff{}'])(
    'is printed unchanged if nothing can be fixed: %j',
    async (text) => {
      expect((await pipe(text, '--fix')).stdout).toBe(text);
    },
  );

  it('rejects a report on stdout', async () => {
    expect((await pipe(old, '--fix', '--json')).exitCode).toBe(2);
    const written = await pipe(old, '--fix', '--format', 'json=out.json');
    expect(written.stdout).toBe(old.replace('layout', 'archetype'));
    expect(JSON.parse(await read('out.json')).files[0].fixed).toBe(1);
  });

  it('is printed as a diff with --fix-dry-run', async () => {
    expect((await pipe(old, '--fix-dry-run')).stdout).toContain('+{"product"');
  });
});

describe('an edit that makes the text worse', () => {
  it('is skipped, and the other edits are applied', async () => {
    const long = 'x'.repeat(100);
    const kpis = `"kpis": [{"value": "1", "label": "a", "hnit": "${long}"}]`;
    const text = `{${product}, "layout": "queue", ${kpis}, "filterKeys": []}`;
    const { text: after, fixed } = await fixText(text, async (each) => checkScreen(each, {}));
    expect(after).toBe(`{${product}, "archetype": "queue", ${kpis}}`);
    expect(fixed).toBe(2);
  });
});
