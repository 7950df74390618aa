import type { Intent, Refund } from '#validators/payment-records';
import type { Clock } from '../../base/clock.js';
import { recentRunningTimes } from '../../base/running-time.js';
import { type PostgresRecords, tableRecords } from '../../storage/postgres/record-table.js';
import { json } from '../../storage/postgres/sql.js';
import { storedRunningTime } from '../../storage/postgres/state-store.js';
import type { Payment } from '../payment.js';
import {
  type AnswerRecord,
  intentStatesInOrder,
  keptFor,
  type StoredSession,
  statesInOrder,
} from '../records.js';
import { intentRow, refundRow } from './acts.js';
import { type PaymentTableRow, toPayment, toRow } from './payment-claims.js';

/**
 * Returns readers and writers for the payment tables. `now` (milliseconds) and the stored running time determine which
 * answers have expired.
 */
export function postgresPaymentRecords(now: number): readonly PostgresRecords[] {
  return [
    tableRecords<{ record: StoredSession }, StoredSession>({
      kind: 'cashier-session',
      table: 'msgsite.sessions',
      select: (sql) => sql`
        select record from msgsite.sessions where record is not null order by id collate "C"`,
      toRecord: ({ record }) => record,
      toRow: (session) => ({ id: session.id, record: json(session) }),
    }),
    tableRecords<PaymentTableRow, Payment>({
      kind: 'payment',
      table: 'msgsite.payments',
      select: (sql) => sql`
        select key, record, state from msgsite.payments
        order by array_position(${[...statesInOrder]}::text[], state),
          case when state = 'ended' then (ended_at at time zone 'UTC')::date end,
          regexp_replace(key, '^(-?[0-9]+)-(.*)$', '\\2 \\1') collate "C"`,
      toRecord: toPayment,
      toRow,
    }),
    {
      ...answerRecords({ now: () => now }),
      async *read(sql) {
        const ranFor = await storedRunningTime(sql);
        yield* answerRecords({ now: () => now, ranFor: () => ranFor }).read(sql);
      },
    },
    tableRecords<{ record: Intent }, Intent>({
      kind: 'payment-intent',
      table: 'msgsite.intents',
      select: (sql) => sql`
        select record from msgsite.intents
        order by array_position(${[...intentStatesInOrder]}::text[], state),
          case when state <> 'in_doubt' then (closed_at at time zone 'UTC')::date end,
          id collate "C"`,
      toRecord: ({ record }) => record,
      toRow: intentRow,
    }),
    tableRecords<{ record: Refund }, Refund>({
      kind: 'refund',
      table: 'msgsite.refunds',
      select: (sql) => sql`
        select record from msgsite.refunds
        order by (created_at at time zone 'UTC')::date, intent_id collate "C"`,
      toRecord: ({ record }) => record,
      toRow: refundRow,
    }),
  ];
}

interface AnswerRow extends Omit<AnswerRecord, 'expires' | 'ranAt'> {
  readonly expiresAt: string;
  readonly ranAt: number | null;
}

/** Returns the reader and writer of answers. Reads only answers that have not expired by `clock`. */
function answerRecords(clock: Pick<Clock, 'now' | 'ranFor'>): PostgresRecords {
  const { from, to } = recentRunningTimes(keptFor, clock);
  return tableRecords<AnswerRow, AnswerRecord>({
    kind: 'payment-answer',
    table: 'msgsite.payment_answers',
    select: (sql) => sql`
      select name, body, answer, expires_at, ran_at from msgsite.payment_answers
      where answer is not null
        and (expires_at > ${new Date(clock.now())} or ran_at between ${from} and ${to})
      order by name collate "C"`,
    toRecord: ({ expiresAt, ranAt, ...answer }) => ({
      ...{ ...answer, expires: Date.parse(expiresAt) },
      ...(ranAt === null ? {} : { ranAt }),
    }),
    // An unknown member becomes an unknown column, which the database rejects.
    toRow: ({ answer, expires, ...record }) => ({
      ...{ ranAt: null, ...record },
      ...{ answer: json(answer), expiresAt: new Date(expires) },
    }),
  });
}
