import type { Refund } from '#validators/payment-records';
import type { Database } from '../../storage/postgres/database.js';
import { pagesOf, removeInBatches } from '../../storage/postgres/pages.js';
import { query } from '../../storage/postgres/query.js';
import { json, type Sql, valuesOf } from '../../storage/postgres/sql.js';
import type { RefundStore } from '../store.js';

interface RefundRow {
  readonly intentId: string;
  readonly record: Refund;
}

/** Refunds listed, or removed, by one statement. */
const batch = 500;

/** Refunds in the table `refunds`. */
export function createPostgresRefundStore(database: Database): RefundStore {
  return {
    async put(refund) {
      await database.run('store a refund', (sql) => {
        const row = refundRow(refund);
        return sql`
          insert into msgsite.refunds ${valuesOf(row)}
          on conflict (intent_id) do update set created_at = excluded.created_at,
            record = excluded.record`;
      });
    },
    async find(intentId) {
      const [row] = await query<RefundRow>(database, 'refund by intent')`
        select intent_id, record from msgsite.refunds where intent_id = ${intentId}`;
      return row?.record;
    },
    async *list({ since } = {}) {
      const pages = pagesOf<RefundRow>(batch, (last) =>
        database.run('list refunds', (sql) => selectPage(sql, since, last)),
      );
      for await (const rows of pages) for (const { record } of rows) yield record;
    },
    async removeBefore(day) {
      const before = new Date(`${day}T00:00:00Z`);
      await removeInBatches(
        batch,
        () =>
          query(database, 'remove old refunds')`
            delete from msgsite.refunds where ctid = any(array(
              select ctid from msgsite.refunds where created_at < ${before}
              order by created_at limit ${batch})) and created_at < ${before}
            returning 1`,
      );
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
