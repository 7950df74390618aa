import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startMsgsite, startServe } from '../../helpers/msgsite-process.js';
import { startPostgresPair } from '../../helpers/postgres-pair.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';
import { startReceiver } from '../../webhooks/receiver.js';
import { startShopLoad } from './shop-load.js';

/** Number of losses of the primary server; MSGSITE_TEST_FAIL_OVERS=10 makes the long run. */
const rounds = Number(process.env.MSGSITE_TEST_FAIL_OVERS ?? 1);
/** Milliseconds from the loss to the promotion, the least that a monitor takes. */
const untilPromotion = 1_000;

/** Ways to lose the primary: killed, hanging, or shut down immediately. */
const losses = ['SIGKILL', 'SIGSTOP', 'SIGQUIT'] as const;

it(`two processes neither lose nor duplicate acknowledged work in ${rounds} fail-overs of the database`, {
  timeout: 180_000 + rounds * 60_000,
}, async () => {
  const pair = await startPostgresPair('shop');
  onTestFinished(() => pair.remove());
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
        MSGSITE_DATABASE: pair.url('shop'),
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

  const waits: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await load.progress();
    const loss = losses[round % losses.length] ?? 'SIGKILL';
    await pair.primary().signal(loss);
    await delay(untilPromotion);
    await pair.promote();
    const promoted = performance.now();
    await load.progress();
    waits.push(Math.round(performance.now() - promoted));
    await pair.rejoin();
  }
  await load.progress();
  const { messages, payments, retries } = await load.stop();

  expect(await load.readMessages()).toEqual(messages);
  const delivered = () => receiver.received.map(({ body }) => JSON.parse(body).paymentId);
  await expect.poll(() => [...payments].filter((id) => !delivered().includes(id))).toEqual([]);
  const eventIds = new Set(receiver.received.map(({ headers }) => headers['x-webhook-id']));
  expect(eventIds.size).toBe(payments.size);
  for (const { child, stderr } of serving) {
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
    expect(stderr()).not.toContain('should not have happened');
  }
  console.log(
    `${rounds} fail-overs, ${messages.length} messages and ${payments.size} payments acknowledged, ` +
      `${retries} repeated requests, ${receiver.received.length} webhook requests; ` +
      `both processes worked again so many milliseconds after the promotions: ${waits.join(', ')}`,
  );
});
