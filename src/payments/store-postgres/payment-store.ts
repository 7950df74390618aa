import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/database.js';
import { assignments, json, type Sql, valuesOf } from '../../storage/postgres/sql.js';
import { pagesOf } from '../../storage/postgres/sweep.js';
import type { Worker } from '../../storage/postgres/worker.js';
import { newestFirst, type Payment, paymentKey, positionOf } from '../payment.js';
import type { PaymentStore } from '../store.js';
import { createPaymentClaims, type PaymentTableRow, toPayment, toRow } from './payment-claims.js';

interface EndedRow {
  readonly key: string;
  /** As text, because a `Date` has no microseconds. */
  readonly ended: string;
}

/** Maximum number of payments that one statement lists or removes. */
const batch = 500;

/** Stores payments in the table `payments`. */
export function createPostgresPaymentStore(database: Database, worker: Worker): PaymentStore {
  const { claimNew, forget, claiming } = createPaymentClaims(database, worker);

  async function removeEnded(keys: readonly string[]): Promise<number> {
    const removed = await query(database, 'remove old payments')`
      delete from msgsite.payments as payments using unnest(${[...keys]}::text[]) as old (key)
      where payments.key = old.key and state = 'ended'
      returning 1`;
    return removed.length;
  }

  return {
    ...claiming,
    async add(payment) {
      const key = paymentKey(payment);
      const insert = (worker: string | null) =>
        query<PaymentTableRow>(database, 'add a payment')`
            insert into msgsite.payments ${valuesOf({ ...toRow(payment), worker })}
            on conflict (key) do nothing
            returning key, state, record`;
      // Only open payments are claimed.
      const isOpen = payment.state === 'open';
      const [added] = isOpen ? await claimNew(key, insert) : await insert(null);
      const [stored] = added ? [added] : await selectPayment(database, key);
      if (!stored) throw new Error('A stored payment has disappeared.');
      return toPayment(stored);
    },
    async find({ id, type, organizationId }) {
      if (type !== undefined && organizationId !== undefined) {
        const rows = await selectPayment(database, paymentKey({ id, type, organizationId }));
        return rows.map(toPayment);
      }
      const rows = await query<PaymentTableRow>(database, 'payments by operation')`
        select key, state, record from msgsite.payments where operation_id = ${id}`;
      const matches = (payment: Payment) =>
        (type === undefined || payment.type === type) &&
        (organizationId === undefined || payment.organizationId === organizationId);
      return newestFirst(rows.map(toPayment).filter(matches));
    },
    async organizations() {
      // Jumps from one ID to the next in an index, so the cost depends on the number of organizations, not of payments.
      const rows = await query<{ organizationId: number }>(database, 'organizations')`
        with recursive known as (
          (select organization_id from msgsite.payments order by organization_id limit 1)
          union all
          select (select organization_id from msgsite.payments
            where organization_id > known.organization_id order by organization_id limit 1)
          from known where known.organization_id is not null
        )
        select organization_id from known where organization_id is not null`;
      return rows.map(({ organizationId }) => organizationId);
    },
    async page({ organizationId, state, after, limit }) {
      const position = after === undefined ? undefined : positionOf(after);
      const rows = await database.run('page of payments', (sql) => {
        const inState = state ? sql`and state = ${state}` : sql``;
        const behind = position
          ? sql`and (created_at, key collate "C") < (${position.createdAt}, ${position.key})`
          : sql``;
        return sql<PaymentTableRow[]>`
          select key, state, record from msgsite.payments
          where organization_id = ${organizationId} ${inState} ${behind}
          order by created_at desc, key collate "C" desc limit ${limit + 1}`;
      });
      return { payments: rows.slice(0, limit).map(toPayment), hasMore: rows.length > limit };
    },
    noteFlip: (key, flip) =>
      database.transaction('note a flip', async (sql) => {
        const [row] = await sql<PaymentTableRow[]>`
          select key, state, record from msgsite.payments
          where key = ${key} and state = 'ended' for update`;
        if (!row || row.record.flippedTo === flip.flippedTo) return false;
        const record = json({ ...row.record, ...flip });
        await sql`update msgsite.payments set record = ${record} where key = ${key}`;
        return true;
      }),
    async *list(state) {
      const pages = pagesOf<PaymentTableRow>(
        batch,
        (last) =>
          query<PaymentTableRow>(database, 'list payments')`
          select key, state, record from msgsite.payments
          where state = ${state} and key > ${last?.key ?? ''} order by key limit ${batch}`,
      );
      for await (const rows of pages) yield* rows.map(toPayment);
    },
    async *listEnded(span) {
      const pages = pagesOf<PaymentTableRow & EndedRow>(batch, (last) =>
        database.run('payments that ended in a span', (sql) => selectEnded(sql, span, last)),
      );
      for await (const rows of pages) yield* rows.map(toPayment);
    },
    async hasOpenWith(sessionId) {
      const rows = await query(database, 'open payments of a session')`
        select 1 from msgsite.payments where state = 'open' and session_id = ${sessionId} limit 1`;
      return rows.length > 0;
    },
    // A process that was suspended for longer than its lease may not know that other processes have taken over its
    // payments. It must not change them. The other processes will receive the same results.
    async update(payment) {
      const name = await worker.id();
      await query(database, 'update a payment')`
          update msgsite.payments set record = ${json(payment)}
          where key = ${paymentKey(payment)} and state = 'open'
            and (worker is null or worker = ${name})`;
    },
    async end(payment) {
      const key = paymentKey(payment);
      const name = await worker.id();
      await query(database, 'end a payment')`
          update msgsite.payments set ${assignments({ ...toRow(payment), worker: null })}
          where key = ${key} and state = 'open' and (worker is null or worker = ${name})`;
      forget(key);
    },
    async removeEndedBefore(day, choose) {
      const before = new Date(`${day}T00:00:00Z`);
      const pages = pagesOf<EndedRow>(batch, (last) =>
        database.run('old payments', (sql) => selectOld(sql, before, last)),
      );
      let removed = 0;
      for await (const rows of pages) {
        const keys = await choose(rows.map(({ key }) => key));
        if (keys.length > 0) removed += await removeEnded(keys);
      }
      return removed;
    },
  };
}

function selectPayment(database: Database, key: string): Promise<PaymentTableRow[]> {
  return query<PaymentTableRow>(database, 'payment by key')`
    select key, state, record from msgsite.payments where key = ${key}`;
}

/** Returns the condition for rows after `last`, so that payments that are kept are not selected again. */
function behind(sql: Sql, last: EndedRow | undefined) {
  return last ? sql`and (ended_at, key) > (${last.ended}::text::timestamptz, ${last.key})` : sql``;
}

function selectEnded(
  sql: Sql,
  { from, to }: { readonly from: number; readonly to: number },
  last: EndedRow | undefined,
) {
  return sql<(PaymentTableRow & EndedRow)[]>`
    select key, state, record, ended_at::text as ended from msgsite.payments
    where state = 'ended' and ended_at >= ${new Date(from)} and ended_at < ${new Date(to)} ${behind(sql, last)}
    order by ended_at, key limit ${batch}`;
}

function selectOld(sql: Sql, before: Date, last: EndedRow | undefined) {
  return sql<EndedRow[]>`
    select key, ended_at::text as ended from msgsite.payments
    where state = 'ended' and ended_at < ${before} ${behind(sql, last)}
    order by ended_at, key limit ${batch}`;
}
