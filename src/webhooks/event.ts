import { createHash } from 'node:crypto';
import type { Delivery, EventName } from '#validators/webhooks';
import { stringifyExact } from '../json/exact-json.js';

export type { EventName } from '#validators/webhooks';

/** The events a subscription may ask for. */
export const eventNames: readonly EventName[] = [
  'payment.success',
  'payment.failed',
  'payment.expired',
];

/** What a payload says about a payment that has ended: everything but the time of sending. */
export type PaymentFacts = Delivery['facts'];

/** A payment's end. */
export interface PaymentEvent extends PaymentFacts {
  /** When it was learned; milliseconds since the epoch. */
  readonly occurredAt: number;
}

/**
 * The event's id, sent as `X-Webhook-Id`: derived from payment and event, so that every receiver,
 * retry, replay and repetition after a crash carries the same one, and receivers can drop doubles.
 */
export function eventIdOf({
  type,
  paymentId,
  event,
}: Pick<PaymentFacts, 'type' | 'paymentId' | 'event'>): string {
  return `evt_${digest([type, paymentId, event])}`;
}

/** The JSON body of a request, with every digit of the provider's numbers. `sentAt` is in milliseconds since the epoch. */
export function payloadOf(facts: PaymentFacts, sentAt: number): string {
  const { event, paymentId, type, status, statusDesc, amount } = facts;
  const { qrToken, receiptUrl, orderNumber, data } = facts;
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
    data,
    timestamp: new Date(sentAt).toISOString(),
  });
}

/** 128 bits of SHA-256 in hex over parts that cannot run into each other: an id nobody hits by chance. */
export function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
