import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPayCli, type PayCli } from './pay-cli.js';

let cli: PayCli;
beforeEach(async () => {
  cli = await createPayCli();
});
afterEach(() => cli.remove());

describe('pay login', () => {
  it('sends the code and prints the process ID and the next command without a terminal', async () => {
    const sent = await cli.json('login --phone "+7 (701) 123-45-67"');
    expect(sent).toMatchObject({ exitCode: 0, document: { view: 'EnterOtp' } });
    const { processId, next } = sent.document;
    expect(next).toBe(`msgsite pay login --process ${processId} --otp CODE`);
    const wrong = await cli.run(`login --process ${processId} --otp 000000`);
    expect(wrong.exitCode).toBe(1);
    expect(wrong.stderr).toContain('Attempts left: 4');
    const done = await cli.json(`login --process ${processId} --otp 123456`);
    expect(done).toMatchObject({
      exitCode: 0,
      document: { step: 'finished', phone: '77011234567' },
    });
    expect(JSON.stringify(done.document)).not.toContain('vtokenSecret');
  });

  it('stores the session in a file that only this user can read', async () => {
    await cli.signIn();
    expect((await stat(cli.sessionFile)).mode & 0o777).toBe(0o600);
    const session = JSON.parse(await readFile(cli.sessionFile, 'utf8'));
    expect(session).toMatchObject({
      tokenSN: expect.any(String),
      vtokenSecret: expect.any(String),
      phone: '77011234567',
    });
  });

  it('reads the code from stdin', async () => {
    const { exitCode } = await cli.run('login --phone 7011234567 --otp -', { stdin: '123456\n' });
    expect(exitCode).toBe(0);
  });

  it.each([
    ['login', '--phone is missing'],
    ['login --process 1', '--otp is missing'],
    ['login --otp 123456', '--otp requires --process'],
    ['login --phone 12', 'is not a valid phone number'],
    ['login --phone 87011234567 --otp -', 'stdin contains no code'],
  ])('%s is a usage error', async (words, message) => {
    const { exitCode, stdout, stderr } = await cli.run(words);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  it('rejects an unknown process ID', async () => {
    const { exitCode, stderr } = await cli.run('login --process nothing --otp 123456');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Start again');
  });
});

describe('the session of pay commands', () => {
  it('is required: without it, commands exit with code 4 and a hint', async () => {
    for (const words of ['status', 'qr --amount 1', 'history', 'refund 1 --amount 1 --yes']) {
      const { exitCode, stderr } = await cli.run(words);
      expect([words, exitCode]).toEqual([words, 4]);
      expect(stderr).toContain('msgsite pay login');
    }
  });

  it('can be read from a specified file or the environment', async () => {
    await cli.run('login --phone 87011234567 --otp 123456 --session mine.json');
    const file = join(cli.folder, 'mine.json');
    const { tokenSN, vtokenSecret } = JSON.parse(await readFile(file, 'utf8'));
    expect((await cli.json('status --session mine.json')).document.active).toBe(true);
    expect((await cli.run('status')).exitCode).toBe(4);
    const env = { MSGSITE_TOKEN_SN: tokenSN, MSGSITE_VTOKEN_SECRET: vtokenSecret };
    expect((await cli.json('status', { env })).document.active).toBe(true);
    const half = await cli.run('status', { env: { MSGSITE_TOKEN_SN: tokenSN } });
    expect(half.exitCode).toBe(2);
    const forged = { ...env, MSGSITE_VTOKEN_SECRET: `${vtokenSecret}x` };
    expect((await cli.run('status', { env: forged })).exitCode).toBe(4);
  });

  it('is rejected with the file name if its file is damaged', async () => {
    await writeFile(join(cli.folder, 'broken.json'), '{"tokenSN": 1}');
    const { exitCode, stderr } = await cli.run('status --session broken.json');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('broken.json is not a session file');
  });

  it('is reported as inactive with exit code 4 after the provider has ended it', async () => {
    await cli.signIn();
    // An amount that ends in 09 makes the sandbox end every session of the organization.
    await cli.run('qr --amount 1509 --no-wait');
    const { exitCode, document } = await cli.json('status');
    expect(exitCode).toBe(4);
    expect(document).toMatchObject({ active: false, code: expect.any(Number) });
    for (const words of ['qr --amount 1500', 'reconcile']) {
      const refused = await cli.run(words);
      expect(refused.exitCode).toBe(4);
      expect(refused.stderr).toContain('Sign in again with msgsite pay login.');
    }
  });
});

describe('pay logout', () => {
  it('ends and removes the session, and does nothing without a session', async () => {
    await cli.signIn();
    expect((await cli.json('logout')).document).toEqual({ success: true, signedOut: true });
    await expect(stat(cli.sessionFile)).rejects.toThrow('ENOENT');
    expect(await cli.json('logout')).toEqual({
      exitCode: 0,
      document: { success: true, signedOut: false },
    });
    expect((await cli.run('status')).exitCode).toBe(4);
  });
});
