import type { Clock } from '../../base/clock.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/database.js';
import type { ExpiringTable } from '../../storage/postgres/sweep.js';
import { leaseSeconds, type Worker } from '../../storage/postgres/worker.js';
import type { PaymentStores, ReconciliationClaims } from '../store.js';
import { createPostgresAnswerStore } from './answer-store.js';
import { createPostgresIntentStore } from './intent-store.js';
import { createPostgresPaymentStore } from './payment-store.js';
import { createPostgresRefundStore } from './refund-store.js';
import { createPostgresSessionStore } from './session-store.js';
import { createPostgresSignInStore } from './sign-in-store.js';

/** What the payment feature keeps for a time only. */
export const expiringPaymentTables: readonly ExpiringTable[] = [
  { table: 'msgsite.sign_ins', column: 'expires_at' },
];

/** Everything the payment feature stores, in PostgreSQL. `clock` follows the database's. */
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

/** Minutes for which a claim lasts; after that, another process takes over from one that died. */
const claimMinutes = 60;
/** Days after which claims of dead processes are deleted. */
const keptDays = 31;

/** Claims of organizations in the table `reconciliations`; the database's clock counts. */
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
