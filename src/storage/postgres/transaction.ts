import type { Sql, TransactionSql } from './connect.js';
import { endsConnection, unavailable } from './database-errors.js';

/**
 * Does all of `work` or nothing. Where the connection is lost, the client would still send what the work goes on to
 * ask for, and its own rollback: to no socket, which is an exception that nobody can catch, or over the next
 * connection, where it would be no part of a transaction. So nothing more is sent, and the transaction
 * fails by the loss.
 */
export async function inTransaction<Result>(
  sql: Sql,
  work: (sql: TransactionSql) => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  const transaction = sql.begin(async (inside) => {
    const guarded = new Proxy(inside, {
      apply(target, self, args) {
        if (isOver) throw unavailable(new Error('The connection was lost.'));
        return Reflect.apply(target, self, args);
      },
    });
    try {
      // In an object: of an array, the client would wait for the items.
      const result = { value: await work(guarded) };
      if (!isOver) return result;
    } catch (error) {
      if (!isOver && !endsConnection(error)) throw error;
    }
    // The client rejects the whole when it learns that the connection is closed.
    return new Promise<never>(() => {});
  });
  transaction.catch(() => {
    isOver = true;
  });
  const { value } = await transaction;
  return value;
}
