import type { PendingQuery, Row } from 'postgres';
import type { TransactionSql } from './connect.js';

/** One kind of record in the tables of a feature. */
export interface PostgresRecords {
  readonly kind: string;
  /** Every record, in the order of exports, as of the transaction's snapshot. */
  read(sql: TransactionSql): AsyncIterable<object>;
  /** Adds records, which the kind's check has passed, to those inserted before. */
  insert(sql: TransactionSql, records: readonly object[]): Promise<unknown>;
}

/** Rows fetched at once. */
const fetched = 1_000;

/** The rows of a query, fetched in portions, each turned into a record. */
export async function* streamRows<From extends Row, To>(
  query: PendingQuery<From[]>,
  toRecord: (row: From) => To,
): AsyncGenerator<To> {
  for await (const rows of query.cursor(fetched)) for (const row of rows) yield toRecord(row);
}
