import { afterAll, beforeAll, it } from 'vitest';
import { createPostgresAuditStore } from '../../../../src/audit/store-postgres/open.js';
import { AppError } from '../../../../src/base/errors.js';
import { createPostgresPaymentStores } from '../../../../src/payments/store-postgres/open.js';
import type { Database } from '../../../../src/storage/postgres/database.js';
import { createWorker } from '../../../../src/storage/postgres/worker.js';
import {
  emptyTestDatabase,
  openTestDatabase,
  type TestDatabase,
} from '../../../helpers/test-database.js';
import { model, playModel } from '../money-play.js';
import type { ModelStorage } from '../money-terminals.js';
import { createWorld, openClock, openMoneyOn } from '../money-under-test.js';
import { createMortal, type Mortal } from '../mortal.js';

let database: TestDatabase;
let underWay = 0;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

async function counted<Result>(work: Promise<Result>): Promise<Result> {
  underWay += 1;
  try {
    return await work;
  } finally {
    underWay -= 1;
  }
}

/** Wraps a database for a process that can lose its connection and can die between any two queries. */
function mortalDatabase(mortal: Mortal): Database {
  const step = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (!mortal.isDead && mortal.fault !== undefined) {
      throw new AppError('storage_unavailable', 'The database is away.');
    }
    return mortal.step(() => counted(work()));
  };
  return {
    ...database,
    run: (name, work) => step(() => database.run(name, work)),
    transaction: (name, work) => step(() => database.transaction(name, work)),
  };
}

const storage: ModelStorage = {
  isServedByMany: true,
  async createWorld(way) {
    await emptyTestDatabase(database);
    return createWorld({ ...way, data: '', isBusy: () => underWay > 0 });
  },
  async open(world, label) {
    const mortal = createMortal();
    const own = mortalDatabase(mortal);
    const worker = createWorker(own, label);
    const moneyClock = await openClock(world, mortal);
    const money = await openMoneyOn(
      world,
      {
        moneyClock,
        stores: createPostgresPaymentStores(own, worker, moneyClock.clock),
        audit: createPostgresAuditStore(own, worker),
      },
      mortal,
    );
    return {
      ...money,
      /** Ends the process like `kill -9`, and its lease as if 15 seconds had passed. */
      async kill() {
        await mortal.die();
        await database.run(
          'end a lease',
          (sql) => sql`delete from msgsite.workers where label = ${label}`,
        );
      },
    };
  },
};

it(`a random sequence of requests and failures leaves no money unrecorded on PostgreSQL (seed ${model.seed})`, async () => {
  await playModel(storage, model.runs(5));
}, 3_600_000);
