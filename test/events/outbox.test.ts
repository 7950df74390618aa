import { expect, it } from 'vitest';
import type { Delivery } from '../../src/events/delivery.js';
import type { OccurredEvent } from '../../src/events/event.js';
import { createOutbox } from '../../src/events/outbox.js';
import { createJsonDeliveryStore } from '../../src/events/store-json/open.js';
import type { Subscription } from '../../src/events/subscription.js';
import { payloadOf } from '../../src/webhooks/delivering/request.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

const clock = createManualClock();
const occurredAt = clock.now();
const event: OccurredEvent = {
  event: 'payment.success',
  subject: ['order', '7'],
  data: { total: 2450 },
  occurredAt,
};

function subscription(id: string, filter: Subscription['filter'] = {}): Subscription {
  const url = `http://${id}.example/`;
  return { id, url, displayUrl: url, events: ['payment.success'], enabled: true, filter };
}

async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function announce(subscriptions: readonly Subscription[]) {
  const folder = await makeTempFolder();
  const store = await createJsonDeliveryStore({ folder, clock, label: 'test' });
  const stored: Delivery[] = [];
  const outbox = createOutbox({
    store,
    delays: [0],
    subscriptions: () => subscriptions,
    isDisabled: () => false,
    instance: async () => 'here',
    onStored: (delivery) => stored.push(delivery),
  });
  await outbox.announce(event);
  await outbox.announce(event);
  const events = await allOf(store.events.list());
  const deliveries = await allOf(store.list());
  await store.close();
  return { stored, deliveries, events };
}

it('the outbox stores an event without a payment once for each matching subscription', async () => {
  const { stored, deliveries, events } = await announce([
    subscription('all'),
    subscription('payments', { types: ['qr'] }),
  ]);
  expect(deliveries).toEqual(stored);
  expect(deliveries.map((delivery) => delivery.subscription.id)).toEqual(['all']);
  expect(events).toEqual([]);
  const [delivery] = deliveries;
  expect(delivery && JSON.parse(payloadOf(delivery, occurredAt))).toEqual({
    event: 'payment.success',
    id: delivery?.eventId,
    timestamp: new Date(occurredAt).toISOString(),
    data: { total: 2450 },
  });
});

it('the outbox stores an event that no subscription matches', async () => {
  const { deliveries, events } = await announce([subscription('payments', { organizations: [1] })]);
  expect(deliveries).toEqual([]);
  expect(events.map(({ facts }) => facts)).toEqual([
    { event: 'payment.success', subject: ['order', '7'], data: { total: 2450 } },
  ]);
});
