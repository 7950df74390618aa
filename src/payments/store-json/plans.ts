import {
  type Intent,
  Answer as isAnswer,
  Intent as isIntent,
  Payment as isPayment,
  Refund as isRefund,
  Session as isSession,
  type Refund,
} from '#validators/payment-records';
import { checkBy, faultBy } from '../../base/records.js';
import type { Moment } from '../../base/running-time.js';
import type { RecordPlan } from '../../storage/json/records/record-file.js';
import { dayOf } from '../../storage/json/records/record-file.js';
import { type Payment, type PaymentState, paymentKey } from '../payment.js';
import type { ProviderAnswer } from '../providers/provider.js';
import {
  closedDay,
  endedDay,
  faultOfIntent,
  faultOfPayment,
  type IntentState,
  keptFor,
  type PendingSignIn,
  type StoredSession,
} from '../records.js';

const kept = { kept: 'flat' } as const;
const inKept = () => ({ state: 'kept' }) as const;

/** Payments are in `open/`, `ended/<day>/` and `unknown/` of `<data>/payments`. */
export const paymentPlan: RecordPlan<Payment, PaymentState> = {
  states: { open: 'flat', ended: 'by-day-and-id', unknown: 'flat' },
  faultOf: (record, id) =>
    checkBy(isPayment, faultOfPayment, (payment) => faultOfKey(payment, id))(record),
  placeOf: (payment) => ({ state: payment.state, day: endedDay(payment) }),
};

function faultOfKey(payment: Payment, id: string): string | undefined {
  const key = paymentKey(payment);
  return key === id ? undefined : `the record is payment ${key}, not ${id}`;
}

/** Intents are in `in_doubt/`, and closed ones in `<state>/<day>/`, of `<data>/payments/intents`. */
export const intentPlan: RecordPlan<Intent, IntentState> = {
  states: { in_doubt: 'flat', adopted: 'by-day', not_made: 'by-day', abandoned: 'by-day' },
  faultOf: (record, id) =>
    checkBy(
      isIntent,
      faultOfIntent,
      faultOfName(id, (intent) => intent.id),
    )(record),
  placeOf: (intent) => ({ state: intent.state, day: closedDay(intent) }),
};

/** Refunds are in `kept/<day>/` of `<data>/payments/refunds`, under the IDs of their intents. */
export const refundPlan: RecordPlan<Refund, 'kept'> = {
  states: { kept: 'by-day-and-id' },
  faultOf: (record, id) =>
    checkBy(
      isRefund,
      faultOfName(id, ({ intentId }) => intentId),
    )(record),
  placeOf: ({ createdAt }) => ({ state: 'kept', day: dayOf(createdAt) }),
};

function faultOfName<T>(id: string, nameOf: (record: T) => string) {
  return (record: T) =>
    nameOf(record) === id ? undefined : `the record is ${nameOf(record)}, not ${id}`;
}

/** Sessions are in `sessions/kept`. */
export const sessionPlan: RecordPlan<StoredSession, 'kept'> = {
  states: kept,
  faultOf: checkBy(isSession),
  placeOf: inKept,
};

/** An answer as stored in its file. */
export interface KeptAnswer extends Moment {
  readonly body: string;
  readonly answer: ProviderAnswer;
}

/** Answers are in `idempotency/kept/<day>`. */
export const answerPlan: RecordPlan<KeptAnswer, 'kept'> = {
  states: { kept: 'by-day' },
  faultOf(record, name) {
    const { body, answer, at, ...ran } = record as Partial<KeptAnswer>;
    return faultBy(isAnswer, { name, body, answer, expires: Number(at) + keptFor, ...ran });
  },
  placeOf: ({ at }) => ({ state: 'kept', day: dayOf(at) }),
};

/** Sign-ins are in `sign-ins/kept`. */
export const signInPlan: RecordPlan<PendingSignIn, 'kept'> = {
  states: kept,
  faultOf(record) {
    const { phone, wrongCodes } = record as Partial<PendingSignIn>;
    const isSound = typeof phone === 'string' && Number.isSafeInteger(wrongCodes);
    return isSound ? undefined : 'phone or wrongCodes is missing';
  },
  placeOf: inKept,
};
