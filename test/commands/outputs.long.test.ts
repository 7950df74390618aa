import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeOutputFile } from '../../src/base/files/output-file.js';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

const program = fileURLToPath(new URL('../../bin/msgsite.js', import.meta.url));
const sample = fileURLToPath(
  new URL('../screens/valid/analytics/automation-effect-en.screen.json', import.meta.url),
);
const render = `exec "$0" "$1" render-screen "$2"`;

/** Runs a shell script. $0 is Node.js, $1 is the program, and $2 is a screen. */
function sh(script: string, cwd: string) {
  const argv = ['-c', script, process.execPath, program, sample];
  return spawnSync('sh', argv, { cwd, encoding: 'utf8', maxBuffer: 10 ** 8 });
}

let page: string;
beforeAll(async () => {
  page = (await runCli(['render-screen', sample])).stdout;
});

it.each([
  ['render-screen', sample],
  ['data', 'export', '--data', '.'],
  ['site', 'export', '--data', '.'],
])('`-o -` of %s %s writes to standard output', async (...words) => {
  const cwd = await makeTempFolder();
  await writeFile(join(cwd, 'products.csv'), 'name\nBread\n');
  await runCli(['site', 'import', 'products.csv', '--data', '.'], { cwd });
  const unnamed = await runCli(words, { cwd });
  const named = await runCli([...words, '-o', '-'], { cwd });
  // The first line of an export contains its time.
  const behindFirstLine = (text: string) => text.slice(text.indexOf('\n'));
  expect(unnamed.stdout).not.toBe('');
  expect(behindFirstLine(named.stdout)).toBe(behindFirstLine(unnamed.stdout));
  expect(await readdir(cwd)).not.toContain('-');
});

describe('-o with the name of an open file', () => {
  it('/dev/stdout writes to standard output', async () => {
    const cwd = await makeTempFolder();
    await writeFile(join(cwd, 'appended'), 'before\n');
    expect(sh(`${render} -o /dev/stdout`, cwd).stdout).toBe(page);
    expect(sh(`${render} -o /dev/stdout | cat`, cwd).stdout).toBe(page);
    sh(`${render} -o /dev/stdout > made; `, cwd);
    sh(`${render} -o /dev/stdout >> appended`, cwd);
    expect(await readFile(join(cwd, 'made'), 'utf8')).toBe(page);
    expect(await readFile(join(cwd, 'appended'), 'utf8')).toBe(`before\n${page}`);
  });

  // With these names, a pipe also receives the page, and the content of a file is kept.
  it.each(['/dev/fd/1', '/proc/self/fd/1'])('%s writes to standard output', async (name) => {
    const cwd = await makeTempFolder();
    await writeFile(join(cwd, 'appended'), 'before\n');
    expect(sh(`${render} -o ${name} | cat`, cwd).stdout).toBe(page);
    sh(`${render} -o ${name} >> appended`, cwd);
    expect(await readFile(join(cwd, 'appended'), 'utf8')).toBe(`before\n${page}`);
  });

  it('/dev/stderr writes to standard error, and /dev/fd/3 to the file that the shell has opened', async () => {
    const cwd = await makeTempFolder();
    expect(sh(`${render} -o /dev/stderr`, cwd).stderr).toBe(page);
    sh(`${render} -o /dev/fd/3 3> third`, cwd);
    expect(await readFile(join(cwd, 'third'), 'utf8')).toBe(page);
  });

  it('/dev/stdout writes to a socket, which cannot be opened by name', async () => {
    // Node.js uses sockets as the pipes of its children.
    const child = spawn(process.execPath, [program, 'render-screen', sample, '-o', '/dev/stdout'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    expect(await text(child.stdout)).toBe(page);
  });
});

describe('-o with a special file', () => {
  it.runIf(process.getuid?.() === 0)('does not replace a device', async () => {
    // Copies of devices are used, so that the machine's devices are not at risk.
    const cwd = await makeTempFolder();
    // Containers may not be allowed to create or use devices.
    const made = 'mknod "$0/null" c 1 3 && : > "$0/null"';
    if (spawnSync('sh', ['-c', made, cwd]).status !== 0) return;
    await mkdir(join(cwd, 'data'));
    const signIn = ['--phone', '87011234567', '--otp', '123456', '--session', 'null'];
    for (const words of [
      ['pay', 'login', ...signIn, '--data', 'data'],
      ['render-screen', sample, '-o', 'null'],
      ['data', 'export', '--data', 'data', '-o', 'null'],
      ['validate-screen', sample, '--format', 'json=null'],
    ]) {
      const { exitCode, stderr } = await runCli(words, { cwd, env: { HOME: cwd } });
      expect([exitCode, words[0]], stderr).toEqual([0, words[0]]);
      expect((await lstat(join(cwd, 'null'))).isCharacterDevice(), words.join(' ')).toBe(true);
    }
  });

  it('does not replace a named pipe, whose reader receives the page', async () => {
    const cwd = await makeTempFolder();
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const reader = spawn('cat', [join(cwd, 'pipe')], { stdio: ['ignore', 'pipe', 'inherit'] });
    const read = text(reader.stdout);
    const { exitCode } = await runCli(['render-screen', sample, '-o', 'pipe'], { cwd });
    expect(exitCode).toBe(0);
    expect(await read).toBe(page);
    expect((await lstat(join(cwd, 'pipe'))).isFIFO()).toBe(true);
  });

  it('waits for the reader of a named pipe until the first signal', async () => {
    const path = join(await makeTempFolder(), 'pipe');
    execFileSync('mkfifo', [path]);
    const interruption = new AbortController();
    const writing = writeOutputFile(path, 'page', { signal: interruption.signal });
    interruption.abort('SIGTERM');
    await expect(writing).rejects.toMatchObject({ code: 'interrupted' });
  });
});

describe('files with secrets', () => {
  it('are readable only by their owner, whether new or replaced, and links to them remain links', async () => {
    const cwd = await makeTempFolder();
    const call = { cwd, env: { HOME: cwd } };
    const login = ['pay', 'login', '--phone', '87011234567', '--otp', '123456', '--session'];
    await writeFile(join(cwd, 'kept'), '', { mode: 0o644 });
    await symlink('kept', join(cwd, 'link'));
    expect((await runCli([...login, 'link'], call)).exitCode).toBe(0);
    expect((await stat(join(cwd, 'kept'))).mode & 0o777).toBe(0o600);
    expect((await runCli(['pay', 'status', '--session', 'link'], call)).exitCode).toBe(0);
    expect((await runCli(['pay', 'logout', '--session', 'link'], call)).exitCode).toBe(0);
    await expect(stat(join(cwd, 'kept'))).rejects.toThrow('ENOENT');
    expect((await lstat(join(cwd, 'link'))).isSymbolicLink()).toBe(true);
    expect((await runCli(['data', 'export', '-o', 'out'], call)).exitCode).toBe(0);
    expect((await stat(join(cwd, 'out'))).mode & 0o777).toBe(0o600);
  });
});

it('pay login requests no code if the session file cannot be written', async () => {
  const cwd = await makeTempFolder();
  const words = 'pay login --phone 87011234567 --otp 123456 --session'.split(' ');
  const { exitCode, stderr } = await runCli([...words, '.'], { cwd, env: { HOME: cwd } });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('It is a folder')]);
  const sent = await readdir(join(cwd, 'data', 'sandbox'), { recursive: true }).catch(() => []);
  expect(sent.filter((name) => name.endsWith('.json'))).toEqual([]);
});

it('a full disk is reported as storage_unavailable, not as a usage error', async () => {
  if (process.platform !== 'linux') return;
  const cwd = await makeTempFolder();
  await symlink('/dev/full', join(cwd, 'full'));
  await expect(writeOutputFile(join(cwd, 'full'), 'page')).rejects.toMatchObject({
    code: 'storage_unavailable',
    hint: expect.stringContaining('Free space'),
  });
});

it('-o keeps the mode of an existing file regardless of the umask', async () => {
  const cwd = await makeTempFolder();
  await writeFile(join(cwd, 'page.html'), '');
  const script = `chmod 666 page.html; umask 077; ${render} -o page.html`;
  const done = spawn('sh', ['-c', script, process.execPath, program, sample], { cwd });
  await once(done, 'close');
  expect((await stat(join(cwd, 'page.html'))).mode & 0o777).toBe(0o666);
});
