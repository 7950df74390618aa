import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startMsgsite, startServe } from '../../helpers/msgsite-process.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';
import { createTestDatabase } from '../../helpers/test-database.js';
import { startReceiver } from '../../webhooks/receiver.js';
import { type Polls, startPollCounter } from './poll-counter.js';

/** Opens a sandbox, a database and a webhook receiver for tills and servers on separate machines. */
async function openShop() {
  const folder = await makeTempFolder();
  const database = await createTestDatabase();
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const webhooks = join(folder, 'webhooks.json');
  const events = ['payment.success', 'payment.failed', 'payment.expired'];
  await writeFile(webhooks, JSON.stringify([{ url: receiver.url, events }]));
  const sandbox = startMsgsite(['sandbox', '--port', '0', '--data', folder, '--json']);
  onTestFinished(() => void sandbox.child.kill('SIGKILL'));
  const [, upstream = ''] = await sandbox.waitFor(/"url": ?"([^"]+)"/);
  const polls: Polls = new Map();

  async function machine(number: number) {
    const env = {
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, 'config'),
      MSGSITE_DATABASE: database,
      MSGSITE_DATA: join(folder, `machine-${number}`),
      MSGSITE_PROVIDER: await startPollCounter(upstream, number, polls),
      MSGSITE_WEBHOOKS: webhooks,
      MSGSITE_JWT_SECRET: 'the same for all and long enough',
      MSGSITE_GATEWAY_KEY: 'the same for all as well and long enough',
      MSGSITE_POLL_INTERVAL: '0.5',
    };
    return {
      /** Starts a `pay` command without waiting for it. */
      start(words: string) {
        const running = startMsgsite(['pay', ...words.split(' ')], { env, cwd: folder });
        onTestFinished(() => void running.child.kill('SIGKILL'));
        return running;
      },
      async run(words: string) {
        const running = this.start(`${words} --json`);
        const exitCode = await running.exit();
        return { exitCode, stderr: running.stderr(), document: JSON.parse(running.stdout()) };
      },
      async serve() {
        const serving = await startServe([], { env, cwd: folder });
        onTestFinished(() => void serving.child.kill('SIGKILL'));
        return serving;
      },
    };
  }

  /** Returns the machines that polled the payment, in order, without repetitions. */
  const pollers = () => {
    const [list = []] = polls.values();
    return list.map(({ by }) => by).filter((by, index) => by !== list[index - 1]?.by);
  };
  return { machine, receiver, pollers };
}

it('another till takes over the payment of a killed till, and then a server takes it over', async () => {
  const { machine, receiver, pollers } = await openShop();
  const [first, second, third] = [await machine(1), await machine(2), await machine(3)];
  expect((await first.run('login --phone 87011234567 --otp 123456')).exitCode).toBe(0);

  // This payment remains open until it is cancelled.
  const till = first.start('invoice --phone 87015554433 --amount 1506');
  const [, id = ''] = await till.waitFor(/Payment +(\d+)/);
  await expect.poll(pollers, { timeout: 30_000 }).toEqual([1]);
  const waiting = second.start(`wait ${id} --json`);
  expect(await till.end('SIGKILL')).toBe(null);
  await expect.poll(pollers, { timeout: 60_000 }).toEqual([1, 2]);

  const serving = await third.serve();
  await expect.poll(pollers, { timeout: 30_000 }).toEqual([1, 2, 3]);
  expect((await first.run(`invoice cancel ${id}`)).exitCode).toBe(0);
  expect(await waiting.exit()).toBe(5);
  const document = JSON.parse(waiting.stdout());
  expect(document).toMatchObject({ state: 'ended', status: 'RemotePaymentCanceled' });
  // The server that recorded the end sends the webhook, not the till that waited.
  expect(document.webhooks).toBeUndefined();
  await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBe(1);
  expect(await serving.end('SIGTERM')).toBe(0);
  expect(pollers()).toEqual([1, 2, 3]);
  expect(receiver.received).toHaveLength(1);
}, 180_000);

it('a till sends the webhooks once if there is no server', async () => {
  const { machine, receiver, pollers } = await openShop();
  const [first, second] = [await machine(1), await machine(2)];
  await first.run('login --phone 87011234567 --otp 123456');
  const { document } = await first.run('qr --amount 1500 --no-wait');
  const ends = await Promise.all([
    first.run(`wait ${document.paymentId}`),
    second.run(`wait ${document.paymentId}`),
  ]);
  expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  // One of the two polled the payment, and it sent the webhook.
  expect(pollers()).toHaveLength(1);
  const reported = ends.map(({ document: { webhooks } }) => webhooks).filter(Boolean);
  expect(reported).toEqual([{ delivered: 1, failed: 0 }]);
  expect(receiver.received).toHaveLength(1);
}, 120_000);
