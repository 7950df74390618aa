import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../commands/registry.js';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

describe('help and version', () => {
  test('--version prints the version of the package', async () => {
    const { exitCode, stdout } = await runCli(['--version']);
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
  });

  test('msgsite without arguments prints the help', async () => {
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

  test('help COMMAND prints the same text as COMMAND --help', async () => {
    const [help, flag] = await Promise.all([
      runCli(['help', 'serve']),
      runCli(['serve', '--help']),
    ]);
    expect(help.stdout).toBe(flag.stdout);
  });

  test.each([
    ['help pay invoice show', 'pay invoice show'],
    ['pay invoice help show', 'pay invoice show'],
    ['pay help qr', 'pay qr'],
    ['pay qr help', 'pay qr'],
    ['pay qr --amount 1500 help', 'pay qr'],
    ['help pay refund 17 --amount 5', 'pay refund'],
    ['pay help', 'pay'],
    ['help version', 'version'],
    ['help help', ''],
  ])('`msgsite %s` prints the help of "%s"', async (words, path) => {
    const { exitCode, stdout, stderr } = await runCli(words.split(' '));
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`^Usage: msgsite ${path}${path && ' '}\\[options\\]`));
  });

  test.each([
    ['help srve', "Unknown command 'srve' (Did you mean serve?)"],
    ['pay help qrr', "Unknown command 'pay qrr' (Did you mean qr?)"],
    ['help pay nope', "Unknown command 'pay nope'.\nSee msgsite pay --help."],
    ['pay nope --help', "Unknown command 'pay nope'.\nSee msgsite pay --help."],
    ['pay invoice shwo', "Unknown command 'pay invoice shwo' (Did you mean show?)"],
    ['help refund', "Unknown command 'refund' (Did you mean pay refund?)"],
  ])('`msgsite %s` is a usage error with a suggestion', async (words, said) => {
    const { exitCode, stdout, stderr } = await runCli(words.split(' '));
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(said);
  });

  test('validate-screen help prints the help, unless a file has that name or -- precedes it', async () => {
    const cwd = await makeTempFolder();
    const call = { cwd };
    expect((await runCli(['validate-screen', 'help'], call)).stdout).toContain('Usage: ');
    expect((await runCli(['validate-screen', '--', 'help'], call)).stdout).toContain('help:1:1');
    await writeFile(join(cwd, 'help'), '');
    expect((await runCli(['validate-screen', 'help'], call)).stdout).toContain('help:1:1');
  });
});

describe('global --json', () => {
  test.each(['version --json', '--version --json', '--json --version', '-V --json'])(
    '`msgsite %s` prints the version as one document',
    async (words) => {
      const { exitCode, stdout } = await runCli(words.split(' '));
      expect(exitCode).toBe(0);
      const version = expect.stringMatching(/^\d+\.\d+\.\d+/);
      const node = process.versions.node;
      expect(JSON.parse(stdout)).toEqual({ name: 'msgsite', version, node });
    },
  );

  test.each(['--json pay payments', 'pay --json payments', '--verbose pay payments --json'])(
    '`msgsite %s` applies the flag to the command',
    async (words) => {
      const { exitCode, stdout } = await runCli(words.split(' '), { cwd: await makeTempFolder() });
      expect([exitCode, JSON.parse(stdout)]).toEqual([0, { payments: [], more: false }]);
    },
  );

  test.each(['--json pay', '--json nope', '--json pay wait', 'pay --json qr --nope'])(
    '`msgsite %s` reports its failure as one document',
    async (words) => {
      const { exitCode, stdout } = await runCli(words.split(' '));
      expect([exitCode, JSON.parse(stdout)]).toEqual([
        2,
        expect.objectContaining({ code: 'usage' }),
      ]);
    },
  );

  test('pay help --json prints the help as one document', async () => {
    const { exitCode, stdout } = await runCli(['pay', 'help', '--json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ help: expect.stringContaining('Usage: msgsite pay') });
  });
});

describe('command line errors', () => {
  test('a mistyped command is a usage error that suggests the correct command', async () => {
    const { exitCode, stdout, stderr } = await runCli(['sevre']);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain("' (Did you mean serve?)\n");
  });

  test('a mistyped flag is a usage error that suggests the correct flag', async () => {
    const { exitCode, stderr } = await runCli(['serve', '--prot', '1']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Did you mean --port?');
  });

  test('a failure with --json prints one document on stdout', async () => {
    const { exitCode, stdout } = await runCli(['serve', '--port', 'x', '--json']);
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      code: 'configuration',
      details: [{ path: '--port', message: expect.any(String) }],
    });
  });
});

describe('settings', () => {
  test('all invalid settings are reported together by flag or variable, with exit code 2', async () => {
    const env = {
      MSGSITE_POLL_INTERVAL: '0',
      MSGSITE_TOKEN_TTL: 'week',
      MSGSITE_PROVIDER_ZONE: 'Mars/Base',
      MSGSITE_JWT_SECRET_FILE: '/nowhere/secret',
      MSGSITE_ADMIN_TOKEN_FILE: '/dev/null',
    };
    const { exitCode, stderr } = await runCli(['serve', '--port', '70000'], { env });
    expect(exitCode).toBe(2);
    for (const name of [...Object.keys(env), '--port']) expect(stderr).toContain(name);
  });

  test('the environment overrides the .env file, and flags override both', async () => {
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

  test('a port that is in use is reported with exit code 2', async () => {
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
  test('offers every command that is not hidden', async () => {
    for (const { path, hidden } of commands) {
      const { stdout } = await runCli(['__complete', '--', ...path.split(' ')]);
      expect(stdout.includes(`${path.split(' ').at(-1)}\t`), path).toBe(!hidden);
    }
  });

  test('an unknown shell is a usage error', async () => {
    expect((await runCli(['completion', 'csh'])).exitCode).toBe(2);
  });
});
