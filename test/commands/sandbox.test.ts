import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { run } from '../../commands/run.js';
import { runCli } from '../helpers/run-cli.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

async function start(argv: readonly string[]) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const interruption = new AbortController();
  const cwd = await makeTempFolder();
  const ended = run({ argv, stdin, stdout, stderr, env: {}, cwd, signal: interruption.signal });
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
  it('prints its address, speaks the protocol and ends with 0 when interrupted', async () => {
    const { printed, stop } = await start(['sandbox', '--port', '0', '--json']);
    const { url } = JSON.parse(printed()) as { url: string };
    const response = await fetch(`${url}/provider/v1/sign-in/start`, { method: 'POST' });
    expect(await response.json()).toMatchObject({ view: 'EnterPhoneNumber' });
    expect(await stop()).toBe(0);
  });

  it('takes the port from MSGSITE_PORT and refuses one that is none', async () => {
    const { exitCode, stderr } = await runCli(['sandbox'], { env: { MSGSITE_PORT: 'x' } });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('must be a port');
  });
});
