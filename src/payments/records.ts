import {
  Answer as isAnswer,
  Kept as isKept,
  Payment as isPayment,
  Session as isSession,
} from '#validators/payment-records';
import { checkBy, compareTexts, type RecordKind, rising } from '../base/records.js';
import { type Payment, type PaymentState, paymentKey } from './payment.js';

export type { Answer as AnswerRecord, Kept as KeptRecord } from '#validators/payment-records';

/** The sandbox's kinds and the folder of each. */
export const sandboxKinds = {
  'sandbox-sign-in': 'sign-ins',
  'sandbox-session': 'sessions',
  'sandbox-operation': 'operations',
  'sandbox-key': 'idempotency-keys',
} as const;

/** What payments put into an export, in this order. */
export function paymentKinds(): readonly RecordKind[] {
  return [
    { name: 'cashier-session', check: checkBy(isSession, risingBy('id')) },
    { name: 'payment', check: checkBy(isPayment, faultOfPayment, rising(comparePayments)) },
    { name: 'payment-answer', check: checkBy(isAnswer, risingBy('name')) },
    ...Object.keys(sandboxKinds).map((name) => ({ name, check: checkBy(isKept, risingBy('id')) })),
  ];
}

function risingBy<Name extends string>(name: Name) {
  return rising<Readonly<Record<Name, string>>>((a, b) => compareTexts(a[name], b[name]));
}

/** What the schema cannot say of a payment. */
export function faultOfPayment({ state, endedAt }: Payment): string | undefined {
  return state !== 'open' && endedAt === undefined
    ? 'must have an endedAt, since it is not open'
    : undefined;
}

/** States in the order of exports. */
export const statesInOrder: readonly PaymentState[] = ['open', 'ended', 'unknown'];

/** Open ones first; ended ones by the day on which they ended; then by key. */
function comparePayments(a: Payment, b: Payment): number {
  const states = statesInOrder.indexOf(a.state) - statesInOrder.indexOf(b.state);
  if (states !== 0) return states;
  const days = a.state === 'ended' ? compareTexts(endedDay(a), endedDay(b)) : 0;
  return days || compareTexts(paymentKey(a), paymentKey(b));
}

/** The UTC day on which a payment ended, `2026-07-28`. */
export function endedDay({ endedAt = 0 }: Payment): string {
  return new Date(endedAt).toISOString().slice(0, 10);
}
