import type { Sql } from '../../storage/postgres/sql.js';

/**
 * First of the two numbers of an advisory lock: locks of users. A transaction that posts as a user, or adds the user to
 * a chat, takes a shared lock until its commit. One that removes the user from a chat, or deletes the account, takes an
 * exclusive lock. The results of `members_among` and `ended_among` under the lock therefore hold until the commit.
 */
export const userLocks = 732;

/** Returns a query of one row that takes the shared locks of users until the commit. */
export function shareUserLocks(sql: Sql, ids: readonly number[]) {
  return sql`
    select count(done) as taken from (
      select pg_advisory_xact_lock_shared(${userLocks}, lock) as done
      from (${lockNumbers(sql, ids)}) as locks
    ) as shared`;
}

/** Takes a user's exclusive lock until the transaction ends. */
export async function takeUserLock(sql: Sql, id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${userLocks}, lock) from (${lockNumbers(sql, [id])}) as locks`;
}

/** Selects the lock numbers of users, always in the same order, so that transactions cannot deadlock. */
function lockNumbers(sql: Sql, ids: readonly number[]) {
  return (sql as Sql)`
    select distinct (id % 2147483647)::int as lock
    from unnest(${[...ids]}::bigint[]) as asked (id) order by lock`;
}
