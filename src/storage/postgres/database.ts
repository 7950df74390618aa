import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/log.js';
import { connect, type Sql, type TransactionSql } from './connect.js';
import { databaseError, unavailable } from './database-errors.js';
import { createNotifications, type Notifications } from './notifications.js';

export interface DatabaseOptions {
  readonly url: string;
  readonly log: Logger;
  readonly clock: Clock;
  /** Most connections of the pool; 10 by default. One more is used for notifications. */
  readonly connections?: number;
  /** Milliseconds after which the database ends a statement; 5,000 by default. */
  readonly statementTimeout?: number;
  /** Asked before all work; throws where this process must not work on the database now. */
  assertAllowed?(): void;
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
  run<Result>(name: string, work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Like `run`, but all of it holds or none. */
  transaction<Result>(
    name: string,
    work: (sql: TransactionSql) => Promise<Result>,
  ): Promise<Result>;
  readonly notifications: Notifications;
  /** Ends the connections after the statements under way. */
  close(): Promise<void>;
}

/** More work than this does not wait: it is refused, so that a slow database fills no memory. */
const mostWaiting = 2_000;
/** Seconds that closing waits for statements under way. */
const closeTimeout = 3;

/** Opens nothing yet: connections are made when they are first needed, and renewed when they break. */
export function openDatabase(options: DatabaseOptions): Database {
  const { url, log, clock, connections = 10, statementTimeout = 5_000, slow = 500 } = options;
  const sql = connect({ url, connections, statementTimeout, applicationName: 'msgsite' });
  const notifications = createNotifications({ url, clock, log });
  // Room for connecting on top of the statement's own time.
  const patience = statementTimeout + 3_000;
  let waiting = 0;

  async function guard<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    options.assertAllowed?.();
    if (waiting >= mostWaiting) throw unavailable(new Error('Too much work waits for it.'));
    waiting += 1;
    const started = performance.now();
    try {
      return await within(patience, work());
    } catch (error) {
      throw databaseError(error);
    } finally {
      waiting -= 1;
      const ms = Math.round(performance.now() - started);
      if (ms >= slow) log.warn({ query: name, ms }, 'The database took long.');
    }
  }

  return {
    run: (name, work) => guard(name, () => work(sql)),
    transaction: (name, work) =>
      guard(name, async () => {
        // In an object: of an array, the client would wait for the items.
        const { value } = await sql.begin(async (inside) => ({ value: await work(inside) }));
        return value;
      }),
    notifications,
    async close() {
      await Promise.all([notifications.close(), sql.end({ timeout: closeTimeout })]);
    },
  };
}

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(unavailable(new Error(`No answer within ${milliseconds} ms.`))),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
