import { jsonParameter, type TransactionSql } from '../../storage/postgres/connect.js';
import { type PostgresRecords, streamRows } from '../../storage/postgres/records.js';
import { type Payment, paymentKey } from '../payment.js';
import type { ProviderAnswer } from '../providers/provider.js';
import { type AnswerRecord, statesInOrder } from '../records.js';
import type { StoredSession } from '../sessions/session-store.js';

/** The records of payments in their tables. `now` (milliseconds) tells which answers have expired. */
export function postgresPaymentRecords(now: number): readonly PostgresRecords[] {
  return [
    {
      kind: 'cashier-session',
      read: (sql) =>
        streamRows(
          sql<{ record: StoredSession }[]>`
            select record from msgsite.sessions where record is not null order by id collate "C"`,
          ({ record }) => record,
        ),
      insert: (sql, records) => insertSessions(sql, records as readonly StoredSession[]),
    },
    {
      kind: 'payment',
      read: (sql) =>
        streamRows(
          sql<{ record: Payment; state: Payment['state'] }[]>`
            select record, state from msgsite.payments
            order by array_position(${[...statesInOrder]}::text[], state),
              case when state = 'ended' then (ended_at at time zone 'UTC')::date end,
              key collate "C"`,
          ({ record, state }) => ({ ...record, state }),
        ),
      insert: (sql, records) => insertPayments(sql, records as readonly Payment[]),
    },
    {
      kind: 'payment-answer',
      read: (sql) =>
        streamRows(
          sql<AnswerRow[]>`
            select name, body, answer, expires_at from msgsite.payment_answers
            where answer is not null and expires_at > ${new Date(now)} order by name collate "C"`,
          ({ name, body, answer, expires_at: expires }): AnswerRecord => ({
            name,
            body,
            answer,
            expires: expires.getTime(),
          }),
        ),
      insert: (sql, records) => insertAnswers(sql, records as readonly AnswerRecord[]),
    },
  ];
}

interface AnswerRow {
  readonly name: string;
  readonly body: string;
  readonly answer: ProviderAnswer;
  readonly expires_at: Date;
}

function insertSessions(sql: TransactionSql, sessions: readonly StoredSession[]) {
  return sql`
    insert into msgsite.sessions (id, record)
    select id, record from unnest(${sessions.map(({ id }) => id)}::text[])
      with ordinality as ids (id, place)
    join json_array_elements(${jsonParameter(sql, sessions)})
      with ordinality as records (record, place) using (place)`;
}

function insertPayments(sql: TransactionSql, payments: readonly Payment[]) {
  const endedAt = payments.map(({ endedAt: at }) =>
    at === undefined ? null : new Date(at).toISOString(),
  );
  return sql`
    insert into msgsite.payments (key, state, session_id, ended_at, record)
    select key, state, session_id, ended_at, record
    from unnest(${payments.map(paymentKey)}::text[],
      ${payments.map(({ state }) => state)}::text[],
      ${payments.map(({ sessionId }) => sessionId)}::text[],
      ${endedAt}::timestamptz[])
      with ordinality as given (key, state, session_id, ended_at, place)
    join json_array_elements(${jsonParameter(sql, payments)})
      with ordinality as records (record, place) using (place)`;
}

function insertAnswers(sql: TransactionSql, answers: readonly AnswerRecord[]) {
  return sql`
    insert into msgsite.payment_answers (name, body, answer, expires_at)
    select name, body, answer, expires_at
    from unnest(${answers.map(({ name }) => name)}::text[],
      ${answers.map(({ body }) => body)}::text[],
      ${answers.map(({ expires }) => new Date(expires).toISOString())}::timestamptz[])
      with ordinality as given (name, body, expires_at, place)
    join json_array_elements(${jsonParameter(
      sql,
      answers.map(({ answer }) => answer),
    )})
      with ordinality as records (answer, place) using (place)`;
}
