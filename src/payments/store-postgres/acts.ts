import type { Intent, Refund } from '#validators/payment-records';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/database.js';
import { createRecordTable } from '../../storage/postgres/record-table.js';
import type { Sql } from '../../storage/postgres/sql.js';
import { json, part, valuesOf } from '../../storage/postgres/sql.js';
import { pagesOf } from '../../storage/postgres/sweep.js';
import type { IntentStore, RefundStore } from '../store.js';

interface IntentRow {
  readonly id: string;
  readonly record: Intent;
}

/** Maximum number of intents or refunds that one statement lists. */
const batch = 500;

/** Stores intents in the table `intents`. */
export function createPostgresIntentStore(database: Database): IntentStore {
  const table = createRecordTable<Intent>({
    ...{ database, table: 'msgsite.intents', key: 'id' },
    toRow: intentRow,
  });
  return {
    async add(intent) {
      await query(database, 'store an intent')`
        insert into msgsite.intents ${valuesOf(intentRow(intent))}
        on conflict (id) do update set state = excluded.state, closed_at = excluded.closed_at,
          record = excluded.record
        where intents.state <> 'in_doubt'`;
    },
    find: table.find,
    async *list(state) {
      const pages = pagesOf<IntentRow>(
        batch,
        (last) =>
          query<IntentRow>(database, 'list intents')`
            select id, record from msgsite.intents
            where state = ${state} and id > ${last?.id ?? ''} order by id limit ${batch}`,
      );
      for await (const rows of pages) for (const { record } of rows) yield record;
    },
    change: table.change,
    async removeClosedBefore(day) {
      await table.remove({
        ...{ column: 'closed_at', before: day },
        where: part`and state <> 'in_doubt'`,
      });
    },
  };
}

/** Returns the row of an intent. */
export function intentRow(intent: Intent) {
  const { id, state, closedAt } = intent;
  return {
    id,
    state,
    closedAt: closedAt === undefined ? null : new Date(closedAt),
    record: json(intent),
  };
}

interface RefundRow {
  readonly intentId: string;
  readonly record: Refund;
}

/** Stores refunds in the table `refunds`. */
export function createPostgresRefundStore(database: Database): RefundStore {
  const table = createRecordTable<Refund>({
    ...{ database, table: 'msgsite.refunds', key: 'intent_id' },
    toRow: refundRow,
  });
  return {
    async put(refund) {
      await query(database, 'store a refund')`
        insert into msgsite.refunds ${valuesOf(refundRow(refund))}
        on conflict (intent_id) do update set created_at = excluded.created_at,
          record = excluded.record`;
    },
    find: table.find,
    async *list({ since } = {}) {
      const pages = pagesOf<RefundRow>(batch, (last) =>
        database.run('list refunds', (sql) => selectRefunds(sql, since, last)),
      );
      for await (const rows of pages) for (const { record } of rows) yield record;
    },
    async removeBefore(day) {
      await table.remove({ column: 'created_at', before: day });
    },
  };
}

/** Selects a page of refunds. With `since`, an index skips older refunds. */
function selectRefunds(sql: Sql, since: number | undefined, last: RefundRow | undefined) {
  const behind = last?.intentId ?? '';
  if (since === undefined) {
    return sql<RefundRow[]>`
      select intent_id, record from msgsite.refunds
      where intent_id > ${behind} order by intent_id limit ${batch}`;
  }
  const from = last === undefined ? since : last.record.createdAt;
  return sql<RefundRow[]>`
    select intent_id, record from msgsite.refunds
    where (created_at, intent_id) > (${new Date(from)}, ${behind})
    order by created_at, intent_id limit ${batch}`;
}

/** Returns the row of a refund. */
export function refundRow(refund: Refund) {
  const { intentId, createdAt } = refund;
  return { intentId, createdAt: new Date(createdAt), record: json(refund) };
}
