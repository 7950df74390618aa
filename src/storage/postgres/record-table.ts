import type { Database } from './database.js';
import { query } from './database.js';
import type { Sql, Statement, TransactionSql } from './sql.js';
import { assignments, type Fragment, identifier, part, valuesOf } from './sql.js';
import { removeRows } from './sweep.js';

interface RecordTableOptions<Stored> {
  readonly database: Database;
  /** A table with a column `record` of type `json`, and columns for finding records. */
  readonly table: string;
  /** The column that identifies a record. */
  readonly key: string;
  toRow(record: Stored): object;
}

interface Removal {
  /** An indexed column with a time. */
  readonly column: string;
  /** Milliseconds since the epoch, or a day in UTC. */
  readonly before: number | string;
  /** A further condition. */
  readonly where?: Fragment;
}

/** Returns the operations that all tables of records share. */
export function createRecordTable<Stored extends object>(options: RecordTableOptions<Stored>) {
  const { database, toRow } = options;
  const table = identifier(options.table);
  const key = identifier(options.key);

  return {
    /** Stores a record unless its key exists. Returns whether it was stored. */
    async add(record: Stored): Promise<boolean> {
      const added = await query(database, `add to ${options.table}`)`
        insert into ${table} ${valuesOf(toRow(record))} on conflict (${key}) do nothing returning 1`;
      return added.length > 0;
    },
    async find(id: string): Promise<Stored | undefined> {
      const [row] = await query<{ record: Stored }>(database, `find in ${options.table}`)`
        select record from ${table} where ${key} = ${id}`;
      return row?.record;
    },
    /**
     * Locks a record and replaces it with the result of `change`; undefined leaves it unchanged. Returns the stored
     * record.
     */
    change: (
      id: string,
      change: (record: Stored) => Stored | undefined | Promise<Stored | undefined>,
    ): Promise<Stored | undefined> =>
      database.transaction(`change in ${options.table}`, async (sql) => {
        const [row] = await sql<{ record: Stored }[]>`
          select record from ${table} where ${key} = ${id} for update`;
        const next = row && (await change(row.record));
        if (next) await sql`update ${table} set ${assignments(toRow(next))} where ${key} = ${id}`;
        return next ?? row?.record;
      }),
    /** Removes old records in batches. Returns the number of records and the number of their days in UTC. */
    async remove({ column, before, where = part`` }: Removal) {
      const rows = removeRows({
        ...{ database, name: `remove old rows of ${options.table}`, table: options.table, column },
        ...{ before: new Date(before), where },
      });
      const days = new Set<string>();
      let removed = 0;
      for await (const batch of rows) {
        for (const { time } of batch) days.add(time.slice(0, 10));
        removed += batch.length;
      }
      return { removed, days: days.size };
    },
  };
}

/** One kind of record in the tables of a feature. */
export interface PostgresRecords {
  readonly kind: string;
  /** Yields every record, in the order of exports, as of the transaction's snapshot. */
  read(sql: TransactionSql): AsyncIterable<object>;
  /** Inserts records that have passed the kind's check. */
  insert(sql: TransactionSql, records: readonly object[]): Promise<unknown>;
  /** Restores the initial content of an emptied table. */
  reset?(sql: Sql): Promise<unknown>;
}

interface TableRecords<From extends object, Stored extends object> {
  readonly kind: string;
  readonly table: string;
  /** Selects every row, in the order of exports. */
  select(sql: TransactionSql): Statement<readonly From[]>;
  toRecord(row: NoInfer<From>): Stored;
  /** Returns a row; all rows must have the same columns. */
  toRow(record: Stored): object;
}

/** Number of rows that one statement fetches. */
const batchSize = 1_000;

/** Returns a kind of record that is stored as the rows of a table. */
export function tableRecords<From extends object, Stored extends object>(
  options: TableRecords<From, Stored>,
): PostgresRecords {
  const { kind, table, select, toRecord, toRow } = options;
  return {
    kind,
    async *read(sql) {
      for await (const rows of readInParts(sql, kind, select(sql), batchSize)) {
        yield* rows.map(toRecord);
      }
    },
    async insert(sql, records) {
      if (records.length === 0) return;
      const rows = (records as readonly Stored[]).map((record) => toRow(record));
      await sql`insert into ${identifier(table)} ${valuesOf(rows)}`;
    },
  };
}

/** Reads the rows of a statement, `size` at a time, through a cursor of this name. */
export async function* readInParts<Rows extends readonly object[]>(
  sql: TransactionSql,
  name: string,
  statement: Statement<Rows>,
  size: number,
): AsyncGenerator<Rows> {
  const cursor = identifier(`parts of ${name}`);
  await sql`declare ${cursor} no scroll cursor for ${statement}`;
  for (let count = size; count === size; ) {
    // FETCH accepts no parameters.
    const rows = await sql<Rows>`fetch ${sql.unsafe(String(size))} from ${cursor}`;
    count = rows.length;
    yield rows;
  }
  await sql`close ${cursor}`;
}

/** Returns the last number of a sequence; 0 if the sequence is unused. */
export async function lastNumber(sql: TransactionSql, sequence: string): Promise<number> {
  const [row] = await sql<{ last: number }[]>`
    select case when is_called then last_value else 0 end as last from ${identifier(sequence)}`;
  return row?.last ?? 0;
}

/** Continues the sequence after `last`. */
export async function setLastNumber(
  sql: TransactionSql,
  sequence: string,
  last: number,
): Promise<void> {
  await sql`select setval(${sequence}::text::regclass, ${Math.max(1, last)}, ${last > 0})`;
}
