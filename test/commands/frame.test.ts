import { spawnSync } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../commands/registry.js';
import { runCli } from '../helpers/run-cli.js';

describe('help and version', () => {
  test('--version prints the version of the package', async () => {
    const { exitCode, stdout } = await runCli(['--version']);
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
  });

  test('without any words the help is shown', async () => {
    const { exitCode, stdout } = await runCli([]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Usage: msgsite');
  });

  test.each(commands.map(({ path }) => path))(
    '%s --help has a summary and examples',
    async (path) => {
      const { exitCode, stdout } = await runCli([...path.split(' '), '--help']);
      expect(exitCode).toBe(0);
      expect(stdout).toContain(`Usage: msgsite ${path}`);
      expect(stdout).toContain('Examples:');
    },
  );

  test('help COMMAND shows the same as COMMAND --help', async () => {
    const [asked, given] = await Promise.all([
      runCli(['help', 'serve']),
      runCli(['serve', '--help']),
    ]);
    expect(asked.stdout).toBe(given.stdout);
  });

  test('help finds commands of commands', async () => {
    const { exitCode, stdout } = await runCli(['help', 'pay', 'invoice', 'show']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Usage: msgsite pay invoice show');
  });
});

describe('wrong words', () => {
  test('a mistyped command is a usage error that suggests the right one', async () => {
    const { exitCode, stdout, stderr } = await runCli(['sevre']);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain("' (Did you mean serve?)\n");
  });

  test('a mistyped flag is a usage error that suggests the right one', async () => {
    const { exitCode, stderr } = await runCli(['serve', '--prot', '1']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Did you mean --port?');
  });

  test('with --json a failure is one document on stdout, too', async () => {
    const { exitCode, stdout } = await runCli(['serve', '--port', 'x', '--json']);
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      code: 'configuration',
      details: [{ path: '--port', message: expect.any(String) }],
    });
  });
});

describe('settings', () => {
  test('every fault is reported at once, under its flag or variable, with exit code 2', async () => {
    const env = {
      MSGSITE_POLL_INTERVAL: '0',
      MSGSITE_TOKEN_TTL: 'week',
      MSGSITE_PROVIDER_ZONE: 'Mars/Base',
      MSGSITE_JWT_SECRET_FILE: '/nowhere/secret',
      MSGSITE_ADMIN_TOKEN_FILE: '/dev/null',
    };
    const { exitCode, stderr } = await runCli(['serve', '--port', '70000'], { env });
    expect(exitCode).toBe(2);
    for (const place of [...Object.keys(env), '--port']) expect(stderr).toContain(place);
  });

  test('a .env file counts, the environment wins over it, a flag over both', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'msgsite-env-'));
    await writeFile(join(cwd, '.env'), 'MSGSITE_PORT=file\nMSGSITE_HOST=bad host\n');
    const fromFile = await runCli(['serve'], { cwd });
    expect(fromFile.stderr).toMatch(/MSGSITE_PORT[\s\S]*MSGSITE_HOST/);
    const fromEnvironment = await runCli(['serve'], { cwd, env: { MSGSITE_PORT: '0' } });
    expect(fromEnvironment.stderr).not.toContain('MSGSITE_PORT');
    const fromFlag = await runCli(['serve', '--host', 'also bad'], {
      cwd,
      env: { MSGSITE_PORT: '0' },
    });
    expect(fromFlag.stderr).toContain('--host');
    expect(fromFlag.stderr).not.toContain('MSGSITE_HOST');
  });

  test('a port that is taken is told with what to do', async () => {
    const { createServer } = await import('node:net');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const cwd = await mkdtemp(join(tmpdir(), 'msgsite-port-'));
    const { exitCode, stderr } = await runCli(['serve', '--only', 'site', '--port', String(port)], {
      cwd,
    });
    server.close();
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`port ${port}: another program is listening there`);
  });
});

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish'])('%s gets a script that names every command', async (shell) => {
    const { exitCode, stdout } = await runCli(['completion', shell]);
    expect(exitCode).toBe(0);
    for (const { path } of commands) expect(stdout).toContain(path.split(' ').at(-1));
  });

  test('bash completes commands and flags with it', async () => {
    const { stdout: script } = await runCli(['completion', 'bash']);
    const ask = `COMP_WORDS=(msgsite serve --po); COMP_CWORD=2; _msgsite; echo "\${COMPREPLY[*]}"`;
    const { stdout } = spawnSync('bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' });
    expect(stdout.trim()).toBe('--port');
  });

  test('an unknown shell is a usage error', async () => {
    expect((await runCli(['completion', 'csh'])).exitCode).toBe(2);
  });
});
