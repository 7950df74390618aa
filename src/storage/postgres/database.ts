import type { Clock } from '../../base/clock.js';
import { startEvery } from '../../base/every.js';
import type { Logger } from '../../base/log.js';
import { connect, roomForConnecting, within } from './connect.js';
import { databaseError, isUnavailable, rightsMissing, unavailable } from './database-errors.js';
import { createNotifications, type Notifications } from './notifications.js';
import type { ServerRanks } from './servers.js';
import type { Fragment, Row, Sql, TransactionSql, Value } from './sql.js';

export interface DatabaseOptions {
  readonly url: string;
  readonly log: Logger;
  readonly clock: Clock;
  /** Maximum number of connections in the pool; 10 by default. Notifications use an additional one. */
  readonly connections?: number;
  /** Sends statements without waiting for the results of earlier ones on the same connection; true by default. */
  readonly isPipelined?: boolean;
  /** Time after which the database cancels a statement, in milliseconds; 5,000 by default. */
  readonly statementTimeout?: number;
  /** Called before each operation. Throws if this process must not use the database now. */
  assertAllowed?(): void;
  /** Called if an operation failed because the database is unavailable or too slow. */
  readonly onUnavailable?: (() => void) | undefined;
  /** Time after which a statement is logged as slow, in milliseconds; 500 by default. */
  readonly slow?: number;
}

/** A PostgreSQL database, which any number of processes can use concurrently. */
export interface Database {
  /**
   * Runs `work`, which sends one statement or a few that need not be atomic. Rejects with `storage_unavailable` if the
   * database is unavailable or too slow, or if too many operations wait for it. `name` identifies slow operations in
   * the log.
   */
  run<Result>(name: string, work: (sql: Sql) => PromiseLike<Result>): Promise<Result>;
  /** Runs `work` in a transaction. `patience` is the maximum duration of the transaction, in milliseconds. */
  transaction<Result>(
    name: string,
    work: (sql: TransactionSql) => PromiseLike<Result>,
    patience?: number,
  ): Promise<Result>;
  readonly notifications: Notifications;
  /** Closes the connections after running statements have finished. */
  close(): Promise<void>;
}

/** Maximum number of operations that wait for the database. More are rejected to limit the use of memory. */
const maxWaiting = 2_000;
/** Maximum time that closing waits for running statements, in milliseconds. @internal */
const closeTimeout = 3_000;

/**
 * Each connection plans each statement once, for any parameters. Otherwise PostgreSQL would plan most statements every
 * time, which takes longer than executing them. A test checks the plans.
 */
const session = { plan_cache_mode: 'force_generic_plan' };

/** Time after which the database cancels a statement, in milliseconds. */
const defaultTimeout = 5_000;

/** Returns a database. Connections are opened when they are first needed, and replaced when they break. */
export function openDatabase(options: DatabaseOptions): Database {
  const { url, log, clock, connections = 10, isPipelined = true, slow = 500 } = options;
  const { statementTimeout = defaultTimeout } = options;
  const ranks: ServerRanks = new Map();
  const applicationName = 'msgsite';
  const sql = connect({
    ...{ url, ranks, connections, isPipelined, statementTimeout },
    ...{ applicationName, session },
  });
  const notifications = createNotifications({ url, ranks, clock, log, patience: statementTimeout });
  const defaultPatience = statementTimeout + roomForConnecting;
  let waiting = 0;

  async function guard<Result>(
    name: string,
    work: () => PromiseLike<Result>,
    patience = defaultPatience,
  ): Promise<Result> {
    options.assertAllowed?.();
    if (waiting >= maxWaiting) throw unavailable(new Error('Too many operations are waiting.'));
    waiting += 1;
    const started = performance.now();
    try {
      return await within(patience, work());
    } catch (thrown) {
      const error = databaseError(thrown);
      if (isUnavailable(error)) options.onUnavailable?.();
      throw error;
    } finally {
      waiting -= 1;
      const ms = Math.round(performance.now() - started);
      if (ms >= slow) log.warn({ query: name, ms }, 'The database was slow.');
    }
  }

  return {
    run: (name, work) => guard(name, () => work(sql)),
    transaction: (name, work, patience) => guard(name, () => sql.begin(work), patience),
    notifications,
    async close() {
      await Promise.all([notifications.close(), sql.end(closeTimeout)]);
    },
  };
}

/** Sends one statement: query(database, 'name')`…`. The name is logged if the statement is slow. */
export function query<From extends object = Row>(
  database: Pick<Database, 'run'>,
  name: string,
): (strings: TemplateStringsArray, ...values: readonly (Value | Fragment)[]) => Promise<From[]> {
  return (strings, ...values) => database.run(name, (sql) => sql<From[]>(strings, ...values));
}

/**
 * Checks that the database is writable by writing a message to its write-ahead log (WAL), which adds no rows to tables.
 * Fails on a standby, if there is no disk space for the log, if a synchronous standby is unavailable, and on an empty
 * database. Such a message requires no privileges on tables, so these are checked separately. The error names the first
 * table for which they are missing. `migrations` is excluded, because only its owner inserts rows.
 */
export async function probeDatabase(database: Pick<Database, 'run'>): Promise<void> {
  const [closed] = await query<{ table: string | null }>(database, 'probe')`
    select (
      select min(relname::text) from pg_catalog.pg_class
      where relnamespace = 'msgsite'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname <> 'migrations' and not has_table_privilege(oid, 'insert')
    ) as table, pg_logical_emit_message(true, 'msgsite', '')
    where exists (select from msgsite.migrations)`;
  if (!closed?.table) return;
  throw rightsMissing(new Error(`no privilege to insert into the table ${closed.table}`));
}

/** Interval between measurements of the offset, in milliseconds. Clocks drift very little in that time. */
const measureEvery = 30_000;

/**
 * Returns a clock that follows the database's clock, so that machines with different clocks agree. Measures the offset
 * of this machine's clock now and at intervals.
 */
export async function followDatabaseClock(
  database: Database,
  local: Clock,
): Promise<Clock & { close(): Promise<void> }> {
  let offset = await measureOffset(database, local);
  const measure = async () => {
    offset = await measureOffset(database, local);
  };
  const measuring = startEvery(measureEvery, measure, {
    clock: local,
    sleepFirst: true,
    // While the database is unavailable, the last offset remains valid.
    onError() {},
  });
  return {
    now: () => Math.round(local.monotonic() + offset),
    monotonic: () => local.monotonic(),
    sleep: (milliseconds, signal) => local.sleep(milliseconds, signal),
    close: () => measuring.stop(),
  };
}

const samples = 3;

/** Returns the milliseconds to add to the local monotonic time, accurate to half the fastest of three round trips. */
async function measureOffset(database: Database, local: Clock): Promise<number> {
  let best = { roundTrip: Number.POSITIVE_INFINITY, offset: 0 };
  for (let count = 0; count < samples; count += 1) {
    const sentAt = local.monotonic();
    const [row] = await query<{ now: number }>(database, "read the database's clock")`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`;
    const receivedAt = local.monotonic();
    const roundTrip = receivedAt - sentAt;
    if (!row || roundTrip >= best.roundTrip) continue;
    best = { roundTrip, offset: row.now - (sentAt + receivedAt) / 2 };
  }
  return best.offset;
}
