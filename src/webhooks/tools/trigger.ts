import type { Clock } from '../../base/clock.js';
import type { PrivateAddresses } from '../delivering/address-guard.js';
import { buildRequest } from '../delivering/request.js';
import { createSender, type SendResult } from '../delivering/sender.js';
import type { EventName } from '../event.js';
import { eventIdOf, type PaymentEvent } from '../event.js';
import type { Subscription } from '../subscriptions/subscription.js';

/** Where a sample is sent. */
export type SampleTarget = Pick<Subscription, 'url' | 'displayUrl' | 'keys'> &
  Partial<Pick<Subscription, 'headers'>>;

export interface SampleResult extends Omit<SendResult, 'retryAfter'> {
  readonly url: string;
  readonly signed: boolean;
  readonly ok: boolean;
}

export interface TriggerOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly privateAddresses: PrivateAddresses;
  readonly signal: AbortSignal;
}

/** Sends an event to each target once, all at the same time; nothing is stored or tried again. */
export async function sendSample(
  event: PaymentEvent,
  targets: readonly SampleTarget[],
  { clock, timeoutMs, privateAddresses, signal }: TriggerOptions,
): Promise<readonly SampleResult[]> {
  const { occurredAt: _, ...facts } = event;
  const delivery = { eventId: eventIdOf(facts), facts, attempts: [] };
  const sender = createSender({ clock, timeoutMs, privateAddresses });
  try {
    return await Promise.all(
      targets.map(async (target) => {
        const { displayUrl, keys } = target;
        const sentAt = clock.now();
        const startedAt = clock.monotonic();
        const request = buildRequest(delivery, { ...target, sentAt, replay: false });
        const { status, error, response, durationMs } = (await sender.send(request, signal)) ?? {
          ...{ status: null, error: 'interrupted', response: null },
          durationMs: Math.round(clock.monotonic() - startedAt),
        };
        const sample = { url: displayUrl, signed: keys.length > 0, ok: error === null };
        return { ...sample, status, error, response, durationMs };
      }),
    );
  } finally {
    sender.close();
  }
}

interface SampleOptions {
  readonly event: EventName;
  readonly type: 'qr' | 'invoice';
  readonly paymentId: string;
  /** In tenge. */
  readonly amount: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const statuses: Readonly<Record<EventName, Readonly<Record<'qr' | 'invoice', string>>>> = {
  'payment.success': { qr: 'Processed', invoice: 'Processed' },
  'payment.failed': { qr: 'Rejected', invoice: 'RemotePaymentRejected' },
  'payment.expired': { qr: 'Expired', invoice: 'Expired' },
};

const descriptions: Readonly<Record<EventName, string>> = {
  'payment.success': 'Paid (sample)',
  'payment.failed': 'Rejected (sample)',
  'payment.expired': 'Expired (sample)',
};

/** A made-up payment's end, shaped like a real one; `data.Sample` is true, so that nobody ships goods for it. */
export function sampleEvent({ event, type, paymentId, amount, now }: SampleOptions): PaymentEvent {
  const status = statuses[event][type];
  const link = `https://sample.invalid/${type}/${encodeURIComponent(paymentId)}`;
  const receiptUrl = event === 'payment.success' ? `${link}/receipt` : null;
  const orderNumber = type === 'invoice' ? `sample-${paymentId}` : null;
  const known = { Status: status, Amount: amount, Sample: true };
  return {
    event,
    paymentId,
    type,
    status,
    statusDesc: descriptions[event],
    amount,
    qrToken: type === 'qr' ? link : null,
    receiptUrl,
    orderNumber,
    data:
      type === 'qr'
        ? { QrOperationId: paymentId, QrToken: link, ...known }
        : { Id: paymentId, OrderNumber: orderNumber, ...known },
    occurredAt: now,
  };
}
