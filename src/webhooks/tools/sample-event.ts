import type { EventName, PaymentEvent } from '../event.js';

export interface SampleOptions {
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
