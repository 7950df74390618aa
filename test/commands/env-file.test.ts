import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

const writesProof = `import { writeFileSync } from 'node:fs';
writeFileSync(new URL('./proof', import.meta.url), '');
export default () => ({});
`;

async function prepare(envFile: string) {
  const cwd = await makeTempFolder();
  await writeFile(join(cwd, '.env'), envFile);
  await writeFile(join(cwd, 'x.mjs'), writesProof);
  const run = (words: string, env: Readonly<Record<string, string>> = {}) =>
    runCli(words.split(' '), { cwd, env: { HOME: cwd, ...env } });
  return { cwd, run, proof: join(cwd, 'proof') };
}

describe('a .env file', () => {
  it.each([
    'serve --port 0 --gateway-port 0',
    'sandbox --port 0',
    'pay login --phone 87011234567',
    'pay qr --amount 1500',
    'pay payments',
    'webhooks list',
    'data check',
  ])('cannot set the provider module of `%s`', async (words) => {
    const { cwd, run, proof } = await prepare('MSGSITE_PROVIDER=./x.mjs\n');
    const { exitCode, stderr } = await run(words);
    expect(exitCode, stderr).toBe(2);
    expect(stderr).toContain('MSGSITE_PROVIDER');
    expect(stderr).toContain(join(cwd, '.env'));
    expect(existsSync(proof)).toBe(false);
    expect(existsSync(join(cwd, 'data'))).toBe(false);
  });

  it('does not override a provider module from a flag or the environment', async () => {
    const { run, proof } = await prepare('MSGSITE_PROVIDER=./other.mjs\n');
    expect((await run('pay status --provider ./x.mjs')).stderr).toContain('is incomplete');
    expect(existsSync(proof)).toBe(true);
    const real = await prepare('MSGSITE_PROVIDER=./other.mjs\n');
    await real.run('pay status', { MSGSITE_PROVIDER: './x.mjs' });
    expect(existsSync(real.proof)).toBe(true);
  });

  it('may set the provider to the sandbox or an address', async () => {
    for (const provider of ['sandbox', 'http://127.0.0.1:9']) {
      const { run } = await prepare(`MSGSITE_PROVIDER=${provider}\n`);
      expect((await run('pay payments')).exitCode).toBe(0);
    }
  });

  it('is read correctly if it begins with a byte order mark', async () => {
    const { run, proof } = await prepare('\ufeffMSGSITE_PROVIDER=./x.mjs\n');
    const { exitCode, stderr } = await run('pay payments');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('MSGSITE_PROVIDER')]);
    expect(existsSync(proof)).toBe(false);
  });

  it('is rejected if it is not UTF-8', async () => {
    const { cwd, run } = await prepare('');
    await writeFile(
      join(cwd, '.env'),
      Buffer.from('MSGSITE_ADMIN_TOKEN=x\n', 'utf16le').fill(0xff, 0, 1),
    );
    const { exitCode, stderr } = await run('pay payments');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('is not UTF-8')]);
  });

  it('cannot change where the user’s sessions are stored', async () => {
    const { cwd, run } = await prepare('XDG_CONFIG_HOME=./foreign\nHOME=./foreign\n');
    expect((await run('pay login --phone 87011234567 --otp 123456')).exitCode).toBe(0);
    expect(existsSync(join(cwd, '.config/msgsite/session.json'))).toBe(true);
    expect(existsSync(join(cwd, 'foreign'))).toBe(false);
  });

  it.each<[string, (file: string) => unknown, string]>([
    ['a pipe', (file) => execFileSync('mkfifo', [file]), 'it is a named pipe'],
    ['a link to a device', (file) => symlink('/dev/zero', file), 'it is a device'],
    ['a folder', (file) => mkdir(file), 'it is a folder'],
    [
      'larger than the limit',
      (file) => writeFile(file, '').then(() => truncate(file, 2 ** 31)),
      'it is larger',
    ],
  ])('is rejected if it is %s', async (_, make, reason) => {
    const cwd = await makeTempFolder();
    await make(join(cwd, '.env'));
    const { exitCode, stderr } = await runCli(['completion', 'bash'], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`${join(cwd, '.env')} cannot be read: ${reason}`);
  });
});

it.each<[string, (file: string) => unknown]>([
  ['a pipe', (file) => execFileSync('mkfifo', [file])],
  ['a device', (file) => symlink('/dev/zero', file)],
  ['larger than the limit', (file) => writeFile(file, '').then(() => truncate(file, 2 ** 31))],
])('a file in a setting or flag is rejected if it is %s', async (kind, make) => {
  const cwd = await makeTempFolder();
  const file = join(cwd, 'file');
  await make(file);
  const env = { HOME: cwd };
  const calls: [string, Record<string, string>][] = [
    ['pay status', { MSGSITE_WEBHOOKS: file }],
    ['pay payments', { MSGSITE_JWT_SECRET_FILE: file }],
    [`pay status --session ${file}`, {}],
    [`webhooks verify --signature x --secret-file ${file}`, {}],
    [`webhooks verify --signature x --secret y --body ${file}`, {}],
    [`webhooks replay --from ${file}`, {}],
    ...(kind === 'larger than the limit'
      ? []
      : [[`data import ${file}`, {}] as [string, Record<string, string>]]),
  ];
  for (const [words, more] of calls) {
    const { exitCode, stderr } = await runCli(words.split(' '), { cwd, env: { ...env, ...more } });
    expect([exitCode, stderr], words).toEqual([2, expect.stringContaining('cannot be read')]);
  }
});

it('--max-size changes the size limit', async () => {
  const cwd = await makeTempFolder();
  await writeFile(join(cwd, 'body'), 'x'.repeat(2_000));
  const verify = (size: string) =>
    runCli(`webhooks verify --body body --signature x --secret y --max-size ${size}`.split(' '), {
      cwd,
    });
  expect((await verify('1K')).stderr).toContain('it is larger than 1024 bytes');
  expect((await verify('2K')).exitCode).toBe(1);
  expect((await verify('1X')).exitCode).toBe(2);
});
