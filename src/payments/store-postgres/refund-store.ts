import type { Refund } from '#validators/payment-records';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/database.js';
import { createRecordTable } from '../../storage/postgres/record-table.js';
import { json, type Sql, valuesOf } from '../../storage/postgres/sql.js';
import { pagesOf } from '../../storage/postgres/sweep.js';
import type { RefundStore } from '../store.js';

interface RefundRow {
  readonly intentId: string;
  readonly record: Refund;
}

/** Refunds listed by one statement. */
const batch = 500;

/** Refunds in the table `refunds`. */
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
        database.run('list refunds', (sql) => selectPage(sql, since, last)),
      );
      for await (const rows of pages) for (const { record } of rows) yield record;
    },
    async removeBefore(day) {
      await table.remove({ column: 'created_at', before: day });
    },
  };
}

/** Selects a page of refunds. With `since`, an index finds them without reading older ones. */
function selectPage(sql: Sql, since: number | undefined, last: RefundRow | undefined) {
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

/** A refund with the columns by which it is found. */
export function refundRow(refund: Refund) {
  const { intentId, createdAt } = refund;
  return { intentId, createdAt: new Date(createdAt), record: json(refund) };
}
