import type { Clock } from '../../base/clock.js';
import type { Database } from '../../storage/postgres/database.js';
import type { ExpiringTable } from '../../storage/postgres/sweep.js';
import { leaseSeconds, type Worker } from '../../storage/postgres/worker.js';
import type { PaymentStores } from '../store.js';
import { createPostgresAnswerStore } from './answer-store.js';
import { createPostgresIntentStore } from './intent-store.js';
import { createPostgresPaymentStore } from './payment-store.js';
import { createReconciliationClaims } from './reconciliation-claims.js';
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
