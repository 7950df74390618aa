import { spawnSync } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMsgsite } from '../../helpers/msgsite-process.js';
import { createPayCli, type PayCli } from './pay-cli.js';

let cli: PayCli;
beforeAll(async () => {
  cli = await createPayCli();
  await cli.signIn();
});
afterAll(() => cli.remove());

/** Starts `msgsite pay …` and closes the reader of its output before anything is written. */
function unread(...words: string[]) {
  const till = startMsgsite(['pay', ...words], { cwd: cli.folder, env: cli.env });
  till.child.stdout.destroy();
  return till;
}

describe('a closed output pipe', () => {
  it('does not turn a failed payment into a success', async () => {
    const { document } = await cli.json('qr --amount 1501');
    expect(await unread('wait', document.paymentId, '--json').exit()).toBe(5);
  });

  it('stops the wait and leaves the payment open', async () => {
    const slow = { env: { MSGSITE_SANDBOX_SPEED: '1' } };
    const { document } = await cli.json('qr --amount 1506 --no-wait', slow);
    const till = unread('wait', document.paymentId);
    expect(await till.exit()).toBe(130);
    expect(till.stderr()).toContain(`Payment ${document.paymentId} is still open`);
  });

  it('does not make a list fail', async () => {
    expect(await unread('history').exit()).toBe(0);
  });
});

it.runIf(existsSync('/dev/full'))(
  'pay history reports the reason if its output cannot be written',
  () => {
    const program = fileURLToPath(new URL('../../../bin/msgsite.js', import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [program, 'pay', 'history'], {
      cwd: cli.folder,
      env: cli.env,
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
      encoding: 'utf8',
    });
    expect(stderr).toBe('Error: The output cannot be written (ENOSPC).\n');
    expect(status).toBe(1);
  },
);
