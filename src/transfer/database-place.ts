import { Readable } from 'node:stream';
import { describeDatabaseAddress } from '../base/database-address.js';
import { AppError, systemErrorCode } from '../base/errors.js';
import type { RecordReader, RecordWriter } from '../base/records.js';
import { connect, type SqlPool } from '../storage/postgres/connect.js';
import { databaseError } from '../storage/postgres/database-errors.js';
import {
  markedDatabase,
  readDatabaseMark,
  takeDatabaseAlone,
} from '../storage/postgres/database-lock.js';
import {
  assertStructure,
  type Migration,
  migrate,
  startError,
} from '../storage/postgres/migrations.js';
import type { PostgresRecords } from '../storage/postgres/record-table.js';
import type { Sql } from '../storage/postgres/sql.js';
import { assertUnmarked } from '../storage/transfer-mark.js';
import type { FolderRecords, ReadAll, Source, Target } from './place.js';
import { assertEmpty, OtherStream } from './place.js';
import type { Entry, RecordStream } from './record-stream.js';
import { createTally } from './summary.js';

export interface DatabaseOptions {
  readonly url: string;
  /** The migrations that create its structure. */
  readonly schema: readonly Migration[];
  /** Returns its tables as of `now`, in milliseconds. */
  tables(now: number): readonly PostgresRecords[];
  /** The sandbox's state, which is stored in files alongside the database. */
  readonly files: FolderRecords;
  /** The command, such as `msgsite data move`. Processes that find the database in use show it in messages. */
  readonly command: string;
}

/**
 * Opens a storage on a single permanent connection, because locks are released when it closes. Statements have no
 * time-out.
 */
async function openOn<Opened>(
  { url, command: applicationName }: DatabaseOptions,
  open: (sql: SqlPool) => Promise<Opened>,
): Promise<Opened & Pick<Source, 'close'>> {
  const once = { connections: 1, statementTimeout: 0, isLasting: true };
  const sql = connect({ url, applicationName, ...once });
  const close = () => sql.end(1_000);
  try {
    return { ...(await open(sql)), close };
  } catch (error) {
    await close();
    throw databaseError(error);
  }
}

/** Opens a database as a source. With `alone`, no other process can use it until it is closed. */
export function openDatabaseSource(
  options: DatabaseOptions & { readonly alone: boolean },
): Promise<Source> {
  const { url, schema, alone } = options;
  const name = describeDatabaseAddress(url);
  return openOn(options, async (sql) => {
    await assertStructure({ run: async (_, work) => work(sql) }, schema).catch((error) => {
      throw startError(error, url);
    });
    if (alone) await takeDatabaseAlone(sql, name);
    const mark = await readDatabaseMark(sql);
    if (mark?.state === 'importing') assertUnmarked(mark, markedDatabase(name));
    return {
      name,
      storage: 'postgres',
      mark,
      secrets: await readFingerprints(sql),
      read: readAllOf(sql, options),
      async markMoved(to) {
        await sql`
          insert into msgsite.transfer (state, place) values ('moved', ${to})
          on conflict (only_row) do update set place = excluded.place, since = excluded.since`;
      },
    };
  });
}

/**
 * Opens an empty database as a target, or resumes an interrupted import. `from` describes the data's source in
 * messages. `fillFiles` is false if the files with the sandbox's state already exist.
 */
export async function openDatabaseTarget(
  options: DatabaseOptions & { readonly from: string; readonly fillFiles: boolean },
): Promise<Target> {
  const { url, schema, tables, files, from, fillFiles } = options;
  const name = describeDatabaseAddress(url);
  await migrate(url, schema);
  return openOn(options, async (sql) => {
    const session = await takeDatabaseAlone(sql, name);
    const mark = await readDatabaseMark(sql);
    if (mark?.state === 'moved') assertUnmarked(mark, markedDatabase(name));
    if (!mark) {
      await readTables(sql, tables(0), (readers) =>
        assertEmpty(name, [...readers, ...(fillFiles ? files.readers(0) : [])]),
      );
      await sql`insert into msgsite.transfer (state, place) values ('importing', ${from})`;
      await removeData(sql, tables(0));
    }
    return {
      name,
      async load(stream) {
        await loadDatabase(stream, {
          sql,
          session,
          tables: tables(0),
          files: fillFiles ? await files.writers() : [],
        });
      },
      async restart() {
        await removeData(sql, tables(0));
        await sql`update msgsite.transfer set records = 0, digest = '', place = ${from}`;
        if (fillFiles) await files.remove();
      },
      read: readAllOf(sql, options),
      async release(secrets) {
        await sql.begin(async (inside) => {
          for (const secret of ['MSGSITE_JWT_SECRET', 'MSGSITE_GATEWAY_KEY']) {
            const fingerprint = secrets[secret];
            if (fingerprint === undefined) continue;
            await inside`
              insert into msgsite.secret_fingerprints (name, fingerprint)
              values (${secret}, ${fingerprint})
              on conflict (name) do update set fingerprint = excluded.fingerprint`;
          }
          await inside`delete from msgsite.transfer`;
        });
        // The planner does not have statistics for the new rows yet.
        await sql`analyze`.catch(() => {});
      },
    };
  });
}

/** Reads one snapshot of the tables, and the sandbox's files. */
function readAllOf(sql: SqlPool, { tables, files }: DatabaseOptions): ReadAll {
  return (now, work) =>
    readTables(sql, tables(now), (readers) => work([...readers, ...files.readers(now)]));
}

async function readTables<Result>(
  sql: SqlPool,
  tables: readonly PostgresRecords[],
  work: (readers: readonly RecordReader[]) => Promise<Result>,
): Promise<Result> {
  try {
    return await sql.begin(
      (inside) => work(tables.map(({ kind, read }) => ({ kind, read: () => read(inside) }))),
      'isolation level repeatable read read only',
    );
  } catch (error) {
    throw databaseError(error);
  }
}

/** Tables with information about the database itself. */
const metadataTables = ['migrations', 'transfer', 'secret_fingerprints'];

async function removeData(sql: Sql, records: readonly PostgresRecords[]): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select 'msgsite.' || quote_ident(tablename) as name from pg_tables
    where schemaname = 'msgsite' and tablename <> all(${metadataTables}::text[])`;
  await sql.unsafe(`truncate ${tables.map(({ name }) => name)} restart identity cascade`);
  for (const { reset } of records) await reset?.(sql);
}

async function readFingerprints(sql: Sql): Promise<Readonly<Record<string, string>>> {
  const rows = await sql<{ name: string; fingerprint: string }[]>`
    select name, fingerprint from msgsite.secret_fingerprints order by name`;
  return Object.fromEntries(rows.map(({ name, fingerprint }) => [name, fingerprint]));
}

interface LoadOptions {
  /** A single connection, whose session has the exclusive lock. */
  readonly sql: SqlPool;
  /** The process ID of that session. */
  readonly session: number;
  readonly tables: readonly PostgresRecords[];
  /** Writers for records in files alongside the database. Kinds without a table or a writer are skipped. */
  readonly files: readonly RecordWriter[];
}

/** Maximum number of records in one transaction. @internal */
const maxRecords = 1_000;
/** Maximum size of the records in one transaction, in bytes. @internal */
const maxBytes = 1024 * 1024;

/**
 * Inserts a stream in transactions of limited size. Each one advances the mark, so that an interrupted load resumes
 * after the stored records. Throws `OtherStream` if the stored records are not the beginning of the stream.
 */
async function loadDatabase(stream: RecordStream, options: LoadOptions): Promise<void> {
  const { sql, session, tables, files } = options;
  const done = await readDatabaseMark(sql);
  const { records: known = 0, digest = '' } = done ?? {};
  const tally = createTally(Object.keys(stream.summary().kinds));
  let batch: Entry[] = [];
  let bytes = 0;

  async function insert(): Promise<void> {
    const [first] = batch;
    if (!first) return;
    const records = batch.map(({ record }) => record);
    const file = files.find(({ kind }) => kind === first.kind);
    await file?.write(Readable.from(records));
    await sql.begin(async (inside) => {
      const table = tables.find(({ kind }) => kind === first.kind);
      await table?.insert(inside, records);
      // If the session is a different one, the connection and its lock were lost.
      const moved = await inside`
        update msgsite.transfer set records = ${tally.records}, digest = ${tally.digest()}
        where state = 'importing' and pg_backend_pid() = ${session} returning 1`;
      if (moved.length === 0) throw lostLock();
    });
    batch = [];
    bytes = 0;
  }

  const store = () =>
    insert().catch((error) => {
      throw insertError(error, stream);
    });

  for await (const entry of stream.entries) {
    const isOther = batch[0] !== undefined && batch[0].kind !== entry.kind;
    if (isOther || batch.length >= maxRecords || bytes > maxBytes) await store();
    tally.add(entry.kind, entry.line, entry.record);
    if (tally.records === known && tally.digest() !== digest) throw new OtherStream();
    if (tally.records <= known) continue;
    batch.push(entry);
    bytes += entry.line.length;
  }
  if (tally.records < known) throw new OtherStream();
  await store();
}

/** SQLSTATE classes of rejected values. They mean that a record is invalid. */
const dataFault = /^2[23]/;

function insertError(error: unknown, stream: RecordStream): unknown {
  const code = systemErrorCode(error);
  if (code === undefined || !dataFault.test(code)) return databaseError(error);
  const { message, detail } = error as Error & { readonly detail?: string };
  return new AppError(
    'unreadable_input',
    `The database rejected one of the records up to ${stream.place()}: ${detail ?? message}`,
    { hint: 'None of the imported data can be used. Import an unedited export.', cause: error },
  );
}

function lostLock(): AppError {
  return new AppError('storage_unavailable', 'The connection to the database was lost.', {
    hint: 'Run the same command again. It resumes where it stopped.',
  });
}
