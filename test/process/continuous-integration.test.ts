import { execFileSync, spawnSync } from 'node:child_process';
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeTempFolder } from '../helpers/temp-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const text = (file: string): Promise<string> => readFile(join(root, file), 'utf8');

const good = '{"product": {"name": "Contracts", "entity": "contract"}}';
const warned = '{"product": {"name": "Contracts", "entity": "contract"}, "layout": "queue"}';
const bad = '{"product": {"name": "Contracts"}}';

let project: string;
beforeEach(async () => {
  project = await makeTempFolder();
  await mkdir(join(project, 'my screens'));
});
const put = (name: string, content: string): Promise<void> =>
  writeFile(join(project, name), content);

/** The lines below the first one that ends so, as long as they are indented deeper, less that indent. */
function blockBelow(source: string, start: string): string {
  const lines = source.split('\n');
  const first = lines.findIndex((line) => line.endsWith(start));
  const rest = lines.slice(first + 1);
  const indent = rest[0]?.search(/\S/) ?? 0;
  const end = rest.findIndex((line) => line.trim() !== '' && line.search(/\S/) < indent);
  return rest
    .slice(0, end < 0 ? undefined : end)
    .map((line) => line.slice(indent))
    .join('\n');
}

describe('the GitHub action', () => {
  /** Runs the step as GitHub does: a script file, given to bash with these flags. */
  async function act(inputs: Readonly<Record<string, string>>) {
    const script = join(project, 'step.sh');
    const action = await text('action.yml');
    await writeFile(script, blockBelow(action.slice(action.indexOf('name: Validate')), 'run: |'));
    const summary = join(project, 'summary.md');
    await writeFile(summary, '');
    const { PATH = '' } = process.env;
    const env = { FILES: '.', MAX_WARNINGS: '', QUIET: 'false', CONFIG: '', SARIF: '', ...inputs };
    const run = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      cwd: project,
      encoding: 'utf8',
      env: {
        PATH,
        GITHUB_ACTIONS: 'true',
        GITHUB_STEP_SUMMARY: summary,
        MSGSITE: join(root, 'bin/msgsite.js'),
        ...env,
      },
    });
    return { ...run, summary: await readFile(summary, 'utf8') };
  }

  it('annotates, writes the summary and fails where a definition is broken', async () => {
    await put('my screens/a.screen.json', bad);
    const { status, stdout, summary } = await act({});
    expect(status).toBe(1);
    expect(stdout).toMatch(/^::error file=my screens\/a\.screen\.json,line=1,.*needs a property/m);
    expect(summary).toContain('❌ 1 error in 1 file');
  });

  it('takes one file, folder or glob a line, with spaces, and words that look like flags', async () => {
    await put('my screens/a.screen.json', good);
    await put('b.json', good);
    await put('--quiet', good);
    const { status, stdout } = await act({ FILES: 'my screens\n\nb*.json\n  \n--quiet\n' });
    expect([status, stdout]).toEqual([0, 'validate-screen: nothing to report in 3 files.\n']);
  });

  it('hands the other inputs on, and nothing of them to the shell', async () => {
    await put('a.screen.json', warned);
    await put('other.json', '{"rules": {"deprecated-property": "error"}}');
    expect((await act({})).status).toBe(0);
    expect((await act({ MAX_WARNINGS: '0' })).status).toBe(1);
    expect((await act({ CONFIG: 'other.json' })).status).toBe(1);
    expect((await act({ QUIET: 'true' })).stdout).not.toContain('::warning');
    expect((await act({ FILES: '$(touch owned); `touch owned`' })).status).toBe(2);
    await expect(readFile(join(project, 'owned'))).rejects.toThrow('ENOENT');
    await act({ SARIF: 'out/a b.sarif' });
    expect(JSON.parse(await readFile(join(project, 'out/a b.sarif'), 'utf8')).version).toBe(
      '2.1.0',
    );
  });
});

it('the GitLab job does what its page says', async () => {
  const page = await text('docs/validate-screen.md');
  const job = blockBelow(page, '  script:');
  const line = /^- (npx .*)$/m.exec(job)?.[1] ?? '';
  await mkdir(join(project, 'node_modules/.bin'), { recursive: true });
  await symlink(join(root, 'bin/msgsite.js'), join(project, 'node_modules/.bin/msgsite'));
  await mkdir(join(project, 'screens'));
  await put('screens/a.screen.json', warned);
  const run = (): number | null => spawnSync('sh', ['-ec', line], { cwd: project }).status;
  expect(run()).toBe(1);
  expect(await readFile(join(project, 'screens.xml'), 'utf8')).toContain('deprecated-property');
  await put('screens/a.screen.json', good);
  expect(run()).toBe(0);
});

describe('the pre-commit hook', () => {
  it('is about definitions only, and calls the program by a name that the package has', async () => {
    const hook = await text('.pre-commit-hooks.yaml');
    const files = new RegExp(/^ {2}files: (.*)$/m.exec(hook)?.[1] ?? '');
    expect(['a/b.screen.json', 'a/package.json'].map((file) => files.test(file))).toEqual([
      true,
      false,
    ]);
    const [program = '', ...words] = /^ {2}entry: (.*)$/m.exec(hook)?.[1]?.split(' ') ?? [];
    const { bin } = JSON.parse(await text('package.json'));
    await put('a.screen.json', bad);
    const run = spawnSync(process.execPath, [join(root, bin[program]), ...words, 'a.screen.json'], {
      cwd: project,
      encoding: 'utf8',
    });
    expect([run.status, run.stdout]).toEqual([
      1,
      expect.stringContaining('a.screen.json:1:13 error'),
    ]);
  });

  it('can be installed: npm pack prints the name of the package alone', async () => {
    const prepare = 'node -e "console.log(1)"';
    await put(
      'package.json',
      JSON.stringify({ name: 'a', version: '1.0.0', scripts: { prepare } }),
    );
    await copyFile(join(root, '.npmrc'), join(project, '.npmrc'));
    const printed = execFileSync('npm', ['pack'], {
      cwd: project,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    expect(printed).toBe('a-1.0.0.tgz\n');
  });
});
