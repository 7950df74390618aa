import { createHash } from 'node:crypto';
import type {
  EventFacts,
  EventName,
  OtherFacts,
  StoredEvent,
  StoredFacts,
} from '#validators/webhooks';

export type { EventFacts, EventName, StoredEvent } from '#validators/webhooks';

/** The events that a subscription may list. */
export const eventNames: readonly EventName[] = [
  'payment.success',
  'payment.failed',
  'payment.expired',
];

/** The stored facts about a payment that has ended. Together with the time of sending, they make up the payload. */
export type PaymentFacts = StoredFacts;

/** An event that has occurred. Its ID is derived from its facts and the ID of this deployment. */
export type OccurredEvent = EventFacts & {
  /** The time at which msgsite detected the event, in milliseconds since the epoch. */
  readonly occurredAt: number;
};

/** The end of a payment. */
export type PaymentEvent = PaymentFacts & Pick<OccurredEvent, 'occurredAt'>;

/** The members of an event's facts that identify a payment. */
export type EventPayment = Pick<PaymentFacts, 'organizationId' | 'type' | 'paymentId'>;

/** Identifies an event by its subject and its name. */
export type EventKey =
  | (EventPayment & Pick<PaymentFacts, 'event'>)
  | Pick<OtherFacts, 'subject' | 'event'>;

/** Returns the facts if they are about a payment, otherwise undefined. */
export function paymentOf(facts: EventFacts): PaymentFacts | undefined {
  return 'subject' in facts ? undefined : facts;
}

/** Returns the ID of an event's payment, or the name of a different subject. */
export function subjectOf(facts: EventFacts): string {
  return 'subject' in facts ? facts.subject.join(' ') : facts.paymentId;
}

/**
 * Returns an event's ID, which is sent as `X-Webhook-Id`. It is derived from the deployment (`instance`), the subject
 * (a payment's organization, type and ID) and the name of the event. It is the same for all receivers, retries, replays
 * and repetitions after a crash, so receivers can drop duplicates. Two deployments that poll the same payment never use
 * the same ID. While the stored instance is damaged, IDs do not contain it.
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

/** Returns an event as it is stored. */
export function storedEventOf(
  { occurredAt, ...facts }: OccurredEvent,
  id = eventIdOf(facts),
): StoredEvent {
  return { id, facts, occurredAt: new Date(occurredAt).toISOString() };
}

/**
 * Returns 128 bits of the SHA-256 hash of a list of strings, in hexadecimal digits. Different lists have different
 * digests.
 */
export function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
