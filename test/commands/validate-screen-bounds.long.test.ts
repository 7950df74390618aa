import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { startMsgsite } from '../helpers/msgsite-process.js';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

const good = '{"product": {"name": "Contracts", "entity": "contract"}}';
const secret = 'password = "hunter2"';

let cwd: string;
beforeEach(async () => {
  cwd = await makeTempFolder();
});

const validate = (...words: readonly string[]) => runCli(['validate-screen', ...words], { cwd });
const json = async (...words: readonly string[]) =>
  JSON.parse((await validate(...words, '--json')).stdout);
const manyFindings = (count: number): string => {
  const nav = Array.from({ length: count }, () => ({ label: 'a', count: 1 }));
  return JSON.stringify({ product: { name: 'x'.repeat(50), entity: 'y' }, nav });
};

describe('symbolic links', () => {
  it('are followed to a regular file if they are specified by name', async () => {
    await writeFile(join(cwd, 'target'), good);
    await symlink('target', join(cwd, 'a.screen.json'));
    await symlink('/dev/zero', join(cwd, 'zero.screen.json'));
    const { exitCode } = await validate('a.screen.json');
    expect(exitCode).toBe(0);
    const { files } = await json('zero.screen.json');
    expect(files[0].errors[0]).toMatchObject({ rule: 'unreadable' });
    expect(files[0].errors[0].message).toContain('it is a device, not a file');
  });

  it('are counted but not followed if a folder or glob contains them', async () => {
    await mkdir(join(cwd, 's'));
    await mkdir(join(cwd, 'elsewhere'));
    await writeFile(join(cwd, 'elsewhere/x.screen.json'), secret);
    await writeFile(join(cwd, 's/good.screen.json'), good);
    await symlink('../elsewhere/x.screen.json', join(cwd, 's/link.screen.json'));
    await symlink('/dev/zero', join(cwd, 's/zero.screen.json'));
    await symlink('../elsewhere', join(cwd, 's/folder'));
    for (const word of ['s', 's/**/*.json']) {
      const { exitCode, stdout, stderr } = await validate(word);
      expect(exitCode).toBe(0);
      expect(stdout).not.toContain('hunter2');
      expect(stderr).toContain('2 symbolic links to definitions were skipped');
    }
    await mkdir(join(cwd, 'only'));
    await symlink('../elsewhere/x.screen.json', join(cwd, 'only/link.screen.json'));
    expect((await validate('only')).exitCode).toBe(2);
  });
});

describe('input sizes', () => {
  it('are limited for files and standard input, and --max-size changes the limit', async () => {
    await writeFile(join(cwd, 'a.json'), good.padEnd(5_000));
    expect((await json('a.json', '--max-size', '4KB')).files[0].errors[0].message).toContain(
      'it is larger than 4096 bytes',
    );
    expect((await validate('a.json', '--max-size', '5000B')).exitCode).toBe(0);
    const words = ['validate-screen', '-', '--max-size', '4KB'];
    const { exitCode, stderr } = await runCli(words, { cwd, stdin: good.padEnd(5_000) });
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining('Standard input cannot be read'),
    ]);
    await writeFile(join(cwd, 'big.json'), good.padEnd(21 * 1024 * 1024));
    expect((await validate('big.json')).exitCode).toBe(2);
    expect((await validate('big.json', '--max-size', '50MB')).exitCode).toBe(0);
  });

  it.each(['0', '1GB', '501MB', 'x', '-1', '1e3'])('cannot be limited to %s', async (size) => {
    expect((await validate('--max-size', size)).exitCode).toBe(2);
  });

  it.each([
    ['a pattern with many wildcards', '*a*a*a*a*a*a*a*b\n', 'Line 1'],
    ['a pattern that is too long', `${'x'.repeat(300)}\n`, 'Line 1'],
    ['too many patterns', 'a\n'.repeat(2_000), 'more than 1000'],
    ['too many bytes', '# x\n'.repeat(50_000), 'larger than'],
  ])('are limited for the ignore file: %s', async (_what, ignored, words) => {
    await writeFile(join(cwd, 'a.screen.json'), good);
    await writeFile(join(cwd, '.msgsite-screensignore'), ignored);
    const { exitCode, stderr } = await validate('.');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
  });
});

describe('more than a thousand findings', () => {
  it('are counted in every format, and an additional result reports the number of omitted findings', async () => {
    await writeFile(join(cwd, 'a.json'), manyFindings(3_000));
    const formats = ['pretty', 'sarif', 'junit', 'github', 'markdown', 'json'];
    const targets = formats.flatMap((format) => ['--format', `${format}=out.${format}`]);
    const { exitCode } = await validate('a.json', ...targets);
    expect(exitCode).toBe(1);
    const read = (format: string): string => readFileSync(join(cwd, `out.${format}`), 'utf8');
    const { files, summary } = JSON.parse(read('json'));
    const [{ errors, warnings, infos, omitted }] = files;
    expect(errors).toHaveLength(1);
    expect(errors.length + warnings.length + infos.length).toBe(1_000);
    expect(omitted).toBe(summary.errors + summary.warnings + summary.infos - 1_000);
    expect(JSON.parse(read('sarif')).runs[0].results).toHaveLength(1_001);
    const said = `1000 findings are shown, and ${omitted} more are omitted`;
    for (const format of ['pretty', 'sarif', 'junit', 'github', 'markdown'])
      expect(read(format)).toContain(said);
    expect(read('markdown')).toContain(`… and ${999 - 200} more.`);
    expect(read('pretty').length).toBeLessThan(2_000_000);
  });

  it('are all counted by --max-warnings, and hidden and accepted findings do not count towards the limit', async () => {
    await writeFile(join(cwd, 'a.json'), manyFindings(3_000));
    expect((await validate('a.json', '--max-warnings', '2999')).stdout).toContain('3000 warnings');
    const { files } = await json('a.json', '--no-warnings');
    expect([files[0].errors.length, files[0].warnings, files[0].omitted]).toEqual([1, [], 0]);
    const ignore = [{ rule: 'deprecated-property' }, { rule: 'advised-count' }];
    await writeFile(join(cwd, '.msgsite-screens.json'), JSON.stringify({ ignore }));
    expect((await json('a.json')).files[0]).toMatchObject({ omitted: 0, warnings: [] });
  });

  it('can all be accepted by --write-baseline', async () => {
    await writeFile(join(cwd, 'a.json'), manyFindings(3_000));
    await validate('a.json', '--write-baseline');
    expect((await json('a.json')).summary).toMatchObject({ errors: 1, warnings: 0, infos: 0 });
  });
});

describe('a report that cannot be written', () => {
  it.each([1, 200])(
    'leaves exactly one document on standard output for %i files',
    async (count) => {
      const files = Array.from({ length: count }, (_, index) => `${index}.json`);
      for (const file of files) await writeFile(join(cwd, file), manyFindings(50));
      const words = [...files, '--json', '--format', 'sarif=/dev/full'];
      const { exitCode, stdout, stderr } = await validate(...words);
      expect(exitCode).not.toBe(0);
      expect(stderr).toContain('/dev/full');
      // stdout contains either the error or the beginning of the report.
      expect(stdout.match(/^\{/gm)).toHaveLength(1);
      if (count === 1) expect(JSON.parse(stdout)).toHaveProperty('error');
    },
  );
});

describe('a large file', () => {
  it('is checked in a separate process with the same result', async () => {
    const text = manyFindings(2_000);
    await writeFile(join(cwd, 'small.json'), text);
    await writeFile(join(cwd, 'large.json'), text.padEnd(1_000_000));
    const { files } = await json('small.json', 'large.json');
    expect({ ...files[1], file: '' }).toEqual({ ...files[0], file: '' });
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('stops at the first %s during the check', async (signal, code) => {
    // Checking this file takes far longer than the rest of the test.
    const nav = Array.from({ length: 3_000_000 }, () => '{}').join(',');
    await writeFile(join(cwd, 'a.json'), `{"nav":[${nav}]}`);
    const run = startMsgsite(
      ['validate-screen', 'a.json', '--format', 'json', '--format', 'pretty=started'],
      { cwd },
    );
    // Report files are created before the first check. They have a temporary name until they are complete.
    const begun = () => readdirSync(cwd).some((name) => name.startsWith('started'));
    await expect.poll(begun, { timeout: 30_000 }).toBe(true);
    expect(await run.end(signal)).toBe(code);
    expect(run.stdout()).not.toContain('"summary"');
    expect(readdirSync(cwd)).toEqual(['a.json']);
  });
});
