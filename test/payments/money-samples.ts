import type { Intent, Refund } from '#validators/payment-records';
import type { Payment } from '../../src/payments/payment.js';

/** Returns a money request in doubt. Its ID consists of `digit`. */
export const intent = (digit: string, changes: Partial<Intent> = {}): Intent => ({
  id: digit.repeat(24),
  state: 'in_doubt',
  kind: 'invoice',
  organizationId: 7,
  profileId: 8,
  sessionId: 'a',
  cashier: '77011234567',
  amount: 10.5,
  clientPhone: '77017654321',
  body: 'digest',
  key: 'a \0 key',
  createdAt: 1_000,
  ...changes,
});

/** Returns a successful refund. Its intent ID consists of `digit`. */
export const refund = (digit: string, changes: Partial<Refund> = {}): Refund => ({
  id: '5001',
  intentId: digit.repeat(24),
  organizationId: 7,
  paymentId: '1001',
  amount: 10.5,
  outcome: 'success',
  cashier: '77011234567',
  createdAt: 1_000,
  ...changes,
});

/** Returns an open QR payment of organization 1. */
export const payment = (id: string, changes: Partial<Payment> = {}): Payment => ({
  id,
  type: 'qr',
  state: 'open',
  organizationId: 1,
  sessionId: 'a',
  amount: 100.5,
  status: 'QrTokenCreated',
  statusDesc: '',
  qrToken: null,
  receiptUrl: null,
  orderNumber: null,
  expiresAt: null,
  createdAt: 1_000,
  ...changes,
});
