import type { Clock } from '../../base/clock.js';
import { describeDatabaseAddress } from '../../base/database-address.js';
import { AppError } from '../../base/errors.js';
import { startEvery } from '../../base/every.js';
import { assertUnmarked, type MarkedStorage, type TransferMark } from '../transfer-mark.js';
import { connect } from './connect.js';
import type { Sql } from './sql.js';

/**
 * Key of the advisory lock on a database. Processes that use the database take it in shared mode; an import or a move
 * takes it in exclusive mode. It is released when the connection or the process ends.
 */
const databaseLock = 7_296_002;

/** This process's shared lock on the database. While it is held, the data cannot be moved. */
export type DatabaseShare = Awaited<ReturnType<typeof shareDatabase>>;

/** Interval between checks that the connection still holds the lock, in milliseconds. */
const checkEvery = 1_000;

/**
 * Takes the shared lock on a database. Throws `data_in_use` while its data is being imported or moved, and `conflict`
 * if an import is unfinished or the data was moved. `label` identifies this process in the messages of processes that
 * require the exclusive lock.
 */
export async function shareDatabase(url: string, label: string, clock: Clock) {
  const name = describeDatabaseAddress(url);
  const sql = connect({
    url,
    connections: 1,
    statementTimeout: 5_000,
    applicationName: label,
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
      // A new connection has no lock, and the data may have been moved in between.
      if (row?.session !== session || fault) session = await share();
      fault = undefined;
    } catch (error) {
      // If the database is unavailable, other statements report that.
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
    /** Throws if the data was imported or moved while the connection was lost. */
    assert(): void {
      if (fault) throw fault;
    },
    async release(): Promise<void> {
      await Promise.all([checking.stop(), sql.end(1_000)]);
    },
  };
}

/** Takes the shared lock. Returns the ID of the session that holds it. */
async function shareLock(sql: Sql): Promise<number> {
  const [row] = await sql<{ isHeld: boolean; session: number }[]>`
    select pg_try_advisory_lock_shared(${databaseLock}) as is_held, pg_backend_pid() as session`;
  if (row?.isHeld) return row.session;
  throw new AppError('data_in_use', 'The data of this database is being imported or moved.', {
    hint: 'Wait until msgsite data import or data move has finished.',
    headers: { 'Retry-After': '5' },
  });
}

/**
 * Takes the exclusive lock on behalf of the only connection of `sql`. Returns the session's ID. Throws `data_in_use`
 * with the names of the processes that use the database.
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
    (other) => `${other.name} (from ${other.address ?? 'this machine'}, since ${other.since})`,
  );
  throw new AppError('data_in_use', `The database ${name} is in use by ${list.join(', ')}.`, {
    hint: 'Stop these processes first. Nothing may write while the data is being moved.',
  });
}

/** A database's mark, with the progress of an import. */
interface DatabaseMark extends TransferMark {
  readonly records: number;
  /** SHA-256 of the lines of these records. */
  readonly digest: string;
}

/** Returns the mark of a database, if there is one. */
export async function readDatabaseMark(sql: Sql): Promise<DatabaseMark | undefined> {
  const [mark] = await sql<DatabaseMark[]>`
    select state, place, since, records, digest from msgsite.transfer`;
  return mark;
}

/** Returns the texts about a database for error messages. `name` is its address without the password. */
export function markedDatabase(name: string): MarkedStorage {
  return {
    name,
    unmark: 'run: delete from msgsite.transfer',
    discard: 'run: drop schema msgsite cascade',
  };
}

/** Throws `conflict` if the data of a database is incomplete or was moved. */
async function assertDatabaseUnmarked(sql: Sql, name: string): Promise<void> {
  assertUnmarked(await readDatabaseMark(sql), markedDatabase(name));
}
