import type { Clock } from '../../base/clock.js';
import { startEvery } from '../../base/every.js';
import type { Logger } from '../../base/log.js';
import { connect, roomForConnecting, within } from './connect.js';
import { databaseError, isUnavailable, rightsMissing, unavailable } from './database-errors.js';
import { createNotifications, type Notifications } from './notifications.js';
import { createServerRanks } from './servers.js';
import type { Fragment, Row, Sql, TransactionSql, Value } from './sql.js';

export interface DatabaseOptions {
  readonly url: string;
  readonly log: Logger;
  readonly clock: Clock;
  /** Most connections of the pool; 10 by default. One more is used for notifications. */
  readonly connections?: number;
  /** Sends statements before earlier ones on the same connection are answered; true by default. */
  readonly isPipelined?: boolean;
  /** Milliseconds after which the database ends a statement; 5,000 by default. */
  readonly statementTimeout?: number;
  /** Asked before all work; throws where this process must not work on the database now. */
  assertAllowed?(): void;
  /** Told of all work that failed since the database is away or too slow. */
  readonly onUnavailable?: (() => void) | undefined;
  /** Statements that take longer are logged, in milliseconds; 500 by default. */
  readonly slow?: number;
}

/** One PostgreSQL database, used by any number of processes at the same time. */
export interface Database {
  /**
   * Does `work`, which is one statement or a few that need not hold together. Rejects with
   * `storage_unavailable` where the database is away or too slow, or too much work waits for it.
   * `name` says in the log what took long.
   */
  run<Result>(name: string, work: (sql: Sql) => PromiseLike<Result>): Promise<Result>;
  /** Like `run`, but all of it holds or none. Many statements may be given more patience, in milliseconds. */
  transaction<Result>(
    name: string,
    work: (sql: TransactionSql) => PromiseLike<Result>,
    patience?: number,
  ): Promise<Result>;
  readonly notifications: Notifications;
  /** Ends the connections after the statements under way. */
  close(): Promise<void>;
}

/** The most work that waits for the database; further work is refused, so that a slow one fills no memory. */
const mostWaiting = 2_000;
/** Milliseconds that closing waits for statements under way. @internal */
const closeTimeout = 3_000;

/**
 * Every statement is planned once for each connection, for any parameters. PostgreSQL would plan most of them again each time,
 * which takes longer than doing them; that the plans are good ones a test holds.
 */
const session = { plan_cache_mode: 'force_generic_plan' };

/** Milliseconds after which the database ends a statement. */
const usualTimeout = 5_000;

/** Opens nothing yet: connections are made when they are first needed, and renewed when they break. */
export function openDatabase(options: DatabaseOptions): Database {
  const { url, log, clock, connections = 10, isPipelined = true, slow = 500 } = options;
  const { statementTimeout = usualTimeout } = options;
  const ranks = createServerRanks();
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
    if (waiting >= mostWaiting) throw unavailable(new Error('Too much work waits for it.'));
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
      if (ms >= slow) log.warn({ query: name, ms }, 'The database took long.');
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

/** Sends one statement. Its name is logged if it takes long: query(database, 'name')`…`. */
export function query<From extends object = Row>(
  database: Pick<Database, 'run'>,
  name: string,
): (strings: TemplateStringsArray, ...values: readonly (Value | Fragment)[]) => Promise<From[]> {
  return (strings, ...values) => database.run(name, (sql) => sql<From[]>(strings, ...values));
}

/**
 * Finds out by writing whether the database can be used: a message in its log (WAL), which no table grows by. What
 * only reads (a standby), has no room for its log or waits for a standby that is away does not confirm it, nor does an
 * empty database in the place of the one that was there. Such a message needs no rights to any table, so these are
 * asked for: the first table that the role may not add to is named. Only its owner has to add to `migrations`.
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
  throw rightsMissing(new Error(`no rights to add to the table ${closed.table}`));
}

/** How often the difference is measured, in milliseconds; clocks drift by far less meanwhile. */
const measureEvery = 30_000;

/**
 * A clock that goes with the database's, so that machines whose clocks differ agree: measures how far this
 * machine's is from it, now and from time to time.
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
    // The last measure stays good while the database is away.
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

/** Milliseconds to add to the local monotonic time, which never steps; right within half the quickest round trip of three. */
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
