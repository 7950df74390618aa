import { Readable } from 'node:stream';
import { AppError, systemErrorCode } from '../base/errors.js';
import type { RecordWriter } from '../base/records.js';
import type { SqlPool } from '../storage/postgres/connect.js';
import { databaseError } from '../storage/postgres/database-errors.js';
import { readDatabaseMark } from '../storage/postgres/database-mark.js';
import type { PostgresRecords } from '../storage/postgres/records.js';
import { OtherStream } from './place.js';
import type { Entry, RecordStream } from './record-stream.js';
import { createTally } from './summary.js';

export interface LoadOptions {
  /** A single connection, whose session holds the database alone. */
  readonly sql: SqlPool;
  /** That session's number. */
  readonly session: number;
  readonly tables: readonly PostgresRecords[];
  /** Takes what is kept in files beside the database; kinds that nobody takes are passed over. */
  readonly files: readonly RecordWriter[];
}

/** The most records that become one transaction. @internal */
const mostRecords = 1_000;
/** Bytes of records that become one transaction. @internal */
const mostBytes = 1024 * 1024;

/**
 * Inserts a stream in bounded transactions, each of which moves the mark on: a load that is cut off goes
 * on behind what is in the tables. `OtherStream` where what is there is not the stream's beginning.
 */
export async function loadDatabase(stream: RecordStream, options: LoadOptions): Promise<void> {
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
      // Another session means that the connection was lost, and with it the lock.
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
    if (isOther || batch.length >= mostRecords || bytes > mostBytes) await store();
    tally.add(entry.kind, entry.line, entry.record);
    if (tally.records === known && tally.digest() !== digest) throw new OtherStream();
    if (tally.records <= known) continue;
    batch.push(entry);
    bytes += entry.line.length;
  }
  if (tally.records < known) throw new OtherStream();
  await store();
}

/** SQLSTATE classes of values that a table does not take: what was to be stored is at fault. */
const dataFault = /^2[23]/;

function insertError(error: unknown, stream: RecordStream): unknown {
  const code = systemErrorCode(error);
  if (code === undefined || !dataFault.test(code)) return databaseError(error);
  const { message, detail } = error as Error & { readonly detail?: string };
  return new AppError(
    'unreadable_input',
    `The database does not take records up to ${stream.place()}: ${detail ?? message}`,
    { hint: 'Nothing is released for use. Import an export that nobody has edited.', cause: error },
  );
}

function lostLock(): AppError {
  return new AppError('storage_unavailable', 'The connection to the database was lost.', {
    hint: 'Run the same again: it goes on where it ended.',
  });
}
