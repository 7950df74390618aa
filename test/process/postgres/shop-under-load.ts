import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { startMsgsite, startServe } from '../../helpers/msgsite-process.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';
import { startReceiver } from '../../webhooks/receiver.js';
import { startShopLoad } from './shop-load.js';

/**
 * Starts two processes on a database, one that pipelines statements and one that does not, and sends them messages and
 * payments until `finish` is called. Both processes are killed when the test ends.
 */
export async function startShopUnderLoad(database: string) {
  const folder = await makeTempFolder();
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const webhooks = join(folder, 'webhooks.json');
  const events = ['payment.success', 'payment.failed', 'payment.expired'];
  await writeFile(webhooks, JSON.stringify([{ url: receiver.url, events }]));
  const sandbox = startMsgsite(['sandbox', '--port', '0', '--data', folder, '--json'], {
    env: { MSGSITE_SANDBOX_SPEED: '1' },
  });
  onTestFinished(() => void sandbox.child.kill('SIGKILL'));
  const [, provider = ''] = await sandbox.waitFor(/"url": ?"([^"]+)"/);
  const start = async (slot: number) => {
    const serving = await startServe([], {
      env: {
        MSGSITE_DATABASE: database,
        MSGSITE_DATABASE_PIPELINE: slot === 0 ? 'on' : 'off',
        MSGSITE_DATA: join(folder, `machine-${slot}`),
        MSGSITE_PROVIDER: provider,
        MSGSITE_WEBHOOKS: webhooks,
        MSGSITE_JWT_SECRET: 'the same for all and long enough',
        MSGSITE_GATEWAY_KEY: 'the same for all as well and long enough',
        MSGSITE_POLL_INTERVAL: '1',
        MSGSITE_RATE_LIMIT: 'off',
        MSGSITE_LOG_LEVEL: 'error',
      },
    });
    onTestFinished(() => void serving.child.kill('SIGKILL'));
    return serving;
  };
  const serving = [await start(0), await start(1)];
  const load = await startShopLoad(serving);

  return {
    /** Waits until both processes have acknowledged more messages. */
    progress: load.progress,
    /** Stops the load, checks that nothing was lost or duplicated and no process has exited, and describes the work. */
    async finish(): Promise<string> {
      await load.progress();
      const { messages, payments, retries } = await load.stop();
      expect(await load.readMessages()).toEqual(messages);
      const delivered = () =>
        new Set(receiver.received.map(({ body }) => JSON.parse(body).paymentId));
      const undelivered = () => {
        const known = delivered();
        return [...payments].filter((id) => !known.has(id));
      };
      await expect.poll(undelivered).toEqual([]);
      const eventIds = new Set(receiver.received.map(({ headers }) => headers['x-webhook-id']));
      expect(eventIds.size).toBe(payments.size);
      for (const { child, stderr } of serving) {
        expect([child.exitCode, child.signalCode]).toEqual([null, null]);
        expect(stderr()).not.toContain('Unexpected error; exiting');
      }
      return (
        `${messages.length} messages and ${payments.size} payments acknowledged, ` +
        `${retries} repeated requests, ${receiver.received.length} webhook requests`
      );
    },
  };
}
