import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/database.js';
import type { Sql } from '../../storage/postgres/sql.js';
import { json } from '../../storage/postgres/sql.js';
import { pagesOf } from '../../storage/postgres/sweep.js';
import type { Worker } from '../../storage/postgres/worker.js';
import type { PaymentState } from '../payment.js';
import { type Payment, paymentKey } from '../payment.js';
import type { PaymentStore } from '../store.js';
import { sharesOf, type WatcherLoad } from '../watching/payment-balance.js';

/** The label of workers that watch all payments. */
export const watcherLabel = 'payments';
/** Maximum number of payments that one statement claims. */
const batch = 500;
/** Number of `takeOpen` calls between two reads of payments that were claimed by statements whose results were lost. */
const takingsPerRecount = 10;

type Claiming = Required<
  Pick<PaymentStore, 'takeOpen' | 'balance' | 'claimAll' | 'claimOne' | 'isWatched'>
>;

/**
 * Assigns open payments to workers. The row of a claimed payment contains the ID of its worker. The claims of a dead
 * worker expire with its lease. A single statement hands a payment over by writing the new worker's ID, so that the
 * payment always has exactly one owner, even if a process dies.
 */
export function createPaymentClaims(database: Database, worker: Worker) {
  /** Keys of the payments claimed here, and the worker ID that claimed them. */
  const claimed = new Set<string>();
  let claimedAs: string | undefined;
  let isWatching = false;
  let takings = 0;

  /** Returns this worker's ID. If the ID is new, the claims of the old ID are lost. */
  async function ownName(drop: (key: string) => void): Promise<string> {
    const name = await worker.id();
    if (name !== claimedAs) {
      for (const key of claimed) drop(key);
      claimed.clear();
      claimedAs = name;
    }
    return name;
  }

  async function claimFree(): Promise<PaymentTableRow[]> {
    const pages = pagesOf(batch, () =>
      worker.claim(
        (name) =>
          query<PaymentTableRow>(database, 'claim payments')`
            update msgsite.payments as payments set worker = ${name}, look_at = null
            from unnest(array(
              select key from msgsite.payments where state = 'open' and worker is null
              order by key limit ${batch} for update skip locked)) as free (key)
            where payments.key = free.key
            returning payments.key, state, record`,
      ),
    );
    const all: PaymentTableRow[] = [];
    for await (const rows of pages) all.push(...rows);
    return all;
  }

  /** Reads the payments of this worker, including those claimed by statements whose results were lost. */
  function selectOwn(name: string): Promise<PaymentTableRow[]> {
    return query<PaymentTableRow>(database, 'own payments')`
      select key, state, record from msgsite.payments
      where worker = ${name} and state = 'open' and look_at is null`;
  }

  async function isWatched(): Promise<boolean> {
    const [row] = await database.run(
      'find watchers',
      (sql) => sql<{ isWatched: boolean }[]>`select ${watched(sql)} as is_watched`,
    );
    return row?.isWatched === true;
  }

  async function release(key: string, name: string): Promise<void> {
    await query(database, 'release a payment')`
      update msgsite.payments set worker = null where key = ${key} and worker = ${name}`;
  }

  /** Inserts a new payment. Claims it if this process watches all payments. */
  async function claimNew(
    key: string,
    insert: (name: string | null) => Promise<readonly PaymentTableRow[]>,
  ): Promise<readonly PaymentTableRow[]> {
    if (!isWatching) return insert(null);
    const rows = await worker.claim(insert);
    if (rows.length > 0) claimed.add(key);
    return rows;
  }

  const claiming: Claiming = {
    async takeOpen(isKnown, drop) {
      const name = await ownName(drop);
      const fresh = await claimFree();
      takings += 1;
      const reread = takings % takingsPerRecount === 1 ? await selectOwn(name) : [];
      const rows = [...fresh, ...reread].filter(({ key }) => !isKnown(key));
      for (const { key } of rows) claimed.add(key);
      return [...new Map(rows.map((row) => [row.key, toPayment(row)])).values()];
    },
    async claimAll() {
      await worker.id();
      isWatching = true;
      return {
        renew: () => worker.renew(),
        async release() {
          isWatching = false;
          claimed.clear();
          await worker.leave();
        },
      };
    },
    isWatched,
    async claimOne(key) {
      const [row] = await worker.claim((name) =>
        database.run(
          'claim a payment',
          (sql) => sql<{ worker: string }[]>`
            update msgsite.payments set worker = ${name}
            where key = ${key} and key = any(array(
              select key from msgsite.payments
              where key = ${key} and state = 'open'
                and (worker = ${name} or worker is null and not ${watched(sql)})
              for update skip locked))
            returning worker`,
        ),
      );
      if (!row) return undefined;
      const { worker: name } = row;
      return {
        // A different ID means that the worker has registered again and lost its claims.
        renew: async () =>
          (await worker.renew()) && (await worker.id()) === name && !(await isWatched()),
        release: () => release(key, name),
      };
    },
    balance: {
      async takeHandedOver() {
        const name = await worker.id();
        const rows = await query<{ record: Payment; due: string }>(
          database,
          'take handed-over payments',
        )`
          with given as materialized (
            select key, look_at from msgsite.payments
            where worker = ${name} and look_at is not null and state = 'open' for update
          )
          update msgsite.payments as payments set look_at = null from given
          where payments.key = given.key
          returning payments.record, given.look_at as due`;
        for (const { record } of rows) claimed.add(paymentKey(record));
        return rows.map(({ record, due }) => ({ payment: record, dueAt: Date.parse(due) }));
      },
      async shares(count) {
        const name = await worker.id();
        const loads = await database.run('compare loads', async (sql) => {
          await sql`update msgsite.workers set load = ${count} where id = ${name}`;
          return sql<WatcherLoad[]>`
            select id, load from msgsite.workers
            where label = ${watcherLabel} and lease_until > clock_timestamp()`;
        });
        return sharesOf(loads, name);
      },
      async handOver(to, payments) {
        const name = await worker.id();
        const keys = [...payments.keys()];
        const dues = [...payments.values()].map((dueAt) => new Date(dueAt).toISOString());
        for (const key of keys) claimed.delete(key);
        await query(database, 'hand payments over')`
          update msgsite.payments as payments set worker = ${to}, look_at = given.due::timestamptz
          from unnest(${keys}::text[], ${dues}::text[]) as given (key, due)
          where payments.key = given.key and payments.worker = ${name}
            and payments.state = 'open'`;
      },
    },
  };
  /** Forgets the claim of a payment that has ended. */
  const forget = (key: string) => void claimed.delete(key);
  return { claimNew, forget, claiming };
}

/** Returns the SQL condition that a live process watches all payments. */
function watched(sql: Sql) {
  return sql`exists (
    select 1 from msgsite.workers
    where label = ${watcherLabel} and lease_until > clock_timestamp())`;
}

export interface PaymentTableRow {
  readonly key: string;
  readonly state: PaymentState;
  readonly record: Payment;
}

/** Converts a row. The `state` column overrides the state in the record. */
export function toPayment({ state, record }: Omit<PaymentTableRow, 'key'>): Payment {
  return { ...record, state };
}

/** Returns the row of a payment. */
export function toRow(payment: Payment) {
  const { id, state, organizationId, sessionId, endedAt, createdAt } = payment;
  return {
    key: paymentKey(payment),
    state,
    organizationId,
    operationId: id,
    createdAt,
    sessionId,
    endedAt: endedAt === undefined ? null : new Date(endedAt),
    record: json(payment),
  };
}
