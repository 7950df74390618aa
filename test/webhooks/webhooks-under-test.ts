import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.js';
import type { Delivery } from '../../src/events/delivery.js';
import type { StoredEvent } from '../../src/events/event.js';
import type { DeliveryFilter } from '../../src/webhooks/tools/replay-filter.js';
import { createWebhooks, type WebhookOptions, type Webhooks } from '../../src/webhooks/webhooks.js';
import { deliveryStoreFor } from '../helpers/delivery-store.js';

export const allEvents = ['payment.success', 'payment.failed', 'payment.expired'];

/** The ID of the deployment under test. */
export const instance = 'a'.repeat(32);

interface Setup {
  readonly folder: string;
  readonly clock?: Clock;
  readonly subscriptions?: readonly object[];
  readonly changes?: Partial<WebhookOptions>;
}

/** Creates a log that records its lines. */
export function keepingLog() {
  const lines: { readonly level: string; readonly facts: object; readonly message: string }[] = [];
  const keep = (level: string) => (facts: object, message: string) => {
    lines.push({ level, facts, message });
  };
  return { lines, info: keep('info'), warn: keep('warn'), error: keep('error') };
}

export async function writeSubscriptions(folder: string, subscriptions: readonly object[]) {
  await writeFile(join(folder, 'webhooks.json'), JSON.stringify(subscriptions));
}

/** Opens the webhooks of another process on a folder. */
export async function openWebhooks(setup: Setup): Promise<Webhooks> {
  const { folder, clock = systemClock, subscriptions, changes = {} } = setup;
  if (subscriptions) await writeSubscriptions(folder, subscriptions);
  const webhooks = await createWebhooks({
    file: join(folder, 'webhooks.json'),
    environment: {},
    instance: async () => instance,
    deletionTime: async () => clock.now(),
    delays: [0, 5_000, 30_000],
    timeoutMs: 10_000,
    privateAddresses: 'allow',
    retentionMs: 30 * 86_400_000,
    droppedRetentionMs: 365 * 86_400_000,
    clock,
    log: keepingLog(),
    store: (await deliveryStoreFor(join(folder, 'data'), clock)).store,
    ...changes,
  });
  onTestFinished(() => webhooks.stop());
  return webhooks;
}

/** Waits in real time until a check passes. The time-out allows for a busy machine. */
export const until = (check: () => unknown) => vi.waitFor(check, 60_000);

export async function deliveriesOf(
  webhooks: Webhooks,
  filter: DeliveryFilter = {},
): Promise<Delivery[]> {
  const found: Delivery[] = [];
  for await (const delivery of webhooks.find(filter)) found.push(delivery);
  return found;
}

export async function eventsOf(
  webhooks: Webhooks,
  filter: DeliveryFilter = {},
): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  for await (const event of webhooks.findEvents(filter)) found.push(event);
  return found;
}

/** Waits until a payment's deliveries have all ended, and returns them. */
export async function endedOf(webhooks: Webhooks, payment: string): Promise<Delivery[]> {
  return vi.waitFor(async () => {
    const found = await deliveriesOf(webhooks, { payment });
    if (found.length === 0 || found.some(({ state }) => state === 'pending')) {
      throw new Error(`The deliveries of payment ${payment} have not ended.`);
    }
    return found;
  }, 60_000);
}
