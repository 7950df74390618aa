import type { Intent, Refund } from '#validators/payment-records';
import { jsonParameter } from '../../storage/postgres/connect.js';
import { type PostgresRecords, tableRecords } from '../../storage/postgres/records.js';
import type { Payment } from '../payment.js';
import { type AnswerRecord, intentStatesInOrder, statesInOrder } from '../records.js';
import type { StoredSession } from '../store.js';
import { intentRow } from './intent-store.js';
import { type PaymentRow, toPayment, toRow } from './payment-rows.js';
import { refundRow } from './refund-store.js';

/** The records of payments in their tables. `now` (milliseconds) tells which answers have expired. */
export function postgresPaymentRecords(now: number): readonly PostgresRecords[] {
  return [
    tableRecords<{ record: StoredSession }, StoredSession>({
      kind: 'cashier-session',
      table: 'msgsite.sessions',
      select: (sql) => sql`
        select record from msgsite.sessions where record is not null order by id collate "C"`,
      toRecord: ({ record }) => record,
      toRow: (session, sql) => ({ id: session.id, record: jsonParameter(sql, session) }),
    }),
    tableRecords<PaymentRow, Payment>({
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
    tableRecords<Omit<AnswerRecord, 'expires'> & { expiresAt: string }, AnswerRecord>({
      kind: 'payment-answer',
      table: 'msgsite.payment_answers',
      select: (sql) => sql`
        select name, body, answer, expires_at from msgsite.payment_answers
        where answer is not null and expires_at > ${new Date(now)} order by name collate "C"`,
      toRecord: ({ expiresAt, ...answer }) => ({ ...answer, expires: Date.parse(expiresAt) }),
      toRow: ({ name, body, answer, expires }, sql) => ({
        name,
        body,
        answer: jsonParameter(sql, answer),
        expiresAt: new Date(expires),
      }),
    }),
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
