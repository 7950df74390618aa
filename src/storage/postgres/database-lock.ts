import type { Clock } from '../../base/clock.js';
import { describeDatabaseAddress } from '../../base/database-address.js';
import { AppError } from '../../base/errors.js';
import { startEvery } from '../../base/every.js';
import { assertUnmarked, type MarkedStorage, type TransferMark } from '../transfer-mark.js';
import { connect } from './connect.js';
import type { Sql } from './sql.js';

/**
 * Number of the advisory lock that says who works on a database: everybody who does holds it shared, and
 * who imports or moves all of it holds it alone. It ends with the connection, and so with the process.
 */
const databaseLock = 7_296_002;

/** This process's share of the database's lock: while it lasts, nobody moves the data elsewhere. */
export type DatabaseShare = Awaited<ReturnType<typeof shareDatabase>>;

/** How often to check that the connection is still the one that holds the lock, in milliseconds. */
const checkEvery = 1_000;

/**
 * Shares the database with others that work on it; refused with `data_in_use` while its data is being imported or moved, and with
 * `conflict` where that was not finished or the data has gone elsewhere. `who` is shown to those who wait.
 */
export async function shareDatabase(url: string, who: string, clock: Clock) {
  const name = describeDatabaseAddress(url);
  const sql = connect({
    url,
    connections: 1,
    statementTimeout: 5_000,
    applicationName: who,
    isLasting: true,
  });
  let fault: unknown;
  let session: number;

  async function share(): Promise<number> {
    const number = await shareLock(sql);
    await assertDatabaseUnmarked(sql, name);
    return number;
  }

  async function check(): Promise<void> {
    try {
      const [row] = await sql<{ session: number }[]>`select pg_backend_pid() as session`;
      // A new connection holds no lock: while there was none, the data may have been taken over.
      if (row?.session !== session || fault) session = await share();
      fault = undefined;
    } catch (error) {
      // Those who use a database that is away report it.
      if (error instanceof AppError) fault = error;
    }
  }

  try {
    session = await share();
  } catch (error) {
    await sql.end(1_000);
    throw error;
  }
  const checking = startEvery(checkEvery, check, { clock, sleepFirst: true });
  return {
    /** Throws where the data has been taken over after the connection was lost. */
    assert(): void {
      if (fault) throw fault;
    },
    async release(): Promise<void> {
      await Promise.all([checking.stop(), sql.end(1_000)]);
    },
  };
}

/** Takes the lock with others; gives the number of the session that holds it. */
async function shareLock(sql: Sql): Promise<number> {
  const [row] = await sql<{ isHeld: boolean; session: number }[]>`
    select pg_try_advisory_lock_shared(${databaseLock}) as is_held, pg_backend_pid() as session`;
  if (row?.isHeld) return row.session;
  throw new AppError('data_in_use', 'The data of this database is being imported or moved.', {
    hint: 'Wait until msgsite data import or data move has ended.',
    headers: { 'Retry-After': '5' },
  });
}

/**
 * Takes the lock alone, for the session of a single connection; `data_in_use` names who works there.
 * Gives the session's number.
 */
export async function takeDatabaseAlone(sql: Sql, name: string): Promise<number> {
  const [row] = await sql<{ isHeld: boolean; session: number }[]>`
    select pg_try_advisory_lock(${databaseLock}) as is_held, pg_backend_pid() as session`;
  if (row?.isHeld) return row.session;
  const others = await sql<{ name: string; address: string | null; since: string }[]>`
    select application_name as name, host(client_addr) as address, backend_start as since
    from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and classid = 0 and objid = ${databaseLock} and granted
      and pg_locks.database = (select oid from pg_database where datname = current_database())
      and pid <> pg_backend_pid()
    order by since`;
  const list = others.map(
    (other) => `${other.name} (from ${other.address ?? 'here'}, since ${other.since})`,
  );
  throw new AppError('data_in_use', `The database ${name} is in use by ${list.join(', ')}.`, {
    hint: 'Stop these processes first; nothing may be written while the data is moved.',
  });
}

/** A database's mark, and how far the import that it is about has come. */
interface DatabaseMark extends TransferMark {
  readonly records: number;
  /** SHA-256 of the lines of these records. */
  readonly digest: string;
}

/** The mark of a database, where there is one. */
export async function readDatabaseMark(sql: Sql): Promise<DatabaseMark | undefined> {
  const [mark] = await sql<DatabaseMark[]>`
    select state, place, since, records, digest from msgsite.transfer`;
  return mark;
}

/** The words about a database in refusals; `name` is its address without the password. */
export function markedDatabase(name: string): MarkedStorage {
  return {
    name,
    unmark: 'run: delete from msgsite.transfer',
    discard: 'run: drop schema msgsite cascade',
  };
}

/** Refuses a database whose data is not all there or has been moved. */
async function assertDatabaseUnmarked(sql: Sql, name: string): Promise<void> {
  assertUnmarked(await readDatabaseMark(sql), markedDatabase(name));
}
