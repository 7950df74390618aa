import { setTimeout as delay } from 'node:timers/promises';
import { systemErrorCode } from '../../base/errors.js';
import { isOutdated, type Result, type Session } from './session.js';
import { createSql, type Query, type Row, type TransactionSql } from './sql.js';

export interface PoolOptions {
  /** Opens another connection; rejects if no server can be used. */
  open(): Promise<Session>;
  /** Maximum number of connections. */
  readonly connections: number;
  /** Maximum number of running statements on one connection. */
  readonly depth: number;
  /** Time after which a statement that waits for a connection is rejected, in milliseconds. */
  readonly patience: number;
  /** Closes all connections to a server once it rejects a statement because it is read-only. */
  readonly leavesReadOnly: boolean;
  /** Time after which a connection is replaced, in milliseconds; undefined = never. */
  readonly lifetime: number | undefined;
}

/** Connections that statements share. A transaction has exclusive use of one. */
export interface Pool {
  run(query: Query): Promise<readonly Row[]>;
  /**
   * Runs `work` in a transaction of this mode, such as `read only`. If the connection is lost, all further statements
   * of `work` fail.
   */
  begin<Done>(work: (sql: TransactionSql) => PromiseLike<Done>, mode?: string): Promise<Done>;
  /** Waits up to `timeout` milliseconds for running statements, then closes all connections. */
  end(timeout: number): Promise<void>;
}

/** A statement or transaction that waits for a connection. */
interface QueuedWork {
  readonly since: number;
  /** True for a transaction, which has exclusive use of its connection. */
  readonly isAlone: boolean;
  start(connection: Connection): void;
  reject(error: unknown): void;
}

/** SQLSTATE of a write on a read-only server. */
const readOnlyServer = '25006';
/** Code of a connection whose server did not respond. */
const silentServer = 'ETIMEDOUT';

interface Connection {
  readonly session: Session;
  /** Number of running statements and transactions. */
  load: number;
  /** True if the connection is reserved for a transaction, which starts after earlier statements. */
  isReserved: boolean;
  /** True if the connection receives no more statements and is closed when it is idle. */
  isRetired: boolean;
}

export function createPool(options: PoolOptions): Pool {
  const { connections, depth, patience, lifetime } = options;
  const all = new Set<Connection>();
  const waiting: QueuedWork[] = [];
  const ending = new AbortController();
  let opening = 0;
  let failures = 0;
  let nextAttempt = 0;
  let hasEnded = false;
  let onIdle = () => {};

  function acquire(isAlone: boolean): Promise<Connection> {
    if (ending.signal.aborted) return Promise.reject(fault('CONNECTION_ENDED'));
    return new Promise((start, reject) => {
      waiting.push({ since: performance.now(), isAlone, start, reject });
      assign();
    });
  }

  function release(connection: Connection): void {
    connection.load -= 1;
    if (connection.load === 0) connection.isReserved = false;
    endIfRetired(connection);
    assign();
  }

  /**
   * Assigns connections to waiting statements in order. If all connections are busy and another one can be opened, the
   * next statement waits for the new one. Behind a statement that waits for a lock, it would be blocked too.
   */
  function assign(): void {
    dropLate();
    for (let next = waiting[0]; next; next = waiting[0]) {
      const connection = leastBusy();
      if (!connection || connection.load > 0) grow();
      if (!connection || (connection.load > 0 && opening > 0 && failures === 0)) return;
      waiting.shift();
      connection.load += 1;
      connection.isReserved = next.isAlone;
      next.start(connection);
    }
    if (ending.signal.aborted && isIdle()) onIdle();
  }

  function isIdle(): boolean {
    return opening === 0 && [...all].every(({ load }) => load === 0);
  }

  function dropLate(): void {
    const oldest = performance.now() - patience;
    while (waiting[0] && waiting[0].since < oldest) {
      waiting.shift()?.reject(fault('QUEUE_TIMEOUT'));
    }
  }

  function leastBusy(): Connection | undefined {
    let found: Connection | undefined;
    for (const connection of all) {
      const { load, isReserved, isRetired } = connection;
      if (!isReserved && !isRetired && load < (found?.load ?? depth)) found = connection;
    }
    return found;
  }

  function retire(connection: Connection): void {
    connection.isRetired = true;
    endIfRetired(connection);
  }

  function endIfRetired({ session, load, isRetired }: Connection): void {
    if (isRetired && load === 0) void session.end();
  }

  /** Opens a connection for each waiting statement; after a failure, only one at a time. */
  function grow(): void {
    const max = failures > 0 ? 1 : waiting.length;
    while (opening < max && all.size + opening < connections) void open();
  }

  async function open(): Promise<void> {
    opening += 1;
    try {
      const pause = nextAttempt - performance.now();
      if (pause > 0) await delay(pause, undefined, { signal: ending.signal });
      const session = await options.open();
      if (hasEnded) session.destroy();
      else add(session);
      failures = 0;
      nextAttempt = 0;
    } catch (error) {
      failures += 1;
      nextAttempt = performance.now() + pauseAfter(failures);
      // Otherwise other connections can still serve the waiting statements.
      if (all.size === 0 && opening === 1) rejectWaiting(error);
    } finally {
      opening -= 1;
      assign();
    }
  }

  function add(session: Session): void {
    const connection = { session, load: 0, isReserved: false, isRetired: false };
    all.add(connection);
    // The random part prevents connections that were opened together from being replaced together.
    const renewal =
      lifetime === undefined
        ? undefined
        : setTimeout(retire, lifetime * (1 + Math.random()), connection).unref();
    session.onEnd(() => {
      clearTimeout(renewal);
      all.delete(connection);
      assign();
    });
  }

  function rejectWaiting(error: unknown): void {
    const reason = ending.signal.aborted ? fault('CONNECTION_ENDED') : error;
    for (const { reject } of waiting.splice(0)) reject(reason);
  }

  async function send({ session }: Connection, query: Query): Promise<Result> {
    try {
      return await session.run(query);
    } catch (error) {
      const code = systemErrorCode(error);
      // Other connections to such a server are useless, too.
      if (code === silentServer || (options.leavesReadOnly && code === readOnlyServer)) {
        for (const each of all) if (each.session.place === session.place) retire(each);
      }
      throw error;
    }
  }

  /** Sends a statement. Sends it again if the server did not execute it because its plan was outdated. */
  async function sendAgain(connection: Connection, query: Query): Promise<Result> {
    try {
      return await send(connection, query);
    } catch (error) {
      if (!isOutdated(error)) throw error;
      return send(connection, query);
    }
  }

  /** Runs `work` in a transaction on a connection that nothing else uses. */
  async function transact<Done>(
    connection: Connection,
    work: (sql: TransactionSql) => PromiseLike<Done>,
    mode: string,
  ): Promise<Done> {
    const control = (text: string) =>
      connection.session.run({ text, values: [], isPrepared: false });
    let failure: unknown;
    const execute = async (query: Query) => {
      try {
        return (await send(connection, query)).rows;
      } catch (error) {
        failure ??= error;
        throw error;
      }
    };
    try {
      await control(`begin ${mode}`);
      const sql = Object.assign(createSql(execute), { isTransaction: true as const });
      const done = await work(sql);
      const { command } = await control('commit');
      // `work` ignored the failure of a statement.
      if (command !== 'COMMIT') throw failure ?? new Error('The transaction was rolled back.');
      return done;
    } catch (error) {
      await control('rollback').catch(() => connection.session.destroy());
      throw error;
    }
  }

  return {
    async run(query) {
      const connection = await acquire(false);
      try {
        return (await sendAgain(connection, query)).rows;
      } finally {
        release(connection);
      }
    },
    async begin(work, mode = '') {
      const connection = await acquire(true);
      try {
        return await transact(connection, work, mode);
      } finally {
        release(connection);
      }
    },
    async end(timeout) {
      ending.abort();
      const idle = new Promise<void>((resolve) => {
        onIdle = resolve;
      });
      assign();
      const late = new AbortController();
      await Promise.race([idle, delay(timeout, undefined, { signal: late.signal })]);
      late.abort();
      hasEnded = true;
      rejectWaiting(undefined);
      for (const { session, load } of all) if (load > 0) session.destroy();
      await Promise.all([...all].map(({ session }) => session.end()));
    },
  };
}

/** Returns the milliseconds until the next attempt to connect: 100, 200, 400 … 2,000, each randomly shortened. */
function pauseAfter(failures: number): number {
  return Math.min(2_000, 50 * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2);
}

const messages = {
  CONNECTION_ENDED: 'The connections were closed.',
  QUEUE_TIMEOUT: 'No connection was available in time.',
};

function fault(code: keyof typeof messages): Error {
  return Object.assign(new Error(messages[code]), { code });
}
