import { join } from 'node:path';
import type { Intent, Refund } from '#validators/payment-records';
import type { RecordReader, RecordWriter } from '../../base/records.js';
import { hasExpired } from '../../base/running-time.js';
import type { DataChecker } from '../../storage/json/check/data-checker.js';
import { recordsChecker } from '../../storage/json/records/record-checker.js';
import type { RecordPlan } from '../../storage/json/records/record-file.js';
import {
  type ReadingOrder,
  readRecords,
  recordWriter,
} from '../../storage/json/records/record-transfer.js';
import { type Payment, paymentKey } from '../payment.js';
import {
  type AnswerRecord,
  intentStatesInOrder,
  keptFor,
  type StoredSession,
  sortedAs,
  statesInOrder,
} from '../records.js';
import { organizationsChecker, writeOrganizations } from './organizations.js';
import {
  answerPlan,
  intentPlan,
  type KeptAnswer,
  paymentPlan,
  refundPlan,
  sessionPlan,
  signInPlan,
} from './plans.js';

/**
 * Returns readers for the records in a payments folder that no process is using. `now` and the stored running time
 * determine which answers have expired.
 */
export function readJsonPayments(
  folder: string,
  now: number,
  storedRunningTime: () => Promise<number | undefined>,
): readonly RecordReader[] {
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
      read: () => recordsIn('.', paymentPlan, { states: statesInOrder, sortedAs }),
    },
    {
      kind: 'payment-answer',
      async *read() {
        const ranFor = await storedRunningTime();
        const clock = { now: () => now, ranFor: () => ranFor };
        const order = { acrossDays: true };
        for await (const entry of readRecords(join(folder, 'idempotency'), answerPlan, order)) {
          if (hasExpired(entry.record, keptFor, clock)) continue;
          const { body, answer, at, ...ran } = entry.record;
          yield { name: entry.id, body, answer, expires: at + keptFor, ...ran };
        }
      },
    },
    {
      kind: 'payment-intent',
      read: () => recordsIn('intents', intentPlan, { states: intentStatesInOrder }),
    },
    { kind: 'refund', read: () => recordsIn('refunds', refundPlan) },
  ];
}

/** Returns writers that fill an empty payments folder. */
export function fillJsonPayments(folder: string): readonly RecordWriter[] {
  return [
    recordWriter(
      'cashier-session',
      join(folder, 'sessions'),
      sessionPlan,
      (record: StoredSession) => [record.id, record],
    ),
    paymentWriter(folder),
    recordWriter(
      'payment-answer',
      join(folder, 'idempotency'),
      answerPlan,
      (record: AnswerRecord) => {
        const { name, expires, ...kept } = record;
        return [name, { ...kept, at: expires - keptFor } satisfies KeptAnswer];
      },
    ),
    recordWriter('payment-intent', join(folder, 'intents'), intentPlan, (record: Intent) => [
      record.id,
      record,
    ]),
    recordWriter('refund', join(folder, 'refunds'), refundPlan, (record: Refund) => [
      record.intentId,
      record,
    ]),
  ];
}

/** Writes payments, and then their organizations. */
function paymentWriter(folder: string): RecordWriter {
  const organizations = new Set<number>();
  const { kind, write } = recordWriter('payment', folder, paymentPlan, (record: Payment) => {
    organizations.add(record.organizationId);
    return [paymentKey(record), record];
  });
  return {
    kind,
    async write(records) {
      await write(records);
      await writeOrganizations(folder, organizations);
    },
  };
}

/** Checks the payments folder. */
export const paymentChecker: DataChecker = {
  name: 'payments',
  async check(data, report) {
    await filesChecker.check(data, report);
    await organizationsChecker.check(data, report);
  },
  async repair(data, repair) {
    await filesChecker.repair(data, repair);
    await organizationsChecker.repair(data, repair);
  },
};

const filesChecker = recordsChecker('payments', {
  payments: paymentPlan,
  'payments/sessions': sessionPlan,
  'payments/idempotency': answerPlan,
  'payments/sign-ins': signInPlan,
  'payments/intents': intentPlan,
  'payments/refunds': refundPlan,
});
