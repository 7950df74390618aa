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
  /** The most connections of the pool; 10 by default. Notifications use one more. */
  readonly connections?: number;
  /** Sends statements before earlier ones on the same connection are answered; true by default. */
  readonly isPipelined?: boolean;
  /** Milliseconds after which the database ends a statement; 5,000 by default. */
  readonly statementTimeout?: number;
  /** Called before all work; throws if this process must not use the database now. */
  assertAllowed?(): void;
  /** Called when work failed because the database is unavailable or too slow. */
  readonly onUnavailable?: (() => void) | undefined;
  /** Milliseconds after which a statement is logged as slow; 500 by default. */
  readonly slow?: number;
}

/** One PostgreSQL database, used by any number of processes at the same time. */
export interface Database {
  /**
   * Does `work`: one statement, or a few that need not be atomic. Rejects with `storage_unavailable` if the database is
   * unavailable or too slow, or if too much work waits for it. `name` identifies slow work in the log.
   */
  run<Result>(name: string, work: (sql: Sql) => PromiseLike<Result>): Promise<Result>;
  /** Does `work` in a transaction. `patience` is the time for all of it, in milliseconds. */
  transaction<Result>(
    name: string,
    work: (sql: TransactionSql) => PromiseLike<Result>,
    patience?: number,
  ): Promise<Result>;
  readonly notifications: Notifications;
  /** Ends the connections after the statements under way. */
  close(): Promise<void>;
}

/** The most pieces of work that wait for the database. More are refused, so that they cannot fill the memory. */
const maxWaiting = 2_000;
/** Milliseconds that closing waits for statements under way. @internal */
const closeTimeout = 3_000;

/**
 * Each connection plans each statement once, for any parameters. Otherwise PostgreSQL would plan most statements every
 * time, which takes longer than executing them. A test checks that the plans are good.
 */
const session = { plan_cache_mode: 'force_generic_plan' };

/** Milliseconds after which the database ends a statement. */
const usualTimeout = 5_000;

/** Returns a database. Connections are opened when they are first needed, and replaced when they break. */
export function openDatabase(options: DatabaseOptions): Database {
  const { url, log, clock, connections = 10, isPipelined = true, slow = 500 } = options;
  const { statementTimeout = usualTimeout } = options;
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
    if (waiting >= maxWaiting) throw unavailable(new Error('Too much work is waiting.'));
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
 * Checks that the database can be written to, with a message in its log (WAL), which makes no table grow. Fails on a
 * standby, if there is no room for the log, if a synchronous standby is unavailable, and on an empty database. Because
 * such a message needs no rights to tables, these are checked as well, and the error names the first table that lacks
 * them. Only its owner inserts into `migrations`.
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
  throw rightsMissing(new Error(`no right to insert into the table ${closed.table}`));
}

/** Milliseconds between measurements of the offset; clocks drift far less in that time. */
const measureEvery = 30_000;

/**
 * Returns a clock that follows the database's clock, so that machines with different clocks agree. Measures the offset of
 * this machine's clock now and at intervals.
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

/** Measures the milliseconds to add to the local monotonic time, accurate to half the fastest of three round trips. */
async function measureOffset(database: Database, local: Clock): Promise<number> {
  let best = { roundTrip: Number.POSITIVE_INFINITY, offset: 0 };
  for (let count = 0; count < samples; count += 1) {
    const asked = local.monotonic();
    const [row] = await query<{ now: number }>(database, "read the database's clock")`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`;
    const answered = local.monotonic();
    const roundTrip = answered - asked;
    if (!row || roundTrip >= best.roundTrip) continue;
    best = { roundTrip, offset: row.now - (asked + answered) / 2 };
  }
  return best.offset;
}
