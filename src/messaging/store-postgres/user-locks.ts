import type { Sql } from '../../storage/postgres/sql.js';

/**
 * First half of the two numbers that name an advisory lock: these are about users. Who stores something in a user's
 * name, or adds the user to a chat, shares the user's lock until that is committed; who takes the user out of a
 * chat, or ends the account, holds it alone. What is asked under it (`members_among`, `ended_among`) is therefore
 * true until the commit.
 */
export const userLocks = 732;

/** Shares the locks of some users until the statement is committed; a query that gives one row. */
export function shareUserLocks(sql: Sql, ids: readonly number[]) {
  return sql`
    select count(done) as taken from (
      select pg_advisory_xact_lock_shared(${userLocks}, lock) as done
      from (${lockNumbers(sql, ids)}) as locks
    ) as shared`;
}

/** Takes a user's lock alone, until the transaction ends. */
export async function takeUserLock(sql: Sql, id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${userLocks}, lock) from (${lockNumbers(sql, [id])}) as locks`;
}

/** In one order everywhere, so that nobody waits for somebody who waits for them. */
function lockNumbers(sql: Sql, ids: readonly number[]) {
  return (sql as Sql)`
    select distinct (id % 2147483647)::int as lock
    from unnest(${[...ids]}::bigint[]) as asked (id) order by lock`;
}
