import { connect, type SqlPool } from '../../src/storage/postgres/connect.js';

/** Opens one connection to a database. The caller closes it. */
export function openSql(url: string): SqlPool {
  return connect({ url, connections: 1, statementTimeout: 0, applicationName: 'test' });
}

/** Runs `work` on a separate connection. */
export async function withSql<Result>(
  url: string,
  work: (sql: SqlPool) => PromiseLike<Result>,
): Promise<Result> {
  const sql = openSql(url);
  try {
    return await work(sql);
  } finally {
    await sql.end(1_000);
  }
}
