import { createHash } from 'node:crypto';
import type {
  EventFacts,
  EventName,
  OtherFacts,
  StoredEvent,
  StoredFacts,
} from '#validators/webhooks';

export type { EventFacts, EventName, StoredEvent } from '#validators/webhooks';

/** The events a subscription may ask for. */
export const eventNames: readonly EventName[] = [
  'payment.success',
  'payment.failed',
  'payment.expired',
];

/** The stored facts about a payment that has ended: everything that is sent except the time of sending. */
export type PaymentFacts = StoredFacts;

/** Something that has happened. Its facts and the ID of this deployment name it. */
export type OccurredEvent = EventFacts & {
  /** When it was learned; milliseconds since the epoch. */
  readonly occurredAt: number;
};

/** A payment's end. */
export type PaymentEvent = PaymentFacts & Pick<OccurredEvent, 'occurredAt'>;

/** What names a payment in the facts of its event. */
export type EventPayment = Pick<PaymentFacts, 'organizationId' | 'type' | 'paymentId'>;

/** What names an event: what it is about, and what happened. */
export type EventKey =
  | (EventPayment & Pick<PaymentFacts, 'event'>)
  | Pick<OtherFacts, 'subject' | 'event'>;

/** Returns the facts if they are about a payment, and undefined if they are about something else. */
export function paymentOf(facts: EventFacts): PaymentFacts | undefined {
  return 'subject' in facts ? undefined : facts;
}

/** Returns the ID of the payment that an event is about, or the words that name another subject. */
export function subjectOf(facts: EventFacts): string {
  return 'subject' in facts ? facts.subject.join(' ') : facts.paymentId;
}

/**
 * Returns the event's ID, which is sent as `X-Webhook-Id`. It is derived from the deployment (`instance`), what the event
 * is about (of a payment: organization, type, ID) and the event. All receivers, retries, replays and repetitions after a
 * crash get the same ID, so receivers can drop duplicates, and two deployments that watch the same payment never share
 * one. Without an instance, which cannot be read while it is damaged, the deployment is left out.
 */
export function eventIdOf(key: EventKey, instance?: string): string {
  const deployment = instance === undefined ? [] : [instance];
  return `evt_${digest([...deployment, ...nameOf(key), key.event])}`;
}

function nameOf(key: EventKey): readonly string[] {
  if ('subject' in key) return key.subject;
  const { organizationId, type, paymentId } = key;
  const owner = organizationId === undefined ? [] : [String(organizationId)];
  return [...owner, type, paymentId];
}

/** Returns an event as it is stored where no subscription wants it. */
export function storedEventOf(
  { occurredAt, ...facts }: OccurredEvent,
  id = eventIdOf(facts),
): StoredEvent {
  return { id, facts, occurredAt: new Date(occurredAt).toISOString() };
}

/** 128 bits of SHA-256 in hex over parts that cannot run into each other: an id nobody hits by chance. */
export function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
