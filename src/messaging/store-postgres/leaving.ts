import type { TransactionSql } from '../../storage/postgres/sql.js';
import type { Chat } from '../model.js';
import { type ChatRow, toChat } from './chat-rows.js';
import { removeChats } from './removed-chats.js';
import { takeUserLock } from './user-locks.js';

/** What came of removing a member. */
interface Leaving {
  /** As it is then; undefined where there is none any more. */
  readonly chat: Chat | undefined;
  /** The user was a member, and is none any more. */
  readonly isRemoved: boolean;
}

/**
 * Takes a member out of a group or channel. The owner's place goes to the member who joined first; a chat without
 * members goes. The user's lock waits for what they are posting.
 */
export async function removeMember(
  sql: TransactionSql,
  chatId: number,
  userId: number,
): Promise<Leaving> {
  await takeUserLock(sql, userId);
  const [row] = await sql<ChatRow[]>`
    select * from msgsite.chats where id = ${chatId} for update`;
  if (!row || row.type === 'private') return { chat: row && toChat(row), isRemoved: false };
  const removed = await sql`
    delete from msgsite.members where chat_id = ${chatId} and user_id = ${userId} returning 1`;
  if (removed.length === 0) return { chat: toChat(row), isRemoved: false };
  await passOn(sql, row.ownerId === userId ? [chatId] : []);
  const [left] = await countOut(sql, [chatId]);
  if (left && left.memberCount > 0) return { chat: toChat(left), isRemoved: true };
  await removeChats(sql, [chatId]);
  return { chat: undefined, isRemoved: true };
}

/** Chats whose owner has left, whose rows are locked, get the member who joined first as their owner. */
export async function passOn(sql: TransactionSql, chatIds: readonly number[]): Promise<void> {
  if (chatIds.length === 0) return;
  await sql`
    update msgsite.chats set owner_id = heirs.user_id
    from unnest(${[...chatIds]}::bigint[]) as asked (chat_id)
    cross join lateral (
      select user_id from msgsite.members where chat_id = asked.chat_id order by place limit 1
    ) as heirs
    where chats.id = asked.chat_id`;
}

/** Counts one member less in each of the chats, whose rows are locked; gives them as they are then. */
export function countOut(sql: TransactionSql, chatIds: readonly number[]) {
  return sql<ChatRow[]>`
    update msgsite.chats set member_count = member_count - 1
    where id = any(${[...chatIds]}::bigint[]) returning *`;
}
