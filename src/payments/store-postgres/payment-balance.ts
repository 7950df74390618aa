import type { Database } from '../../storage/postgres/database.js';
import type { Worker } from '../../storage/postgres/worker.js';
import type { Payment } from '../payment.js';
import { type PaymentBalance, sharesOf, type WatcherLoad } from '../watching/payment-balance.js';

export interface PostgresBalanceOptions {
  readonly database: Database;
  readonly worker: Worker;
  /** The label of workers that watch all payments. */
  readonly label: string;
  /** Keys of what is claimed here. */
  readonly claimed: Set<string>;
}

interface HandedRow {
  readonly key: string;
  readonly record: Payment;
  readonly due: Date;
}

/**
 * A payment is handed over by one statement that writes the other worker's name into its row, so it has one
 * owner at any moment, also when either process dies.
 */
export function createPostgresBalance(options: PostgresBalanceOptions): PaymentBalance {
  const { database, worker, label, claimed } = options;
  return {
    async takeHandedOver() {
      const name = await worker.id();
      const rows = await database.run(
        'take what was handed over',
        (sql) => sql<HandedRow[]>`
          with given as materialized (
            select key, look_at from msgsite.payments
            where worker = ${name} and look_at is not null and state = 'open' for update
          )
          update msgsite.payments as payments set look_at = null from given
          where payments.key = given.key
          returning payments.key, payments.record, given.look_at as due`,
      );
      for (const { key } of rows) claimed.add(key);
      return rows.map(({ record, due }) => ({ payment: record, dueAt: due.getTime() }));
    },
    async shares(watched) {
      const name = await worker.id();
      const loads = await database.run('compare loads', async (sql) => {
        await sql`update msgsite.workers set load = ${watched} where id = ${name}`;
        return sql<WatcherLoad[]>`
          select id, load from msgsite.workers
          where label = ${label} and lease_until > clock_timestamp()`;
      });
      return sharesOf(loads, name);
    },
    async handOver(to, payments) {
      const name = await worker.id();
      const keys = [...payments.keys()];
      const dues = [...payments.values()].map((dueAt) => new Date(dueAt).toISOString());
      for (const key of keys) claimed.delete(key);
      await database.run(
        'hand payments over',
        (sql) => sql`
          update msgsite.payments as payments set worker = ${to}, look_at = given.due::timestamptz
          from unnest(${keys}::text[], ${dues}::text[]) as given (key, due)
          where payments.key = given.key and payments.worker = ${name} and payments.state = 'open'`,
      );
    },
  };
}
