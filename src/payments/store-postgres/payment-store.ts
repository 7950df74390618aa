import { jsonParameter, type Sql } from '../../storage/postgres/connect.js';
import type { Database } from '../../storage/postgres/database.js';
import type { Worker } from '../../storage/postgres/worker.js';
import { type Payment, type PaymentState, paymentKey } from '../payment.js';
import type { PaymentLease, PaymentStore } from '../payment-store.js';
import { createPostgresBalance } from './payment-balance.js';

interface PaymentRow {
  readonly key: string;
  readonly state: PaymentState;
  readonly record: Payment;
}

interface EndedRow {
  readonly key: string;
  /** As text, which keeps the microseconds that a Date does not have. */
  readonly ended: string;
}

/** Payments claimed, or listed, by one statement. */
const batch = 500;
/** The label of workers that watch all payments. */
export const watcherLabel = 'payments';
/** Own payments whose claim this process has not heard of are looked for at every so many takings. */
const takingsPerRecount = 10;

/**
 * Payments in the table `payments`. Every process watches: each open payment is claimed by one worker,
 * and claims of a worker that dies are free when its lease ends.
 */
export function createPostgresPaymentStore(database: Database, worker: Worker): PaymentStore {
  /** Keys of what was claimed here, under which name. */
  const claimed = new Set<string>();
  let claimedAs: string | undefined;
  let isWatching = false;
  let takings = 0;

  /** The name to claim under; where it is a new one, the claims of the old one are lost. */
  async function ownName(drop: (key: string) => void): Promise<string> {
    const name = await worker.id();
    if (name !== claimedAs) {
      for (const key of claimed) drop(key);
      claimed.clear();
      claimedAs = name;
    }
    return name;
  }

  async function claimFree(): Promise<PaymentRow[]> {
    const all: PaymentRow[] = [];
    for (let count = batch; count === batch; ) {
      const rows = await worker.claim((name) =>
        database.run(
          'claim payments',
          (sql) => sql<PaymentRow[]>`
            update msgsite.payments set worker = ${name}, look_at = null
            where key = any(array(
              select key from msgsite.payments where state = 'open' and worker is null
              order by key limit ${batch} for update skip locked))
            returning key, state, record`,
        ),
      );
      count = rows.length;
      all.push(...rows);
    }
    return all;
  }

  /** What an answer that was lost on its way has claimed for us. */
  function selectOwn(name: string): Promise<PaymentRow[]> {
    return database.run(
      'own payments',
      (sql) => sql<PaymentRow[]>`
        select key, state, record from msgsite.payments
        where worker = ${name} and state = 'open' and look_at is null`,
    );
  }

  async function isAnyoneWatching(): Promise<boolean> {
    const [row] = await database.run(
      'is anyone watching',
      (sql) => sql<{ is_watched: boolean }[]>`select ${watched(sql)} as is_watched`,
    );
    return row?.is_watched === true;
  }

  async function free(key: string, name: string): Promise<void> {
    await database.run(
      'release a payment',
      (sql) => sql`
        update msgsite.payments set worker = null where key = ${key} and worker = ${name}`,
    );
  }

  async function removeEnded(keys: readonly string[]): Promise<number> {
    const { count } = await database.run(
      'remove old payments',
      (sql) => sql`
        delete from msgsite.payments where key = any(${[...keys]}::text[]) and state = 'ended'`,
    );
    return count;
  }

  return {
    async add(payment) {
      const key = paymentKey(payment);
      // Who made it goes on with it; a command that only makes it leaves it to whoever watches.
      const insert = (name: string | null) =>
        database.run(
          'add a payment',
          (sql) => sql<PaymentRow[]>`
            insert into msgsite.payments (key, state, session_id, worker, record)
            values (${key}, ${payment.state}, ${payment.sessionId}, ${name},
              ${jsonParameter(sql, payment)})
            on conflict (key) do nothing
            returning key, state, record`,
        );
      const [row] = isWatching ? await worker.claim(insert) : await insert(null);
      if (row && isWatching) claimed.add(key);
      const [stored] = row ? [row] : await selectPayments(database, [key]);
      if (!stored) throw new Error('A payment was found and was gone.');
      return toPayment(stored);
    },
    async find(id, type) {
      const types: Payment['type'][] = type ? [type] : ['qr', 'invoice'];
      const keys = types.map((each) => paymentKey({ type: each, id }));
      const found = (await selectPayments(database, keys)).map(toPayment);
      return found.sort((a, b) => b.createdAt - a.createdAt)[0];
    },
    async *list(state) {
      let last = '';
      for (let count = batch; count === batch; ) {
        const rows = await database.run('list payments', (sql) => selectPage(sql, state, last));
        count = rows.length;
        last = rows.at(-1)?.key ?? last;
        yield* rows.map(toPayment);
      }
    },
    async hasOpenWith(sessionId) {
      const rows = await database.run(
        'open payments of a session',
        (sql) => sql`
          select 1 from msgsite.payments where state = 'open' and session_id = ${sessionId} limit 1`,
      );
      return rows.length > 0;
    },
    async update(payment) {
      await database.run(
        'update a payment',
        (sql) => sql`
          update msgsite.payments set record = ${jsonParameter(sql, payment)}
          where key = ${paymentKey(payment)} and state = 'open'`,
      );
    },
    async end(payment) {
      const key = paymentKey(payment);
      const endedAt = payment.endedAt === undefined ? null : new Date(payment.endedAt);
      await database.run(
        'end a payment',
        (sql) => sql`
          update msgsite.payments set state = ${payment.state}, ended_at = ${endedAt},
            record = ${jsonParameter(sql, payment)}, worker = null
          where key = ${key} and state = 'open'`,
      );
      claimed.delete(key);
    },
    async removeEndedBefore(day, choose) {
      const before = new Date(`${day}T00:00:00Z`);
      let removed = 0;
      let last: EndedRow | undefined;
      for (let count = batch; count === batch; ) {
        const rows = await database.run('old payments', (sql) => selectOld(sql, before, last));
        count = rows.length;
        last = rows.at(-1);
        const keys = count === 0 ? [] : await choose(rows.map(({ key }) => key));
        if (keys.length > 0) removed += await removeEnded(keys);
      }
      return removed;
    },
    async takeOpen(isKnown, drop) {
      const name = await ownName(drop);
      const fresh = await claimFree();
      takings += 1;
      const own = takings % takingsPerRecount === 1 ? await selectOwn(name) : [];
      const rows = [...fresh, ...own].filter(({ key }) => !isKnown(key));
      for (const { key } of rows) claimed.add(key);
      return [...new Map(rows.map((row) => [row.key, toPayment(row)])).values()];
    },
    balance: createPostgresBalance({ database, worker, label: watcherLabel, claimed }),
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
      } satisfies PaymentLease;
    },
    async claimOne(key) {
      const claim = (name: string) =>
        database.run(
          'claim a payment',
          (sql) => sql<{ worker: string }[]>`
            update msgsite.payments set worker = ${name}
            where key = any(array(
              select key from msgsite.payments
              where key = ${key} and state = 'open'
                and (worker = ${name} or worker is null and not ${watched(sql)})
              for update skip locked))
            returning worker`,
        );
      const [claimed] = await worker.claim(claim);
      if (!claimed) return undefined;
      const { worker: name } = claimed;
      return {
        // Under another name the worker has entered anew, and what it had claimed is lost.
        renew: async () =>
          (await worker.renew()) && (await worker.id()) === name && !(await isAnyoneWatching()),
        release: () => free(key, name),
      };
    },
  };
}

/** Whether some process watches all payments, and lives. */
function watched(sql: Sql) {
  return sql`exists (
    select 1 from msgsite.workers
    where label = ${watcherLabel} and lease_until > clock_timestamp())`;
}

function selectPayments(database: Database, keys: readonly string[]): Promise<PaymentRow[]> {
  return database.run(
    'payments by key',
    (sql) => sql<PaymentRow[]>`
      select key, state, record from msgsite.payments where key = any(${[...keys]}::text[])`,
  );
}

function selectPage(sql: Sql, state: PaymentState, after: string) {
  return sql<PaymentRow[]>`
    select key, state, record from msgsite.payments
    where state = ${state} and key > ${after} order by key limit ${batch}`;
}

/** From behind the last one on, so that payments that have to stay are not met again. */
function selectOld(sql: Sql, before: Date, last: EndedRow | undefined) {
  const place = last
    ? sql`and (ended_at, key) > (${last.ended}::text::timestamptz, ${last.key})`
    : sql``;
  return sql<EndedRow[]>`
    select key, ended_at::text as ended from msgsite.payments
    where state = 'ended' and ended_at < ${before} ${place}
    order by ended_at, key limit ${batch}`;
}

/** The column says how it stands, as the folder does where payments are files. */
function toPayment({ state, record }: PaymentRow): Payment {
  return { ...record, state };
}
