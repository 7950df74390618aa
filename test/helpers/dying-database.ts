import type { Database } from '../../src/storage/postgres/database.js';
import type { TransactionSql } from '../../src/storage/postgres/sql.js';

/**
 * Returns a database whose process dies at the n-th query in a transaction, so that the database ends the connection.
 */
export function dyingAt(
  database: Database,
  n: number,
): { readonly dying: Database; readonly count: () => number } {
  let queries = 0;
  /** Counts a query when it is awaited, because it is sent then. Parts of statements are never awaited. */
  function countWhenSent(query: PromiseLike<unknown>, sql: TransactionSql): unknown {
    const send = query.then.bind(query);
    // biome-ignore lint/suspicious/noThenProperty: it replaces the method of the database client.
    query.then = (onFulfilled, onRejected) => {
      queries += 1;
      if (queries !== n) return send(onFulfilled, onRejected);
      return sql`select pg_terminate_backend(pg_backend_pid())`.then(
        onFulfilled as never,
        onRejected,
      );
    };
    return query;
  }
  const dying: Database = {
    ...database,
    transaction: (name, work) =>
      database.transaction(name, (sql) =>
        work(
          new Proxy(sql, {
            apply(target, self, args) {
              const made = Reflect.apply(target, self, args);
              return typeof made?.then === 'function' ? countWhenSent(made, sql) : made;
            },
          }),
        ),
      ),
  };
  return { dying, count: () => queries };
}
