import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startMsgsite, startServe } from '../../helpers/msgsite-process.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';
import { createTestDatabase } from '../../helpers/test-database.js';
import { startReceiver } from '../../webhooks/receiver.js';
import { type Polls, startPollCounter } from './poll-counter.js';

/** A sandbox, a database and a webhook receiver for tills and servers, each with a machine of its own. */
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
      /** A `pay` command that goes on beside the test. */
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

  /** Which machines looked at the one payment, in order, each named once a turn. */
  const turns = () => {
    const [looks = []] = polls.values();
    return looks.map(({ by }) => by).filter((by, index) => by !== looks[index - 1]?.by);
  };
  return { machine, receiver, turns };
}

it('a payment goes from a killed till to another one and on to a server, and never back', async () => {
  const { machine, receiver, turns } = await openShop();
  const [first, second, third] = [await machine(1), await machine(2), await machine(3)];
  expect((await first.run('login --phone 87011234567 --otp 123456')).exitCode).toBe(0);

  // Nothing happens to this one by itself.
  const till = first.start('invoice --phone 87015554433 --amount 1506');
  const [, id = ''] = await till.waitFor(/Payment +(\d+)/);
  await expect.poll(turns, { timeout: 30_000 }).toEqual([1]);
  const waiting = second.start(`wait ${id} --json`);
  expect(await till.end('SIGKILL')).toBe(null);
  await expect.poll(turns, { timeout: 60_000 }).toEqual([1, 2]);

  const serving = await third.serve();
  await expect.poll(turns, { timeout: 30_000 }).toEqual([1, 2, 3]);
  expect((await first.run(`invoice cancel ${id}`)).exitCode).toBe(0);
  expect(await waiting.exit()).toBe(5);
  const document = JSON.parse(waiting.stdout());
  expect(document).toMatchObject({ state: 'ended', status: 'RemotePaymentCanceled' });
  // The server that learnt of the end tells of it, not the till that waited.
  expect(document.webhooks).toBeUndefined();
  await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBe(1);
  expect(await serving.end('SIGTERM')).toBe(0);
  expect(turns()).toEqual([1, 2, 3]);
  expect(receiver.received).toHaveLength(1);
}, 180_000);

it('without any server, the till sends the webhooks itself, once', async () => {
  const { machine, receiver, turns } = await openShop();
  const [first, second] = [await machine(1), await machine(2)];
  await first.run('login --phone 87011234567 --otp 123456');
  const { document } = await first.run('qr --amount 1500 --no-wait');
  const ends = await Promise.all([
    first.run(`wait ${document.paymentId}`),
    second.run(`wait ${document.paymentId}`),
  ]);
  expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  // One of the two watched, and it told the world.
  expect(turns()).toHaveLength(1);
  const told = ends.map(({ document: { webhooks } }) => webhooks).filter(Boolean);
  expect(told).toEqual([{ delivered: 1, failed: 0 }]);
  expect(receiver.received).toHaveLength(1);
}, 120_000);
