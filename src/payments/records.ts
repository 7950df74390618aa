import {
  type Intent,
  Answer as isAnswer,
  Intent as isIntent,
  Kept as isKept,
  Payment as isPayment,
  Refund as isRefund,
  Session as isSession,
  type Refund,
  type Session,
} from '#validators/payment-records';
import { checkBy, compareTexts, type RecordKind, rising } from '../base/records.js';
import { type Payment, type PaymentState, paymentKey } from './payment.js';

export type { Answer as AnswerRecord, Kept as KeptRecord } from '#validators/payment-records';

/** A cashier's session. Times are milliseconds since the epoch. */
export type StoredSession = Session;

/** Returns a changed session with the marks of the stored one, because marks are never removed. */
export function withMarksOf(kept: StoredSession, changed: StoredSession): StoredSession {
  const { loggedOutAt, endedUpstreamAt } = kept;
  return {
    ...changed,
    ...(loggedOutAt === undefined ? {} : { loggedOutAt }),
    ...(endedUpstreamAt === undefined ? {} : { endedUpstreamAt }),
  };
}

/** Retention of the answer to an Idempotency-Key, by wall-clock time and by running time, in milliseconds. @bound */
export const keptFor = 24 * 3_600_000;

/** A sign-in whose code was sent but not yet confirmed. */
export interface PendingSignIn {
  /** The phone that received the code. */
  readonly phone: string;
  /** Number of wrong codes, including codes that are being checked. */
  readonly wrongCodes: number;
}

/** Time limit for completing a sign-in after its code was sent, in milliseconds. @bound */
export const signInLife = 600_000;
/** Maximum number of wrong codes per sign-in. @bound */
export const codesPerSignIn = 5;
/** Maximum number of pending sign-ins. A new one replaces the oldest. */
export const maxSignIns = 10_000;

/** Retention of a closed intent, in milliseconds. Longer than the validity of its key. */
export const closedIntentLife = 30 * 86_400_000;

/** The sandbox's record kinds and their folders. */
export const sandboxKinds = {
  'sandbox-sign-in': 'sign-ins',
  'sandbox-session': 'sessions',
  'sandbox-operation': 'operations',
  'sandbox-key': 'idempotency-keys',
} as const;

/** Returns the record kinds that payments add to an export, in export order. */
export function paymentKinds(): readonly RecordKind[] {
  return [
    { name: 'cashier-session', check: checkBy(isSession, risingBy('id')) },
    { name: 'payment', check: checkBy(isPayment, faultOfPayment, rising(comparePayments)) },
    { name: 'payment-answer', check: checkBy(isAnswer, risingBy('name')) },
    { name: 'payment-intent', check: checkBy(isIntent, faultOfIntent, rising(compareIntents)) },
    { name: 'refund', check: checkBy(isRefund, rising(compareRefunds)) },
    ...Object.keys(sandboxKinds).map((name) => ({ name, check: checkBy(isKept, risingBy('id')) })),
  ];
}

function risingBy<Name extends string>(name: Name) {
  return rising<Readonly<Record<Name, string>>>((a, b) => compareTexts(a[name], b[name]));
}

/** Returns the error in a payment that the schema cannot detect; undefined if there is none. */
export function faultOfPayment({ state, endedAt }: Payment): string | undefined {
  return state !== 'open' && endedAt === undefined
    ? 'must have an endedAt because it is not open'
    : undefined;
}

/** Returns the error in an intent that the schema cannot detect; undefined if there is none. */
export function faultOfIntent({ state, closedAt }: Intent): string | undefined {
  return state !== 'in_doubt' && closedAt === undefined
    ? 'must have a closedAt because it is not in_doubt'
    : undefined;
}

export type IntentState = Intent['state'];

/** States of intents in the order of exports. */
export const intentStatesInOrder: readonly IntentState[] = [
  'in_doubt',
  'adopted',
  'not_made',
  'abandoned',
];

/** Compares intents by state, then closed intents by closing day, then by ID. */
function compareIntents(a: Intent, b: Intent): number {
  const states = intentStatesInOrder.indexOf(a.state) - intentStatesInOrder.indexOf(b.state);
  if (states !== 0) return states;
  const days = a.state === 'in_doubt' ? 0 : compareTexts(closedDay(a), closedDay(b));
  return days || compareTexts(a.id, b.id);
}

/** Returns the UTC day on which an intent was closed, such as `2026-07-28`. */
export function closedDay({ closedAt = 0 }: Intent): string {
  return new Date(closedAt).toISOString().slice(0, 10);
}

/** Compares refunds by UTC creation day, then by intent ID. */
function compareRefunds(a: Refund, b: Refund): number {
  const dayOf = ({ createdAt }: Refund) => new Date(createdAt).toISOString().slice(0, 10);
  return compareTexts(dayOf(a), dayOf(b)) || compareTexts(a.intentId, b.intentId);
}

/** States in the order of exports. */
export const statesInOrder: readonly PaymentState[] = ['open', 'ended', 'unknown'];

/** Compares payments by state, then ended payments by end day, then by type, ID and organization. */
function comparePayments(a: Payment, b: Payment): number {
  const states = statesInOrder.indexOf(a.state) - statesInOrder.indexOf(b.state);
  if (states !== 0) return states;
  const days = a.state === 'ended' ? compareTexts(endedDay(a), endedDay(b)) : 0;
  return days || compareTexts(sortedAs(paymentKey(a)), sortedAs(paymentKey(b)));
}

/** Returns the text by which exports sort a payment key. The organization comes last, as in older exports. */
export function sortedAs(key: string): string {
  return key.replace(/^(-?\d+)-(.*)$/, '$2 $1');
}

/** Returns the UTC day on which a payment ended, such as `2026-07-28`. */
export function endedDay({ endedAt = 0 }: Payment): string {
  return new Date(endedAt).toISOString().slice(0, 10);
}
