import { AppError } from '../../base/errors.js';
import {
  createBatch,
  createBatchedLists,
  createBatchedRead,
} from '../../storage/postgres/batch.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/database.js';
import type { Sql } from '../../storage/postgres/sql.js';
import { columnNames, columnValues } from '../../storage/postgres/sql.js';
import type { Chat } from '../model.js';
import type { ChatStore, Membership } from '../store.js';
import { createJoins, removeMember } from './leaving.js';
import type { MemberName } from './rows.js';
import {
  type ChatRow,
  codecs,
  columnsOf,
  keyOfNumbers,
  type MembershipRow,
  toMembership,
} from './rows.js';
import { shareUserLocks } from './user-locks.js';
import type { PostgresStoreOptions } from './user-store.js';

/** Maximum number of chats or users whose lists are read in one statement. Each list can be long. */
const listsTogether = 50;

/**
 * Creates the store of chats and memberships in the tables `chats` and `members`. It caches nothing, because another
 * process may remove a member at any time. Concurrent reads share one statement.
 */
export function createPostgresChatStore({ database, changes }: PostgresStoreOptions): ChatStore {
  const readChat = createBatchedRead({
    database,
    name: 'chats by id',
    select: (sql, ids: readonly number[]) =>
      sql<ChatRow[]>`select * from msgsite.chats where id = any(${[...ids]}::bigint[])`,
    keyOf: ({ id }) => id,
    toValue: (row) => row,
  });
  const readMembership = createBatchedRead({
    database,
    name: 'memberships',
    select(sql, keys: readonly string[]) {
      const [chatIds = [], userIds = []] = columnsOf(keys);
      return sql<MembershipRow[]>`
        select chats.*, members.user_id, start_id, read_id
        from unnest(${chatIds}::bigint[], ${userIds}::bigint[]) as asked (chat_id, user_id)
        join msgsite.members
          on members.chat_id = asked.chat_id and members.user_id = asked.user_id
        join msgsite.chats on chats.id = asked.chat_id`;
    },
    keyOf: ({ id, userId }) => keyOfNumbers(id, userId),
    toValue: toMembership,
  });
  const membership = (chatId: number, userId: number) =>
    readMembership(keyOfNumbers(chatId, userId));
  const members = createBatchedLists({
    database,
    name: 'members of chats',
    select: (sql, ids: readonly number[]) =>
      sql<{ chatId: number; userId: number }[]>`
        select chat_id, user_id from msgsite.members
        where chat_id = any(${[...ids]}::bigint[]) order by chat_id, place`,
    keyOf: ({ chatId }) => chatId,
    toValue: ({ userId }) => userId,
    most: listsTogether,
  });
  const readMembersById = createBatchedLists({
    database,
    name: 'members of chats by id',
    select(sql, keys: readonly string[]) {
      const [chatIds = [], afters = [], limits = []] = columnsOf(keys);
      return sql<{ chat: number; after: number; most: number; userId: number }[]>`
        select asked.*, page.user_id
        from unnest(${chatIds}::bigint[], ${afters}::bigint[], ${limits}::bigint[])
          as asked (chat, after, most)
        cross join lateral (
          select user_id from msgsite.members
          where chat_id = asked.chat and user_id > asked.after
          order by user_id limit asked.most
        ) as page`;
    },
    keyOf: ({ chat, after, most }) => keyOfNumbers(chat, after, most),
    toValue: ({ userId }) => userId,
    most: listsTogether,
  });
  const listOf = createBatchedLists({
    database,
    name: 'chats of users',
    select: (sql, ids: readonly number[]) =>
      sql<MembershipRow[]>`
        select chats.*, members.user_id, start_id, read_id
        from msgsite.members join msgsite.chats on chats.id = chat_id
        where user_id = any(${[...ids]}::bigint[])`,
    keyOf: ({ userId }) => userId,
    toValue: toMembership,
    most: listsTogether,
  });
  const moveMarks = createReadMarks(database);

  async function findPrivate(userId: number, otherId: number): Promise<Chat | undefined> {
    const [lower = 0, higher = 0] = [userId, otherId].sort((a, b) => a - b);
    const [row] = await query<ChatRow>(database, 'private chat of two')`
      select * from msgsite.chats
      where type = 'private' and least(owner_id, participant_id) = ${lower}
        and greatest(owner_id, participant_id) = ${higher}`;
    return row && codecs.chat.toRecord(row);
  }

  return {
    async find(id) {
      const row = await readChat(id);
      return row && codecs.chat.toRecord(row);
    },
    findPrivate,
    membership,
    members,
    countMembers: async (chatId) => (await readChat(chatId))?.memberCount ?? 0,
    membersById: (chatId, { after, limit }) => readMembersById(keyOfNumbers(chatId, after, limit)),
    listOf,
    async create(chat) {
      const founders = foundersOf(chat);
      const created = await database.run('create a chat', (sql) => insertChat(sql, chat, founders));
      if (created) {
        changes.report(...founders.map((list) => ({ list })));
        return { chat: created, created: true };
      }
      const known = await findPrivate(chat.ownerId, chat.participantId ?? chat.ownerId);
      if (known) return { chat: known, created: false };
      throw new AppError('not_found', 'The account of a participant was deleted.');
    },
    addMember: createJoins(database, changes),
    async removeMember(chatId, userId) {
      const { chat, isRemoved } = await database.transaction('remove a member', (sql) =>
        removeMember(sql, chatId, userId),
      );
      if (isRemoved) changes.report({ chat: chatId }, { list: userId });
      return chat;
    },
    async rename(id, name) {
      const [row] = await query<ChatRow>(database, 'rename a chat')`
        update msgsite.chats set name = ${name} where id = ${id} returning *`;
      if (row) changes.report({ chat: id });
      return row && codecs.chat.toRecord(row);
    },
    async markRead(chatId, userId, messageId) {
      const moved = await moveMarks({ chatId, userId, messageId });
      if (!moved) return membership(chatId, userId);
      changes.report({ list: userId });
      if (moved.chat.type === 'private') changes.report({ chat: chatId });
      return moved;
    },
    async listChannels({ after, limit }) {
      const found = await query<ChatRow>(database, 'list channels')`
        select * from msgsite.chats where type = 'channel' and id > ${after}
        order by id limit ${limit}`;
      return found.map(codecs.chat.toRecord);
    },
  };
}

function foundersOf({ ownerId, participantId = ownerId }: Omit<Chat, 'id'>): number[] {
  return [...new Set([ownerId, participantId])];
}

/**
 * Stores a new chat with its founders as members. Returns undefined if the private chat already exists, or the account
 * of a founder is deleted.
 */
async function insertChat(
  sql: Sql,
  chat: Omit<Chat, 'id'>,
  founders: readonly number[],
): Promise<Chat | undefined> {
  const columns = codecs.chat.toRow(chat);
  const [row] = await sql<ChatRow[]>`
    with locks as materialized (${shareUserLocks(sql, founders)}), created as (
      insert into msgsite.chats (${columnNames(columns)}, member_count)
      select ${columnValues(columns)}, ${founders.length} from locks
      where cardinality(msgsite.ended_among(${[...founders]}::bigint[], taken)) = 0
      on conflict (least(owner_id, participant_id), greatest(owner_id, participant_id))
        where type = 'private' do nothing
      returning *
    ), founders as (
      insert into msgsite.members (chat_id, user_id, start_id)
      select created.id, founder, 0
      from created, unnest(${[...founders]}::bigint[]) with ordinality as asked (founder, place)
      order by asked.place
    )
    select * from created`;
  return row && codecs.chat.toRecord(row);
}

/** A request to move a member's read mark to a message. */
interface ReadMark extends MemberName {
  readonly messageId: number;
}

const markBatches = { most: 100, concurrency: 2 } as const;

/**
 * Returns a function that moves a read mark forward. Concurrent calls share one statement. The function returns the
 * membership, or undefined if the mark does not move or the user is not a member.
 */
function createReadMarks(database: Database): (mark: ReadMark) => Promise<Membership | undefined> {
  return createBatch<ReadMark, Membership | undefined>({
    ...markBatches,
    async run(marks) {
      const marked = await database.run('move read marks', (sql) => moveMarks(sql, marks));
      const moved = new Map(
        marked.map((row) => [keyOfNumbers(row.id, row.userId), toMembership(row)]),
      );
      return marks.map(({ chatId, userId }) => moved.get(keyOfNumbers(chatId, userId)));
    },
  });
}

/**
 * Moves read marks. The rows are locked in a fixed order, so that processes that move the same marks cannot deadlock. A
 * row without `start_id` belongs to a deleted account, which may have been deleted while this statement waited for the
 * row.
 */
function moveMarks(sql: Sql, marks: readonly ReadMark[]) {
  return sql<MembershipRow[]>`
    with asked as (
      select chat_id, user_id, max(message_id) as message_id
      from unnest(${marks.map(({ chatId }) => chatId)}::bigint[],
        ${marks.map(({ userId }) => userId)}::bigint[],
        ${marks.map(({ messageId }) => messageId)}::bigint[]) as asked (chat_id, user_id, message_id)
      group by chat_id, user_id
    ), locked as materialized (
      select members.chat_id, members.user_id, asked.message_id
      from asked join msgsite.members
        on members.chat_id = asked.chat_id and members.user_id = asked.user_id
      where read_id is null or read_id < asked.message_id
      order by members.chat_id, members.user_id for update of members
    ), moved as (
      update msgsite.members set read_id = greatest(read_id, message_id)
      from locked
      where members.chat_id = locked.chat_id and members.user_id = locked.user_id
        and start_id is not null
      returning members.*
    )
    select chats.*, moved.user_id, start_id, read_id
    from moved join msgsite.chats on chats.id = moved.chat_id`;
}
