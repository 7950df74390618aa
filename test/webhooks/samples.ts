import type { PaymentEvent } from '../../src/events/event.js';

/** Returns the event of a payment's end with every field set. */
export function sampleEvent(changes: Partial<PaymentEvent> = {}): PaymentEvent {
  return {
    event: 'payment.success',
    paymentId: '1001',
    type: 'qr',
    status: 'Processed',
    statusDesc: 'Оплачено ₸',
    amount: 1500,
    qrToken: 'https://pay.example/qr/1001',
    receiptUrl: 'https://pay.example/receipt/1001',
    orderNumber: null,
    data: { QrOperationId: 1001, Status: 'Processed' },
    occurredAt: Date.parse('2026-11-21T02:00:00.000Z'),
    ...changes,
  };
}
