import {
  Delivery as isDelivery,
  ReceiverState as isReceiverState,
  StoredEvent as isStoredEvent,
} from '#validators/webhooks';
import { checkBy, compareTexts, type RecordKind, rising } from '../base/records.js';
import { type Delivery, deliveryStates } from './delivery.js';
import type { StoredEvent } from './event.js';

/** Returns the kinds of records of webhooks. */
export function webhookKinds(): readonly RecordKind[] {
  const check = checkBy(isDelivery, rising(compareDeliveries));
  return [
    { name: 'delivery', check },
    { name: 'webhook-event', check: checkBy(isStoredEvent, rising(compareEvents)) },
    {
      name: 'webhook-receiver',
      check: checkBy(
        isReceiverState,
        rising((a, b) => compareTexts(a.id, b.id)),
      ),
    },
  ];
}

/** Puts pending deliveries first. Orders the others by the day on which they ended, then by ID. */
function compareDeliveries(a: Delivery, b: Delivery): number {
  const states = deliveryStates.indexOf(a.state) - deliveryStates.indexOf(b.state);
  if (states !== 0) return states;
  const days = a.state === 'pending' ? 0 : compareTexts(keptDay(a), keptDay(b));
  return days || compareTexts(a.id, b.id);
}

/** Orders events by the day on which they occurred, then by ID. */
function compareEvents(a: StoredEvent, b: StoredEvent): number {
  return compareTexts(eventDay(a), eventDay(b)) || compareTexts(a.id, b.id);
}

/** Returns the UTC day by which an event is stored, such as `2026-07-28`. */
export function eventDay({ occurredAt }: StoredEvent): string {
  return occurredAt.slice(0, 10);
}

/** Returns the UTC day by which a delivery is stored, such as `2026-07-28`. */
export function keptDay({ endedAt, occurredAt }: Delivery): string {
  return (endedAt ?? occurredAt).slice(0, 10);
}
