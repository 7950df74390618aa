import type { Refund } from '#validators/payment-records';
import type { Payment } from '../../../src/payments/payment.js';
import type { TheirOperation } from '../../../src/payments/reconcile/compare.js';

/** 2026-11-21 07:00 in Almaty. */
export const noon = Date.parse('2026-11-21T02:00:00Z');

/** Returns a paid payment of 1,500 tenge. */
export function ours(more: Partial<Payment> = {}): Payment {
  return {
    id: '1001',
    type: 'qr',
    state: 'ended',
    organizationId: 17,
    sessionId: 'session',
    amount: 1500,
    status: 'Processed',
    statusDesc: 'Paid',
    qrToken: null,
    receiptUrl: null,
    orderNumber: null,
    expiresAt: null,
    createdAt: noon,
    outcome: 'success',
    endedAt: noon + 4000,
    cashier: '77011234567',
    ...more,
  };
}

/** Returns the same payment as an operation of the provider. */
export function theirs(more: Partial<TheirOperation> = {}): TheirOperation {
  return {
    id: '1001',
    otherId: null,
    type: 'qr',
    at: noon,
    amount: 1500,
    returned: 0,
    status: 'Processed',
    ...more,
  };
}

export function refund(more: Partial<Refund> = {}): Refund {
  return {
    id: '100101',
    intentId: '0123456789abcdef01234567',
    organizationId: 17,
    paymentId: '1001',
    amount: 500,
    outcome: 'success',
    cashier: '77011234567',
    createdAt: noon,
    ...more,
  };
}
