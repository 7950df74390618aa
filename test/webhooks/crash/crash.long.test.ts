import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import type { Delivery } from '../../../src/events/delivery.js';
import { eventIdOf } from '../../../src/events/event.js';
import { createJsonDeliveryStore } from '../../../src/events/store-json/open.js';
import { createWebhooks } from '../../../src/webhooks/webhooks.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';
import { startReceiver } from '../receiver.js';
import { sampleEvent } from '../samples.js';

const program = fileURLToPath(new URL('worker.mjs', import.meta.url));
const event = sampleEvent({ occurredAt: Date.now() });
/** The same value as in worker.mjs. */
const instance = 'a'.repeat(32);
const silent = { info() {}, warn() {}, error() {} };
const concurrency = 4;
const seed = Date.now();
/** A short run kills the process after every third change, with a random start. */
const stride = process.env.MSGSITE_TEST_EVERY_STEP ? 1 : 3;

async function killAfter(step: number, folder: string): Promise<'killed' | 'finished'> {
  const env = { ...process.env, EVENT: JSON.stringify(event) };
  const child = spawn(process.execPath, [program, folder, String(step)], { env, stdio: 'inherit' });
  const [code, signal] = await once(child, 'exit');
  expect([code, signal]).toContain(code === null ? 'SIGKILL' : 0);
  return code === null ? 'killed' : 'finished';
}

/** Starts the next process on the same data. Like the watcher, it announces an event again if it may not be stored. */
async function restart(folder: string): Promise<Delivery[]> {
  const webhooks = await createWebhooks({
    store: await createJsonDeliveryStore({
      folder: join(folder, 'webhooks'),
      clock: systemClock,
      label: 'test',
    }),
    file: join(folder, 'webhooks.json'),
    environment: {},
    instance: async () => instance,
    deletionTime: async () => Date.now(),
    delays: [0, 10, 10],
    timeoutMs: 10_000,
    privateAddresses: 'allow',
    retentionMs: 1e12,
    droppedRetentionMs: 1e12,
    clock: systemClock,
    log: silent,
  });
  webhooks.start();
  if (!existsSync(join(folder, 'announced'))) await webhooks.announce(event);
  const found = async () => {
    const deliveries: Delivery[] = [];
    for await (const delivery of webhooks.find({})) deliveries.push(delivery);
    return deliveries;
  };
  await vi.waitFor(async () => expect(await found()).toMatchObject([{ state: 'delivered' }]), {
    timeout: 20_000,
    interval: 20,
  });
  const deliveries = await found();
  await webhooks.stop();
  return deliveries;
}

/** Kills the process after a step, restarts it, and checks that the event arrived. */
async function survive(step: number): Promise<'killed' | 'finished'> {
  const folder = await makeTempFolder();
  // The first attempt fails, so that the kills cover every step of a retry.
  const receiver = await startReceiver((response, number) => {
    response.writeHead(number === 1 ? 500 : 200).end();
  });
  const subscription = { url: receiver.url, events: ['payment.success'], secret: 's3cret' };
  await writeFile(join(folder, 'webhooks.json'), JSON.stringify([subscription]));
  const end = await killAfter(step, folder);
  const [delivery, ...others] = await restart(folder);
  expect(others, `killed after change ${step}`).toEqual([]);
  expect(delivery?.attempts.at(-1), `killed after change ${step}`).toMatchObject({ status: 200 });
  expect(receiver.received.length).toBeGreaterThanOrEqual(2);
  const ids = receiver.received.map(({ headers }) => headers['x-webhook-id']);
  expect([...new Set(ids)]).toEqual([eventIdOf(event, instance)]);
  expect(await readdir(join(folder, 'webhooks', 'pending'))).toEqual([]);
  expect(await readdir(join(folder, 'webhooks', 'claimed'))).toEqual([]);
  return end;
}

describe('webhook delivery killed after any change to the disk', () => {
  it('is completed by the next process with the same event ID and one record', async () => {
    let step = 1 + (seed % stride);
    for (let ends: string[] = []; !ends.includes('finished'); ) {
      const batch = Array.from({ length: concurrency }, (_, index) => step + index * stride);
      ends = await Promise.all(batch.map(survive));
      step += concurrency * stride;
    }
    // The steps store and claim the delivery, record a failure, claim it again and record the success.
    expect(step).toBeGreaterThan(20);
  });
});
