import type { Database } from '../../storage/postgres/database.js';
import type { TransactionSql } from '../../storage/postgres/sql.js';

/** The most messages deleted in one transaction, which takes some tens of milliseconds. @internal */
const mostDeleted = 10_000;

/**
 * Removes chats that nobody is in any more, or whose members go with them; their rows are locked. What they have
 * of messages beyond those that one transaction deletes is left to `sweepRemovedChats`: nobody can read it.
 */
export async function removeChats(sql: TransactionSql, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`delete from msgsite.members where chat_id = any(${[...ids]}::bigint[])`;
  await sql`delete from msgsite.chats where id = any(${[...ids]}::bigint[])`;
  if (await deleteMessages(sql, ids)) return;
  await sql`
    insert into msgsite.removed_chats select unnest(${[...ids]}::bigint[])`;
}

/**
 * Deletes messages of removed chats, and the keys that they were posted under; true where none is left. They go
 * through an array, for which no number of them makes the planner read whole partitions.
 */
async function deleteMessages(sql: TransactionSql, ids: readonly number[]): Promise<boolean> {
  const deleted = await sql<{ senderId: number }[]>`
    with gone as materialized (
      select chat_id, id from unnest(${[...ids]}::bigint[]) as removed (chat)
      cross join lateral (select chat_id, id from msgsite.messages where chat_id = chat) as theirs
      limit ${mostDeleted})
    delete from msgsite.messages as messages
    using unnest(array(select chat_id from gone), array(select id from gone)) as old (chat_id, id)
    where messages.chat_id = old.chat_id and messages.id = old.id
    returning sender_id`;
  const senders = [...new Set(deleted.map(({ senderId }) => senderId))];
  // In the order in which posts claim keys.
  await sql`
    delete from msgsite.message_keys where ctid = any(array(
      select ctid from msgsite.message_keys
      where sender_id = any(${senders}::bigint[]) and chat_id = any(${[...ids]}::bigint[])
      order by sender_id, key for update))`;
  return deleted.length < mostDeleted;
}

/** Deletes what is left of removed chats; several processes take a chat each. */
export async function sweepRemovedChats(database: Database, signal?: AbortSignal): Promise<void> {
  for (let isMore = true; isMore && !signal?.aborted; ) {
    isMore = await database.transaction('delete messages of removed chats', sweepOne);
  }
}

/** False where there is no chat that nobody else sweeps. */
async function sweepOne(sql: TransactionSql): Promise<boolean> {
  const [row] = await sql<{ chatId: number }[]>`
    select chat_id from msgsite.removed_chats limit 1 for update skip locked`;
  if (!row) return false;
  if (await deleteMessages(sql, [row.chatId])) {
    await sql`delete from msgsite.removed_chats where chat_id = ${row.chatId}`;
  }
  return true;
}
