import { json } from '../../storage/postgres/sql.js';
import { type Payment, type PaymentState, paymentKey } from '../payment.js';

export interface PaymentRow {
  readonly key: string;
  readonly state: PaymentState;
  readonly record: Payment;
}

/** The column says how it stands, as the folder does where payments are files. */
export function toPayment({ state, record }: Omit<PaymentRow, 'key'>): Payment {
  return { ...record, state };
}

/** A payment with the columns by which it is found. */
export function toRow(payment: Payment) {
  const { id, state, organizationId, sessionId, endedAt, createdAt } = payment;
  return {
    key: paymentKey(payment),
    state,
    organizationId,
    operationId: id,
    createdAt,
    sessionId,
    endedAt: endedAt === undefined ? null : new Date(endedAt),
    record: json(payment),
  };
}
