import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderError, storageError } from '../../src/base/files/storage-errors.js';
import { startMsgsite } from '../helpers/msgsite-process.js';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

async function takePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port; // a TCP server has one
}

const systemError = (code: string) => Object.assign(new Error(code), { code });

describe('a command that cannot start', () => {
  it.each([
    'serve --gateway-port 0 --port',
    'serve --port 0 --gateway-port',
    'serve --only gateway --gateway-port',
    'sandbox --port',
    'webhooks listen --port',
  ])('exits with 2 and creates no files if the port of `%s` is in use', async (words) => {
    const cwd = await makeTempFolder();
    const port = await takePort();
    const { exitCode, stderr } = await runCli([...words.split(' '), String(port)], { cwd });
    expect(exitCode, stderr).toBe(2);
    expect(stderr).toContain(String(port));
    expect(existsSync(join(cwd, 'data'))).toBe(false);
  });

  it('creates no files if the host does not exist', async () => {
    const cwd = await makeTempFolder();
    // An address that is reserved for documentation (RFC 5737).
    const words = 'serve --port 0 --gateway-port 0 --host 203.0.113.9'.split(' ');
    const { exitCode, stderr } = await runCli(words, { cwd });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('203.0.113.9')]);
    expect(await readdir(cwd)).toEqual([]);
  });

  it('exits with 2 for an empty --data instead of using the working directory', async () => {
    const cwd = await makeTempFolder();
    const { exitCode, stderr } = await runCli(['pay', 'payments', '--data', ''], { cwd });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--data')]);
    expect(await readdir(cwd)).toEqual([]);
  });

  it
    .skipIf(process.platform !== 'linux')
    .each(['serve --port 0 --gateway-port 0', 'pay status', 'webhooks replay --all'])(
    '`%s` exits with 2 if --data cannot be a folder',
    async (words) => {
      const argv = [...words.split(' '), '--data', '/proc/x'];
      const { exitCode, stderr } = await runCli(argv, { cwd: await makeTempFolder() });
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('cannot be used')]);
      expect(stderr).toContain('--data');
    },
  );
});

describe('a disk that cannot be used', () => {
  it.each([
    ['EACCES', /fix the permissions/i],
    ['EPERM', /fix the permissions/i],
    ['ENOSPC', /free space/i],
    ['EDQUOT', /free space/i],
    ['EROFS', /make it writable/i],
    ['EIO', /fix the disk\. the service recovers automatically/i],
    ['EMFILE', /limit of open files/i],
  ])('is reported with a remedy and the path for %s', (code, remedy) => {
    const { hint, message, exitCode } = storageError(systemError(code), '/srv/data/site.json');
    expect(hint).toMatch(remedy);
    expect(hint).toContain('/srv/data/site.json');
    // The message is sent to API clients.
    expect(message).not.toContain('/srv');
    expect(exitCode).toBe(1);
    const folder = folderError(systemError(code), '/srv/data');
    expect([folder.exitCode, folder.hint]).toEqual([1, expect.stringMatching(remedy)]);
    expect(folder.message).toContain('/srv/data');
  });
});

it('serve prints the public address first and then the address on which it listens', async () => {
  const cwd = await makeTempFolder();
  const words =
    'serve --host 127.0.0.1 --public-url https://shop.example --port 0 --gateway-port 0';
  const env = { MSGSITE_LOG_LEVEL: 'silent' };
  const serving = startMsgsite(words.split(' '), { cwd, env });
  await serving.waitFor(/Ctrl\+C/);
  expect(await serving.end('SIGTERM')).toBe(0);
  const stdout = serving.stdout();
  expect(stdout.split('\n')[0]).toMatch(/^site +https:\/\/shop\.example$/);
  expect(stdout).toContain('https://shop.example/admin.html');
  expect(stdout).toMatch(/listens on http:\/\/127\.0\.0\.1:\d+/);
});
