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

/** A cashier's session as the gateway keeps it. Times are milliseconds since the epoch. */
export type StoredSession = Session;

/** A changed session with the marks of the one that is kept: marks are only ever set. */
export function withMarksOf(kept: StoredSession, changed: StoredSession): StoredSession {
  const { loggedOutAt, endedUpstreamAt } = kept;
  return {
    ...changed,
    ...(loggedOutAt === undefined ? {} : { loggedOutAt }),
    ...(endedUpstreamAt === undefined ? {} : { endedUpstreamAt }),
  };
}

/** Milliseconds for which the answer under an Idempotency-Key is kept, by the wall clock and by running time. @bound */
export const keptFor = 24 * 3_600_000;

/** A sign-in whose code was sent and that is not finished, as the gateway remembers it. */
export interface PendingSignIn {
  /** Whom a code was sent to. */
  readonly phone: string;
  /** Codes that were given and were not right, those under way included. */
  readonly wrongCodes: number;
}

/** Milliseconds that a sign-in may take after its code was sent. @bound */
export const signInLife = 600_000;
/** Wrong codes that close a sign-in. @bound */
export const codesPerSignIn = 5;
/** The most sign-ins under way; beyond, the oldest one has to be started again. */
export const mostSignIns = 10_000;

/** Milliseconds for which an intent is kept after it was closed: longer than its key counts. */
export const closedIntentLife = 30 * 86_400_000;

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
    { name: 'payment-intent', check: checkBy(isIntent, faultOfIntent, rising(compareIntents)) },
    { name: 'refund', check: checkBy(isRefund, rising(compareRefunds)) },
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

/** What the schema cannot say of an intent. */
export function faultOfIntent({ state, closedAt }: Intent): string | undefined {
  return state !== 'in_doubt' && closedAt === undefined
    ? 'must have a closedAt, since it is not in_doubt'
    : undefined;
}

/** How an intent stands. */
export type IntentState = Intent['state'];

/** States of intents in the order of exports. */
export const intentStatesInOrder: readonly IntentState[] = [
  'in_doubt',
  'adopted',
  'not_made',
  'abandoned',
];

/** By state, closed ones by the day on which they were closed, then by id. */
function compareIntents(a: Intent, b: Intent): number {
  const states = intentStatesInOrder.indexOf(a.state) - intentStatesInOrder.indexOf(b.state);
  if (states !== 0) return states;
  const days = a.state === 'in_doubt' ? 0 : compareTexts(closedDay(a), closedDay(b));
  return days || compareTexts(a.id, b.id);
}

/** The UTC day on which an intent was closed, `2026-07-28`. */
export function closedDay({ closedAt = 0 }: Intent): string {
  return new Date(closedAt).toISOString().slice(0, 10);
}

/** By the (UTC) day on which they were made, then by the names of their intents. */
function compareRefunds(a: Refund, b: Refund): number {
  const dayOf = ({ createdAt }: Refund) => new Date(createdAt).toISOString().slice(0, 10);
  return compareTexts(dayOf(a), dayOf(b)) || compareTexts(a.intentId, b.intentId);
}

/** States in the order of exports. */
export const statesInOrder: readonly PaymentState[] = ['open', 'ended', 'unknown'];

/** Open ones first; ended ones by the day on which they ended; then by type, id and organization. */
function comparePayments(a: Payment, b: Payment): number {
  const states = statesInOrder.indexOf(a.state) - statesInOrder.indexOf(b.state);
  if (states !== 0) return states;
  const days = a.state === 'ended' ? compareTexts(endedDay(a), endedDay(b)) : 0;
  return days || compareTexts(sortedAs(paymentKey(a)), sortedAs(paymentKey(b)));
}

/**
 * What payments are compared as in exports, by their keys: first by what was all of the key in older
 * versions, whose exports have the same order then.
 */
export function sortedAs(key: string): string {
  return key.replace(/^(-?\d+)-(.*)$/, '$2 $1');
}

/** The UTC day on which a payment ended, `2026-07-28`. */
export function endedDay({ endedAt = 0 }: Payment): string {
  return new Date(endedAt).toISOString().slice(0, 10);
}
