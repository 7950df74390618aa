import type { Intent, Refund } from '#validators/payment-records';

/** A request that moves money, in doubt; `digit` is all that its name consists of. */
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

/** A refund that was made; `digit` is all that the name of its intent consists of. */
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
