import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { registry } from '../../commands/registry.js';
import { run } from '../../commands/run.js';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

async function start(argv: readonly string[]) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const interruption = new AbortController();
  const cwd = await makeTempFolder();
  const { signal } = interruption;
  const ended = run({ argv, stdin, stdout, stderr, env: {}, cwd, signal }, registry);
  let printed = '';
  stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const first = Promise.race([new Promise((resolve) => stdout.once('data', resolve)), ended]);
  await first;
  const stop = () => {
    interruption.abort();
    return ended;
  };
  return { printed: () => printed, stop };
}

describe('msgsite sandbox', () => {
  it('prints its address, serves the provider protocol and exits with 0 when interrupted', async () => {
    const { printed, stop } = await start(['sandbox', '--port', '0', '--json']);
    const { url } = JSON.parse(printed()) as { url: string };
    const response = await fetch(`${url}/provider/v1/sign-in/start`, { method: 'POST' });
    expect(await response.json()).toMatchObject({ view: 'EnterPhoneNumber' });
    expect(await stop()).toBe(0);
  });

  it('prints and applies the active faults', async () => {
    const argv = [
      'sandbox',
      '--port',
      '0',
      '--fault',
      'error@sign-in/start x1',
      '--fault',
      'daily',
    ];
    const { printed, stop } = await start([...argv, '--json']);
    const { url, faults } = JSON.parse(printed()) as { url: string; faults: string[] };
    expect(faults).toEqual(['error@sign-in/start x1', 'daily']);
    const ask = () => fetch(`${url}/provider/v1/sign-in/start`, { method: 'POST' });
    const failed = await ask();
    expect(failed.status).toBe(500);
    expect(await failed.json()).not.toHaveProperty('kind');
    expect((await ask()).status).toBe(200);
    expect(await stop()).toBe(0);
    const shown = await start(argv);
    expect(shown.printed()).toMatch(
      /sandbox.*\nfault {4}error@sign-in\/start x1\nfault {4}daily\n/,
    );
    expect(await shown.stop()).toBe(0);
  });

  it('lists the available faults', async () => {
    const { exitCode, stdout } = await runCli(['sandbox', '--fault', 'list']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^late=15 +executes the call, and responds after this many seconds\n/);
    expect(stdout).toContain('NAME[=VALUE][@OPERATION][xCOUNT]');
    const json = await runCli(['sandbox', '--fault', 'list', '--json']);
    expect(JSON.parse(json.stdout)).toHaveProperty('faults.0.fault', 'late=15');
  });

  it.each([
    [['--fault', 'lose'], {}, 'Unknown fault "lose"'],
    [['--fault', 'late=soon'], {}, 'Invalid value "soon" for the fault late'],
    [[], { MSGSITE_SANDBOX_FAULTS: 'late, lose' }, 'Unknown fault "lose"'],
  ])(
    'rejects an invalid fault with the flags %j and the environment %j',
    async (flags, env, said) => {
      const data = join(await makeTempFolder(), 'data');
      const argv = ['sandbox', '--port', '0', '--data', data, ...flags];
      const { exitCode, stderr } = await runCli(argv, { env });
      expect(existsSync(data)).toBe(false);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(said);
      expect(stderr).toContain('--fault list');
    },
  );

  it('reads the port from MSGSITE_PORT and rejects an invalid port', async () => {
    const { exitCode, stderr } = await runCli(['sandbox'], { env: { MSGSITE_PORT: 'x' } });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('must be a port');
  });
});
