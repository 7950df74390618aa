import { AppError } from '../../base/errors.js';
import { createBatch } from '../../storage/postgres/batch.js';
import type { Database } from '../../storage/postgres/database.js';
import type { TransactionSql } from '../../storage/postgres/sql.js';
import type { Chat } from '../model.js';
import type { ChatStore, Joining } from '../store.js';
import type { PostgresChanges } from './changes.js';
import { type ChatRow, codecs, keyOfNumbers, type MemberName } from './rows.js';
import { shareUserLocks, takeUserLock } from './user-locks.js';

/**
 * Maximum number of messages that one transaction deletes. Deleting them takes a few tens of milliseconds. @internal
 */
const maxDeleted = 10_000;

/**
 * Deletes chats and their members. The caller has locked the chats' rows. Messages beyond the limit of one transaction
 * can no longer be read, and are deleted by `sweepRemovedChats`.
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
 * Deletes messages of removed chats and the keys that they were posted with. Returns true if no messages are left. They
 * are selected through an array, because the planner could otherwise read whole partitions.
 */
async function deleteMessages(sql: TransactionSql, ids: readonly number[]): Promise<boolean> {
  const deleted = await sql<{ senderId: number }[]>`
    with gone as materialized (
      select chat_id, id from unnest(${[...ids]}::bigint[]) as removed (chat)
      cross join lateral (select chat_id, id from msgsite.messages where chat_id = chat) as theirs
      limit ${maxDeleted})
    delete from msgsite.messages as messages
    using unnest(array(select chat_id from gone), array(select id from gone)) as old (chat_id, id)
    where messages.chat_id = old.chat_id and messages.id = old.id
    returning sender_id`;
  const senders = [...new Set(deleted.map(({ senderId }) => senderId))];
  // Locks keys in the order in which posts claim them, to avoid deadlocks.
  await sql`
    delete from msgsite.message_keys where ctid = any(array(
      select ctid from msgsite.message_keys
      where sender_id = any(${senders}::bigint[]) and chat_id = any(${[...ids]}::bigint[])
      order by sender_id, key for update))`;
  return deleted.length < maxDeleted;
}

/** Deletes the remaining messages of removed chats. Each process works on a different chat. */
export async function sweepRemovedChats(database: Database, signal?: AbortSignal): Promise<void> {
  for (let isMore = true; isMore && !signal?.aborted; ) {
    isMore = await database.transaction('delete messages of removed chats', sweepOne);
  }
}

/** Sweeps one chat that no other process is sweeping. Returns false if there is no such chat. */
async function sweepOne(sql: TransactionSql): Promise<boolean> {
  const [row] = await sql<{ chatId: number }[]>`
    select chat_id from msgsite.removed_chats limit 1 for update skip locked`;
  if (!row) return false;
  if (await deleteMessages(sql, [row.chatId])) {
    await sql`delete from msgsite.removed_chats where chat_id = ${row.chatId}`;
  }
  return true;
}

/** The result of removing a member. */
interface Leaving {
  /** The chat after the removal; undefined if it no longer exists. */
  readonly chat: Chat | undefined;
  /** True if the user was a member. */
  readonly isRemoved: boolean;
}

/**
 * Removes a member from a group or channel. If the owner is removed, the member who joined first becomes the owner. A
 * chat without members is deleted. Locking the user waits for posts in progress.
 */
export async function removeMember(
  sql: TransactionSql,
  chatId: number,
  userId: number,
): Promise<Leaving> {
  await takeUserLock(sql, userId);
  const [row] = await sql<ChatRow[]>`
    select * from msgsite.chats where id = ${chatId} for update`;
  if (!row || row.type === 'private')
    return { chat: row && codecs.chat.toRecord(row), isRemoved: false };
  const removed = await sql`
    delete from msgsite.members where chat_id = ${chatId} and user_id = ${userId} returning 1`;
  if (removed.length === 0) return { chat: codecs.chat.toRecord(row), isRemoved: false };
  await transferOwnership(sql, row.ownerId === userId ? [chatId] : []);
  const [left] = await decrementMemberCounts(sql, [chatId]);
  if (left && left.memberCount > 0) return { chat: codecs.chat.toRecord(left), isRemoved: true };
  await removeChats(sql, [chatId]);
  return { chat: undefined, isRemoved: true };
}

/** Makes the member who joined first the owner of each chat. The caller has locked the chats' rows. */
export async function transferOwnership(
  sql: TransactionSql,
  chatIds: readonly number[],
): Promise<void> {
  if (chatIds.length === 0) return;
  await sql`
    update msgsite.chats set owner_id = heirs.user_id
    from unnest(${[...chatIds]}::bigint[]) as asked (chat_id)
    cross join lateral (
      select user_id from msgsite.members where chat_id = asked.chat_id order by place limit 1
    ) as heirs
    where chats.id = asked.chat_id`;
}

/** Decrements the member count of each chat, and returns the chats. The caller has locked their rows. */
export function decrementMemberCounts(sql: TransactionSql, chatIds: readonly number[]) {
  return sql<ChatRow[]>`
    update msgsite.chats set member_count = member_count - 1
    where id = any(${[...chatIds]}::bigint[]) returning *`;
}

interface Join extends MemberName {
  /** Maximum number of members of the chat; null for no limit. */
  readonly max: number | null;
}

/** `gone` means that the chat no longer exists or the user's account is deleted. */
type Outcome = Joining | 'gone';

/** One batch at a time, so that people join in the order of their requests. */
const inTurn = { most: 100, concurrency: 1 } as const;

/** Returns a function that adds a member to a chat. Concurrent calls share one transaction. */
export function createJoins(database: Database, changes: PostgresChanges): ChatStore['addMember'] {
  const join = createBatch<Join, Outcome>({
    ...inTurn,
    run: (joins) =>
      database.transaction('add members', async (sql) => {
        // A statement reads only data that was committed before it began, so separate statements acquire the locks.
        await shareUserLocks(
          sql,
          joins.map(({ userId }) => userId),
        );
        await sql`
          select from msgsite.chats where id = any(${joins.map(({ chatId }) => chatId)}::bigint[])
          order by id for update`;
        return addMembers(sql, joins);
      }),
  });
  return async (chatId, userId, max) => {
    const outcome = await join({ chatId, userId, max: max ?? null });
    if (outcome === 'gone') {
      throw new AppError('not_found', `Chat ${chatId} or user ${userId} was deleted.`);
    }
    if (outcome === 'added') changes.report({ chat: chatId }, { list: userId });
    return outcome;
  };
}

/** Adds members, and returns the outcomes in the same order. A member that appears twice is added once. */
async function addMembers(sql: TransactionSql, joins: readonly Join[]): Promise<Outcome[]> {
  const added = new Set((await insertMembers(sql, joins)).map(nameOf));
  if (added.size === joins.length) return joins.map(() => 'added');
  const others = new Map(
    (await selectStates(sql, joins)).map((row) => [nameOf(row), row.isMember ? 'present' : 'full']),
  );
  return joins.map((member) => {
    const name = nameOf(member);
    if (added.delete(name)) return 'added';
    return (others.get(name) as Joining | undefined) ?? 'gone';
  });
}

function insertMembers(sql: TransactionSql, joins: readonly Join[]) {
  return sql<MemberName[]>`
    with asked as (
      select chat_id, user_id, min(most) as most, min(place) as place
      from unnest(${joins.map(({ chatId }) => chatId)}::bigint[],
        ${joins.map(({ userId }) => userId)}::bigint[], ${joins.map(({ max }) => max)}::int[])
        with ordinality as asked (chat_id, user_id, most, place)
      group by chat_id, user_id
    ), fresh as (
      select asked.*, member_count,
        row_number() over (partition by chat_id order by place) as number
      from asked join msgsite.chats on chats.id = chat_id
      where not exists (
        select from msgsite.members
        where members.chat_id = asked.chat_id and members.user_id = asked.user_id)
      and not exists (
        select from msgsite.users where users.id = asked.user_id and deleted_at is not null)
    ), added as (
      insert into msgsite.members (chat_id, user_id, start_id)
      select chat_id, user_id, last_id
      from fresh, (
        select case when is_called then last_value else 0 end as last_id from msgsite.message_ids
      ) as ids
      where most is null or number <= most - member_count
      order by place
      returning chat_id, user_id
    ), counted as (
      update msgsite.chats set member_count = member_count + number
      from (select chat_id, count(*) as number from added group by chat_id) as more
      where chats.id = more.chat_id
    )
    select * from added`;
}

/** Selects whether users are members. Omits users whose chat or account is deleted. */
function selectStates(sql: TransactionSql, joins: readonly MemberName[]) {
  return sql<(MemberName & { isMember: boolean })[]>`
    select asked.chat_id, asked.user_id, members.user_id is not null as is_member
    from unnest(${joins.map(({ chatId }) => chatId)}::bigint[],
      ${joins.map(({ userId }) => userId)}::bigint[]) as asked (chat_id, user_id)
    join msgsite.chats on chats.id = asked.chat_id
    left join msgsite.members
      on members.chat_id = asked.chat_id and members.user_id = asked.user_id
    where not exists (
      select from msgsite.users where users.id = asked.user_id and deleted_at is not null)`;
}

function nameOf({ chatId, userId }: MemberName): string {
  return keyOfNumbers(chatId, userId);
}
