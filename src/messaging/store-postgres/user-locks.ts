import type { Sql } from '../../storage/postgres/sql.js';

/**
 * First key of the advisory locks on users. A transaction that posts as a user, or adds the user to a chat, holds a
 * shared lock until its commit. A transaction that removes the user from a chat, or deletes the account, holds an
 * exclusive lock. The results of `members_among` and `ended_among` therefore remain valid while a lock is held.
 */
export const userLocks = 732;

/** Returns a query that acquires shared locks on users until the commit. It selects one row. */
export function shareUserLocks(sql: Sql, ids: readonly number[]) {
  return sql`
    select count(done) as taken from (
      select pg_advisory_xact_lock_shared(${userLocks}, lock) as done
      from (${lockNumbers(sql, ids)}) as locks
    ) as shared`;
}

/** Acquires an exclusive lock on a user until the end of the transaction. */
export async function takeUserLock(sql: Sql, id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${userLocks}, lock) from (${lockNumbers(sql, [id])}) as locks`;
}

/** Selects the lock keys of users in a fixed order, so that transactions cannot deadlock. */
function lockNumbers(sql: Sql, ids: readonly number[]) {
  return (sql as Sql)`
    select distinct (id % 2147483647)::int as lock
    from unnest(${[...ids]}::bigint[]) as asked (id) order by lock`;
}
