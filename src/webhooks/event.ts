import { createHash } from 'node:crypto';
import type { EventName, StoredEvent, StoredFacts } from '#validators/webhooks';
import { stringifyExact } from '../json/exact-json.js';

export type { EventName, StoredEvent } from '#validators/webhooks';

/** The events a subscription may ask for. */
export const eventNames: readonly EventName[] = [
  'payment.success',
  'payment.failed',
  'payment.expired',
];

/** The stored facts about a payment that has ended: everything that is sent except the time of sending. */
export type PaymentFacts = StoredFacts;

/** A payment's end. */
export interface PaymentEvent extends PaymentFacts {
  /** When it was learned; milliseconds since the epoch. */
  readonly occurredAt: number;
}

/** What names a payment in the facts of its event. */
export type EventPayment = Pick<PaymentFacts, 'organizationId' | 'type' | 'paymentId'>;

/**
 * Returns the event's ID, which is sent as `X-Webhook-Id`. It is derived from the deployment (`instance`), the payment
 * (organization, type, ID) and the event. All receivers, retries, replays and repetitions after a crash get the same
 * ID, so receivers can drop duplicates, and two deployments that watch the same payment never share one. Without an
 * instance, which cannot be read while it is damaged, the deployment is left out.
 */
export function eventIdOf(
  facts: EventPayment & Pick<PaymentFacts, 'event'>,
  instance?: string,
): string {
  const { organizationId, type, paymentId, event } = facts;
  const owner = organizationId === undefined ? [] : [String(organizationId)];
  const deployment = instance === undefined ? [] : [instance];
  return `evt_${digest([...deployment, ...owner, type, paymentId, event])}`;
}

/**
 * Returns the JSON body of a request, with every digit of the provider's numbers. `sentAt` is in milliseconds since the
 * epoch. The organization is not sent, and the sandbox mark is sent as a header.
 */
export function payloadOf(facts: PaymentFacts, sentAt: number): string {
  const { event, paymentId, type, status, statusDesc, amount } = facts;
  const { qrToken, receiptUrl, orderNumber, reference, data } = facts;
  return stringifyExact({
    event,
    paymentId,
    type,
    status,
    statusDesc,
    amount,
    qrToken,
    receiptUrl,
    orderNumber,
    ...(reference === undefined ? {} : { reference }),
    data,
    timestamp: new Date(sentAt).toISOString(),
  });
}

/** An event as it is stored where no subscription wants it. */
export function storedEventOf(
  { occurredAt, ...facts }: PaymentEvent,
  id = eventIdOf(facts),
): StoredEvent {
  return { id, facts, occurredAt: new Date(occurredAt).toISOString() };
}

/** 128 bits of SHA-256 in hex over parts that cannot run into each other: an id nobody hits by chance. */
export function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
