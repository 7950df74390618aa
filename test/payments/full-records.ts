import type { Answer, Capabilities, Intent, Refund, Session } from '#validators/payment-records';
import type { Payment } from '../../src/payments/payment.js';

/** The time at which these records are read, in milliseconds since the epoch. */
export const now = Date.parse('2026-11-21T12:00:00Z');

const session: Required<Session> & { readonly capabilities: Required<Capabilities> } = {
  id: 'a'.repeat(40),
  tokenSN: 'SN',
  vtokenSecret: 'sealed',
  organizationId: 7,
  profileId: 8,
  orgName: 'Shop',
  phone: '77011234567',
  createdAt: 1_000,
  loggedOutAt: 2_000,
  endedUpstreamAt: 3_000,
  capabilities: { idempotent: true, lookup: true, lookupHorizon: 60, sandbox: true },
};

const payment: Required<Payment> = {
  id: '1001',
  otherId: '1002',
  type: 'invoice',
  state: 'ended',
  organizationId: 7,
  sessionId: session.id,
  amount: 100.5,
  status: 'Processed',
  statusDesc: 'Paid',
  qrToken: 'https://pay.example/qr/1',
  receiptUrl: 'https://pay.example/receipt/1',
  orderNumber: '17',
  clientPhone: '77017654321',
  expiresAt: 4_000,
  createdAt: 1_000,
  failingSince: 2_000,
  failingFor: 500,
  outcome: 'success',
  endedAt: 3_000,
  profileId: 8,
  cashier: '77011234567',
  intentId: 'b'.repeat(24),
  reference: 'order-1',
  sandbox: true,
  reason: 'other_amount',
  flippedTo: 'Expired',
  flippedOutcome: 'expired',
};

const answer: Required<Answer> = {
  name: 'c'.repeat(64),
  body: 'digest',
  answer: { StatusCode: 0, Data: { Id: 1001 } },
  expires: now + 1_000,
  ranAt: 5_000,
};

const intent: Required<Intent> = {
  id: 'd'.repeat(24),
  state: 'adopted',
  kind: 'refund',
  organizationId: 7,
  profileId: 8,
  sessionId: session.id,
  cashier: '77011234567',
  amount: 10.5,
  clientPhone: '77017654321',
  paymentId: '1001',
  reference: 'order-1',
  sandbox: true,
  body: 'digest',
  key: 'key',
  createdAt: 1_000,
  ranAt: 2_000,
  candidates: [{ id: '5', amount: 10.5, madeAt: 1_500, status: 'Processed' }],
  operationId: '5001',
  closedAt: 3_000,
  answerUntil: 2_500,
  closedRanAt: 3_500,
};

const refund: Required<Refund> = {
  id: '5001',
  intentId: intent.id,
  organizationId: 7,
  paymentId: '1001',
  amount: 10.5,
  outcome: 'success',
  cashier: '77011234567',
  createdAt: 1_000,
  ranAt: 2_000,
};

/** A record of each kind with all optional properties. The type check fails if a property is missing. */
export const fullRecords = {
  'cashier-session': session,
  payment,
  'payment-answer': answer,
  'payment-intent': intent,
  refund,
};
