import { createHash } from 'node:crypto';

/** The events a subscription may ask for. */
export const eventNames = ['payment.success', 'payment.failed', 'payment.expired'] as const;

export type EventName = (typeof eventNames)[number];

/** What a payload says about a payment that has ended: everything but the time of sending. */
export interface PaymentFacts {
  readonly event: EventName;
  /** The QR operation id or the invoice operation id. */
  readonly paymentId: string;
  readonly type: 'qr' | 'invoice';
  /** The provider's final status, as the provider names it. */
  readonly status: string;
  readonly statusDesc: string;
  /** In tenge. */
  readonly amount: number | null;
  /** QR payments only. */
  readonly qrToken: string | null;
  readonly receiptUrl: string | null;
  readonly orderNumber: string | null;
  /** The provider's whole answer. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** A payment's end, told once it is known. */
export interface PaymentEvent extends PaymentFacts {
  /** When it was learned; milliseconds since the epoch. */
  readonly arisenAt: number;
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

/** The JSON body of a request. `sentAt` is in milliseconds since the epoch. */
export function payloadOf(facts: PaymentFacts, sentAt: number): string {
  const { event, paymentId, type, status, statusDesc, amount } = facts;
  const { qrToken, receiptUrl, orderNumber, data } = facts;
  return JSON.stringify({
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
