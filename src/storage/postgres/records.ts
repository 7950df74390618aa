import { identifier, type Sql, type Statement, type TransactionSql, valuesOf } from './sql.js';

/** One kind of record in the tables of a feature. */
export interface PostgresRecords {
  readonly kind: string;
  /** Every record, in the order of exports, as of the transaction's snapshot. */
  read(sql: TransactionSql): AsyncIterable<object>;
  /** Adds records, which the kind's check has passed, to those inserted before. */
  insert(sql: TransactionSql, records: readonly object[]): Promise<unknown>;
  /** Puts what an empty database has into a table that was emptied. */
  reset?(sql: Sql): Promise<unknown>;
}

interface TableRecords<From extends object, Kept extends object> {
  readonly kind: string;
  readonly table: string;
  /** Every row, in the order of exports. */
  select(sql: TransactionSql): Statement<From[]>;
  toRecord(row: From): Kept;
  /** The same columns for every record. */
  toRow(record: Kept): object;
}

/** Rows fetched at once. */
const fetched = 1_000;

/** A kind of record that is kept as the rows of a table. */
export function tableRecords<From extends object, Kept extends object>(
  options: TableRecords<From, Kept>,
): PostgresRecords {
  const { kind, table, select, toRecord, toRow } = options;
  return {
    kind,
    async *read(sql) {
      for await (const rows of readInParts(sql, kind, select(sql), fetched)) {
        yield* rows.map(toRecord);
      }
    },
    async insert(sql, records) {
      if (records.length === 0) return;
      const rows = (records as readonly Kept[]).map((record) => toRow(record));
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
    // The number of rows is part of the text.
    const rows = await sql<Rows>`fetch ${sql.unsafe(String(size))} from ${cursor}`;
    count = rows.length;
    yield rows;
  }
  await sql`close ${cursor}`;
}

/** The highest number that a sequence has given; 0 where it has given none. */
export async function lastNumber(sql: TransactionSql, sequence: string): Promise<number> {
  const [row] = await sql<{ last: number }[]>`
    select case when is_called then last_value else 0 end as last from ${identifier(sequence)}`;
  return row?.last ?? 0;
}

/** The sequence goes on behind `last`. */
export async function setLastNumber(
  sql: TransactionSql,
  sequence: string,
  last: number,
): Promise<void> {
  await sql`select setval(${sequence}::text::regclass, ${Math.max(1, last)}, ${last > 0})`;
}
