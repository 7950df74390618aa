import { execFileSync, spawnSync } from 'node:child_process';
import { constants } from 'node:fs';
import {
  access,
  chmod,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeTempFolder } from '../helpers/temp-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bundle = 'action/validate-screen.cjs';

const good = '{"product": {"name": "Contracts", "entity": "contract"}}';
const warned = '{"product": {"name": "Contracts", "entity": "contract"}, "layout": "queue"}';
const bad = '{"product": {"name": "Contracts"}}';

/** The repository as checked out on a CI host, without installed packages and without a build. */
let repository: string;
beforeAll(async () => {
  repository = await mkdtemp(join(tmpdir(), 'msgsite-'));
  const omitted = /^(node_modules|dist|\.git|data|bench|test|docs.images)$/;
  const filter = (path: string) => !omitted.test(relative(root, path));
  await cp(root, repository, { recursive: true, filter });
});
afterAll(() => rm(repository, { recursive: true, force: true }));

let project: string;
beforeEach(async () => {
  project = await makeTempFolder();
  await mkdir(join(project, 'my screens'));
});
const put = (name: string, content: string): Promise<void> =>
  writeFile(join(project, name), content);
const text = (file: string): Promise<string> => readFile(join(repository, file), 'utf8');

/** Returns the PATH of a CI runner: Node.js, and package managers that fail if they are used. */
async function runner(): Promise<string> {
  const programs = await makeTempFolder();
  await symlink(process.execPath, join(programs, 'node'));
  for (const name of ['npm', 'npx', 'yarn', 'pnpm']) {
    await writeFile(join(programs, name), '#!/bin/sh\necho "nothing may be installed"\nexit 99\n');
    await chmod(join(programs, name), 0o755);
  }
  return [programs, '/usr/bin', '/bin'].join(delimiter);
}

/** Returns the indented block below the first line that ends with `start`, without its indent. */
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

it('the committed bundle of the action matches a fresh build', async () => {
  const [committed, built] = await Promise.all([
    readFile(join(root, bundle), 'utf8'),
    readFile(join(root, 'dist/validate-screen.cjs'), 'utf8'),
  ]);
  const isCurrent = committed === built;
  expect(isCurrent, `${bundle} is out of date: run "npm run build:action" and commit it`).toBe(
    true,
  );
  expect(committed).not.toContain(root);
  await expect(access(join(root, bundle), constants.X_OK)).resolves.toBeUndefined();
});

describe('GitHub action', () => {
  /** Runs the step as GitHub does, as a script file that is passed to bash with these flags. */
  async function act(inputs: Readonly<Record<string, string>>) {
    const action = await text('action.yml');
    expect(action.match(/^ +run: /gm), 'one step').toHaveLength(1);
    const script = join(await makeTempFolder(), 'step.sh');
    await writeFile(script, blockBelow(action, 'run: |'));
    const summary = join(await makeTempFolder(), 'summary.md');
    await writeFile(summary, '');
    const usual = { FILES: '.', MAX_WARNINGS: '', QUIET: 'false', WARNINGS: 'true' };
    const env = { ...usual, CONFIG: '', SARIF: '', ...inputs };
    const run = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      cwd: project,
      encoding: 'utf8',
      env: {
        PATH: await runner(),
        GITHUB_ACTIONS: 'true',
        GITHUB_ACTION_PATH: repository,
        GITHUB_STEP_SUMMARY: summary,
        ...env,
      },
    });
    return { ...run, summary: await readFile(summary, 'utf8') };
  }

  it('annotates the error, writes the summary and fails if a definition is invalid', async () => {
    await put('my screens/a.screen.json', bad);
    const { status, stdout, summary } = await act({});
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /^::error file=my screens\/a\.screen\.json,line=1,.*requires the property/m,
    );
    expect(summary).toContain('❌ 1 error in 1 file');
  });

  it('reads one file, folder or glob per line, including names with spaces or a leading dash', async () => {
    await put('my screens/a.screen.json', good);
    await put('b.json', good);
    await put('--quiet', good);
    const { status, stdout } = await act({ FILES: 'my screens\n\nb*.json\n  \n--quiet\n' });
    expect([status, stdout]).toEqual([0, 'validate-screen: no findings in 3 files.\n']);
  });

  it('checks enough files to start worker threads', async () => {
    const names = Array.from({ length: 400 }, (_, index) => `my screens/${index}.screen.json`);
    await Promise.all(names.map((name) => put(name, good)));
    const { status, stdout } = await act({});
    expect([status, stdout]).toEqual([0, 'validate-screen: no findings in 400 files.\n']);
  });

  it('applies the other inputs without running any of them as shell code', async () => {
    await put(
      'a.screen.json',
      JSON.stringify({ ...JSON.parse(warned), nav: [{ label: 'Queue' }] }),
    );
    await put('other.json', '{"rules": {"deprecated-property": "error"}}');
    expect((await act({})).status).toBe(0);
    expect((await act({ MAX_WARNINGS: '0' })).status).toBe(1);
    expect((await act({ CONFIG: 'other.json' })).status).toBe(1);
    expect((await act({})).stdout).toMatch(/^::notice /m);
    const quiet = (await act({ QUIET: 'true' })).stdout;
    expect(quiet).toMatch(/^::warning /m);
    expect(quiet).not.toContain('::notice');
    expect((await act({ WARNINGS: 'false' })).stdout).not.toMatch(/::(?:warning|notice)/);
    const inputs = ['FILES', 'MAX_WARNINGS', 'QUIET', 'WARNINGS', 'CONFIG', 'SARIF'];
    const orders = (name: string) => `$(touch ${name}); \`touch ${name}\`; "; touch ${name}; "`;
    await act(Object.fromEntries(inputs.map((name) => [name, orders(`owned-${name}`)])));
    expect((await readdir(project)).filter((name) => name.includes('owned'))).toEqual([]);
    await act({ SARIF: 'out/a b.sarif' });
    expect(JSON.parse(await readFile(join(project, 'out/a b.sarif'), 'utf8')).version).toBe(
      '2.1.0',
    );
  });

  it('writes no workflow command that is part of a file name or an input', async () => {
    const names = [
      'a\n::error::owned',
      ' ::stop-commands::x',
      '--quiet',
      '-rf',
      '%0A::error::owned',
    ];
    for (const name of names) await put(`${name}.screen.json`, bad);
    const calls = [
      {},
      { FILES: names.map((name) => `${name}.screen.json`).join('\n') },
      { MAX_WARNINGS: 'x\n::error::owned' },
      { CONFIG: 'x\n::error::owned' },
      { SARIF: 'x\n::error::owned' },
      { FILES: '-' },
    ];
    for (const call of calls) {
      const { status, stdout, stderr } = await act(call);
      expect(status).not.toBe(0);
      const commands = `${stdout}${stderr}`.split('\n').filter((line) => /^\s*::/.test(line));
      const ours = /^::(error|warning|notice) file=[^:]*,line=\d+,endLine=\d+,col=\d+,[^:]*::/;
      expect(commands.filter((line) => !ours.test(line))).toEqual([]);
    }
  });

  it('suggests setup-node if there is no suitable Node.js', async () => {
    const action = await text('action.yml');
    await put('step.sh', blockBelow(action, 'run: |'));
    await put('node', '#!/bin/sh\nexit 1\n');
    await chmod(join(project, 'node'), 0o755);
    const env = { PATH: [project, '/usr/bin', '/bin'].join(delimiter) };
    const { status, stdout } = spawnSync('bash', ['step.sh'], { cwd: project, env });
    expect([status, stdout.toString()]).toEqual([
      2,
      expect.stringMatching(/^::error::.*Node\.js 20\.19 or newer.*setup-node/),
    ]);
  });
});

it('the documented GitLab job reports warnings and passes valid screens without an installation', async () => {
  const page = await text('docs/screens/validate-screen.md');
  const lines = blockBelow(page, '  script:')
    .split('\n')
    .flatMap((line) => line.match(/^- (.*)$/)?.[1] ?? []);
  // Git redirects the address on the page to this repository, which is tagged like a release.
  const git = (...words: string[]) => execFileSync('git', words, { cwd: repository });
  git('init', '--quiet');
  git('add', 'action');
  git('-c', 'user.name=a', '-c', 'user.email=a@example', 'commit', '--quiet', '-m', 'Release');
  git('tag', 'VERSION');
  const env = {
    PATH: await runner(),
    HOME: project,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.file://${repository}.insteadOf`,
    GIT_CONFIG_VALUE_0: 'https://github.com/OWNER/msgsite.git',
  };
  const run = () =>
    spawnSync('sh', ['-ec', lines.join('\n')], { cwd: project, env, encoding: 'utf8' });
  await mkdir(join(project, 'screens'));
  await put('screens/a.screen.json', warned);
  expect(run()).toMatchObject({ status: 1 });
  expect(await readFile(join(project, 'screens.xml'), 'utf8')).toContain('deprecated-property');
  await put('screens/a.screen.json', good);
  await rm(join(project, '.msgsite'), { recursive: true }); // GitLab cleans up for every job.
  expect(run()).toMatchObject({ status: 0 });
});

it('the pre-commit hook checks only definitions, and runs from a clone that was not built', async () => {
  const hook = await text('.pre-commit-hooks.yaml');
  const value = (key: string) => new RegExp(`^ {2}${key}: (.*)$`, 'm').exec(hook)?.[1] ?? '';
  const files = new RegExp(value('files'));
  expect(['a/b.screen.json', 'a/package.json'].map((file) => files.test(file))).toEqual([
    true,
    false,
  ]);
  expect([value('language'), value('args')]).toEqual(['script', '[--]']);
  // For this language, pre-commit runs the entry of its clone with the arguments and then the files.
  const env = { PATH: await runner() };
  const check = (...words: string[]) =>
    spawnSync(join(repository, value('entry')), words, { cwd: project, encoding: 'utf8', env });
  await put('a.screen.json', bad);
  await put('--json.screen.json', warned);
  expect(check('--', 'a.screen.json')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('a.screen.json:1:13 error'),
  });
  expect(check('--', '--json.screen.json').status).toBe(0);
  const page = await text('docs/screens/validate-screen.md');
  const advised = /`args: \[(.*?)\]`/.exec(page)?.[1]?.split(', ') ?? [];
  expect(check(...advised, '--json.screen.json').status).toBe(1);
});

it('npm pack prints only the file name of the package', async () => {
  const prepare = 'node -e "console.log(1)"';
  await put('package.json', JSON.stringify({ name: 'a', version: '1.0.0', scripts: { prepare } }));
  await copyFile(join(root, '.npmrc'), join(project, '.npmrc'));
  const printed = execFileSync('npm', ['pack'], { cwd: project, encoding: 'utf8', stdio: 'pipe' });
  expect(printed).toBe('a-1.0.0.tgz\n');
});
