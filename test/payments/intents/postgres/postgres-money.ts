import { createPostgresAuditStore } from '../../../../src/audit/store-postgres/open.js';
import { createPostgresPaymentStores } from '../../../../src/payments/store-postgres/open.js';
import type { Database } from '../../../../src/storage/postgres/database.js';
import { createWorker, type Worker } from '../../../../src/storage/postgres/worker.js';
import { type MoneyUnderTest, openClock, openMoneyOn, type World } from '../money-under-test.js';
import { createMortal, type Mortal } from '../mortal.js';

/** Returns a database for a process that can die between any two queries. */
function mortalDatabase(database: Database, mortal: Mortal): Database {
  return {
    ...database,
    run: (name, work) => mortal.step(() => database.run(name, work)),
    transaction: (name, work) => mortal.step(() => database.transaction(name, work)),
  };
}

/**
 * Starts a process on PostgreSQL. Its worker has the given label, and it uses the database that `seenBy` returns.
 * `kill` ends the process like `kill -9`, and also its lease.
 */
export async function openPostgresMoney(
  database: Database,
  world: World,
  label: string,
  seenBy = (mortal: Mortal) => mortalDatabase(database, mortal),
): Promise<MoneyUnderTest & { readonly worker: Worker }> {
  const mortal = createMortal();
  const own = seenBy(mortal);
  const worker = createWorker(own, label);
  const moneyClock = await openClock(world, mortal);
  const storage = {
    moneyClock,
    stores: createPostgresPaymentStores(own, worker, moneyClock.clock),
    audit: createPostgresAuditStore(own, worker),
  };
  return {
    ...(await openMoneyOn(world, storage, mortal)),
    worker,
    async kill() {
      await mortal.die();
      await database.run(
        'end a lease',
        (sql) => sql`delete from msgsite.workers where label = ${label}`,
      );
    },
  };
}
