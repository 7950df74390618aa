import type { Sql, TransactionSql } from './connect.js';

/**
 * Does all of `work` or nothing. Where its connection is lost it fails at once, and so does whatever the work goes on
 * to ask for: nothing of it is sent over another connection.
 */
export async function inTransaction<Result>(
  sql: Sql,
  work: (sql: TransactionSql) => Promise<Result>,
): Promise<Result> {
  // In an object: of an array, the client would wait for the items.
  const { value } = await sql.begin(async (inside) => ({ value: await work(inside) }));
  return value;
}
