import { describe, expect, it, onTestFinished } from 'vitest';
import { openStorage } from '../../src/app/open-storage.js';
import { systemClock } from '../../src/base/clock.js';
import { silentLog } from '../../src/base/log.js';
import { readConfig } from '../../src/config/config.js';
import { runCli } from '../helpers/run-cli.js';
import { openTerminal } from '../helpers/terminal.js';
import { createPeopleCli } from './people-cli.js';

const every = ['list', 'show 1', 'reset-code 1', 'sign-out 1', 'delete 1 --yes'];

describe('users commands with data in files', () => {
  it('fail while a server is running and refer to the equivalent admin page', async () => {
    const cli = await createPeopleCli();
    await cli.served(async ({ url, call, signUp }) => {
      const { token } = await signUp('Dana');
      const settings = { MSGSITE_PORT: new URL(url).port };
      for (const words of every) {
        const { exitCode, stderr } = await cli.run(words, settings);
        expect(exitCode, words).toBe(1);
        expect(stderr).toMatch(new RegExp(`in use by msgsite serve \\(process ${process.pid} on`));
        expect(stderr).toContain(`${url}/admin.html#people`);
        const { code } = await cli.json(words, settings);
        expect(code).toBe('data_in_use');
      }
      expect(
        (await cli.run('list', { MSGSITE_PUBLIC_URL: 'https://shop.example' })).stderr,
      ).toContain('https://shop.example/admin.html#people');
      expect((await call('GET', '/api/auth/me', { token })).status).toBe(200);
    });
  });

  it('prevent a server and other commands from starting while they run', async () => {
    const cli = await createPeopleCli();
    await cli.served(({ signUp }) => signUp('Dana'));
    const config = readConfig({ flags: {}, env: cli.env, cwd: cli.data });
    const options = { config, clock: systemClock, log: silentLog(), label: 'users delete' };
    const storage = await openStorage('manage', options);
    onTestFinished(() => storage.close());
    const serve = await runCli(['serve', '--port', '0', '--gateway-port', '0'], { env: cli.env });
    expect([serve.exitCode, serve.stderr]).toEqual([
      1,
      expect.stringContaining('in use by msgsite users delete'),
    ]);
    const other = await cli.run('list');
    expect([other.exitCode, other.stderr]).toEqual([
      1,
      expect.stringMatching(
        /in use by msgsite users delete[\s\S]*Wait until that command has ended/,
      ),
    ]);
    expect(other.stderr).not.toContain('admin.html');
  });

  it('reject a folder without data and do not change it', async () => {
    const cli = await createPeopleCli();
    for (const words of every) {
      const { exitCode, stderr } = await cli.run(words);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('There is no data in')]);
    }
  });
});

describe('users delete at a terminal', () => {
  it('explains what is removed and what remains, and deletes only if the operator answers yes', async () => {
    const cli = await createPeopleCli();
    await cli.served(({ signUp }) => signUp('Dana'));
    const ask = async (answer: string) => {
      const terminal = openTerminal(['users', 'delete', '1'], {
        cwd: cli.data,
        env: cli.env,
        columns: 300,
      });
      onTestFinished(() => terminal.kill());
      await terminal.waitFor(/Delete the account of Dana \(dana@shop\.example, ID 1\)\?/);
      expect(terminal.text()).toMatch(
        /password[\s\S]*Messages[\s\S]*remain[\s\S]*“Deleted\s+account”/,
      );
      terminal.type(`${answer}\r`);
      return { exitCode: await terminal.exit(), text: terminal.text() };
    };
    expect(await ask('')).toEqual({
      exitCode: 1,
      text: expect.stringContaining('Nothing was deleted.'),
    });
    expect((await cli.json('show 1')).user.username).toBe('Dana');
    expect(await ask('y')).toEqual({
      exitCode: 0,
      text: expect.stringContaining('has been deleted'),
    });
    expect((await cli.json('list')).users).toEqual([]);
  });
});
