import type { Clock } from '../../base/clock.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/database.js';
import type { ExpiringTable } from '../../storage/postgres/sweep.js';
import { leaseSeconds, type Worker } from '../../storage/postgres/worker.js';
import type { PaymentCounts, PaymentStores, ReconciliationClaims } from '../store.js';
import { createPostgresIntentStore, createPostgresRefundStore } from './acts.js';
import { createPostgresAnswerStore } from './answer-store.js';
import { createPostgresPaymentStore } from './payment-store.js';
import { createPostgresSessionStore, createPostgresSignInStore } from './sessions.js';

/** Tables with expiring rows. */
export const expiringPaymentTables: readonly ExpiringTable[] = [
  { table: 'msgsite.sign_ins', column: 'expires_at' },
];

/** Creates the stores in PostgreSQL. `clock` follows the database's clock. */
export function createPostgresPaymentStores(
  database: Database,
  worker: Worker,
  clock: Clock,
): PaymentStores {
  return {
    payments: createPostgresPaymentStore(database, worker),
    sessions: createPostgresSessionStore(database, clock),
    answers: createPostgresAnswerStore(database, worker, clock),
    intents: createPostgresIntentStore(database),
    refunds: createPostgresRefundStore(database),
    reconciliations: createReconciliationClaims(database),
    signIns: createPostgresSignInStore(database, clock),
    takeoverTime: leaseSeconds * 1000,
    async close() {},
  };
}

/** Time after which a claim of a dead process expires, in minutes. */
const claimMinutes = 60;
/** Time after which expired claims are deleted, in days. */
const keptDays = 31;

/** Stores claims of organizations in the table `reconciliations`. Uses the database's clock. */
export function createReconciliationClaims(database: Database): ReconciliationClaims {
  return {
    async claim(organizationId) {
      const claimed = await query(database, 'claim a reconciliation')`
        insert into msgsite.reconciliations as known (organization_id, claimed_until)
        values (${organizationId}, clock_timestamp() + make_interval(mins => ${claimMinutes}))
        on conflict (organization_id) do update set claimed_until = excluded.claimed_until
          where known.claimed_until < clock_timestamp()
        returning 1`;
      return claimed.length > 0;
    },
    async release(organizationId) {
      await query(database, 'release a reconciliation')`
        delete from msgsite.reconciliations where organization_id = ${organizationId}
          or claimed_until < clock_timestamp() - make_interval(days => ${keptDays})`;
    },
  };
}

interface CountRow extends Omit<PaymentCounts, 'oldestOpen'> {
  readonly oldestOpen: number | null;
}

/** Counts records with indexes, so that the cost does not depend on the number of ended payments. */
export async function countPostgresPayments(
  database: Pick<Database, 'run'>,
): Promise<PaymentCounts> {
  const [row] = await query<CountRow>(database, 'count payments')`
    select
      (select count(*) from msgsite.payments where state = 'open') as open,
      (select count(*) from msgsite.payments where state = 'unknown') as unknown,
      (select count(*) from msgsite.intents where state = 'in_doubt') as in_doubt,
      (select min(created_at)::float8 from msgsite.payments where state = 'open') as oldest_open,
      (select count(*) from msgsite.sessions where record is not null) as sessions`;
  if (!row) throw new Error('A count returned no row.');
  const { oldestOpen, ...counts } = row;
  return { ...counts, ...(oldestOpen === null ? {} : { oldestOpen }) };
}

/** Returns whether any payment is stored. */
export async function hasPostgresPayments(database: Pick<Database, 'run'>): Promise<boolean> {
  const [row] = await query<{ isThere: boolean }>(database, 'check for payments')`
    select exists (select from msgsite.payments) as is_there`;
  return row?.isThere ?? false;
}
