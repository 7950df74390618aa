import { join } from 'node:path';
import type { RecordReader, RecordWriter } from '../../base/records.js';
import { recordsChecker } from '../../storage/json/records/record-checker.js';
import type { RecordPlan } from '../../storage/json/records/record-file.js';
import {
  type ReadingOrder,
  readRecords,
  recordWriter,
} from '../../storage/json/records/record-transfer.js';
import { type Payment, paymentKey } from '../payment.js';
import { type AnswerRecord, statesInOrder } from '../records.js';
import { keptFor, type StoredSession } from '../store.js';
import { answerPlan, type KeptAnswer, paymentPlan, sessionPlan, signInPlan } from './plans.js';

/** The records of payments in a folder that nobody works on. `now` tells which answers have expired. */
export function readJsonPayments(folder: string, now: number): readonly RecordReader[] {
  async function* recordsIn<T extends object, State extends string>(
    name: string,
    plan: RecordPlan<T, State>,
    order?: ReadingOrder<State>,
  ) {
    for await (const { record } of readRecords(join(folder, name), plan, order)) yield record;
  }
  return [
    { kind: 'cashier-session', read: () => recordsIn('sessions', sessionPlan) },
    {
      kind: 'payment',
      read: () => recordsIn('.', paymentPlan, { states: statesInOrder }),
    },
    {
      kind: 'payment-answer',
      async *read() {
        const order = { acrossDays: true };
        for await (const entry of readRecords(join(folder, 'idempotency'), answerPlan, order)) {
          const { body, answer, at } = entry.record;
          if (at + keptFor > now) yield { name: entry.id, body, answer, expires: at + keptFor };
        }
      },
    },
  ];
}

/** Fills the folder of payments, which holds nothing yet. */
export function fillJsonPayments(folder: string): readonly RecordWriter[] {
  return [
    recordWriter(
      'cashier-session',
      join(folder, 'sessions'),
      sessionPlan,
      (record: StoredSession) => [record.id, record],
    ),
    recordWriter('payment', folder, paymentPlan, (record: Payment) => [paymentKey(record), record]),
    recordWriter(
      'payment-answer',
      join(folder, 'idempotency'),
      answerPlan,
      (record: AnswerRecord) => {
        const { name, body, answer, expires } = record;
        return [name, { body, answer, at: expires - keptFor } satisfies KeptAnswer];
      },
    ),
  ];
}

/** Checks the files of watched payments, of cashiers' sessions and sign-ins and of kept answers. */
export const paymentChecker = recordsChecker('payments', {
  payments: paymentPlan,
  'payments/sessions': sessionPlan,
  'payments/idempotency': answerPlan,
  'payments/sign-ins': signInPlan,
});
