import { LRUCache } from 'lru-cache';
import { createBatchedRead } from '../../storage/postgres/batched-read.js';
import type { Sql } from '../../storage/postgres/connect.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/query.js';
import type { Chat } from '../model.js';
import { chatRecord } from '../records.js';
import type { ChatStore } from '../store.js';
import { createJoins, membershipOf, nameOf, selectMembers } from './joins.js';

export type ChatRow = Omit<Chat, 'participantId'> & { readonly participantId: number | null };

/**
 * How many chats, and how many memberships, a process remembers: names have at most
 * 200 characters, so that a chat takes 1 KB and all of them some tens of megabytes.
 */
const remembered = { chats: 20_000, members: 100_000 } as const;

/**
 * Chats and memberships in the tables `chats` and `members`. Chats never change and nobody leaves one, so
 * what was found once holds in every process; what was not found is asked for again.
 */
export function createPostgresChatStore(database: Database): ChatStore {
  const chats = new LRUCache<number, Chat>({ max: remembered.chats });
  const memberships = new LRUCache<string, true>({ max: remembered.members });

  const readChat = createBatchedRead({
    database,
    name: 'chats by id',
    select: (sql, ids: readonly number[]) =>
      sql<ChatRow[]>`select * from msgsite.chats where id = any(${[...ids]}::bigint[])`,
    keyOf: ({ id }) => id,
    toValue: toChat,
  });
  const readMembership = createBatchedRead({
    database,
    name: 'memberships',
    select: (sql, names: readonly string[]) => selectMembers(sql, names.map(membershipOf)),
    keyOf: nameOf,
    toValue: () => true as const,
  });
  const readMembers = createBatchedRead({
    database,
    name: 'members of chats',
    select: (sql, ids: readonly number[]) =>
      sql<{ chatId: number; userIds: number[] }[]>`
        select chat_id, array_agg(user_id order by place) as user_ids from msgsite.members
        where chat_id = any(${[...ids]}::bigint[])
        group by chat_id`,
    keyOf: ({ chatId }) => chatId,
    toValue: ({ userIds }) => userIds,
  });

  async function findPrivate(userId: number, otherId: number): Promise<Chat | undefined> {
    const [lower = 0, higher = 0] = [userId, otherId].sort((a, b) => a - b);
    const [row] = await query<ChatRow>(database, 'private chat of two')`
      select * from msgsite.chats
      where type = 'private' and least(owner_id, participant_id) = ${lower}
        and greatest(owner_id, participant_id) = ${higher}`;
    return row && toChat(row);
  }

  const addMember = createJoins(database);

  return {
    async find(id) {
      const known = chats.get(id);
      if (known) return known;
      const chat = await readChat(id);
      if (chat) chats.set(id, chat);
      return chat;
    },
    members: async (chatId) => (await readMembers(chatId)) ?? [],
    findPrivate,
    async isMember(chatId, userId) {
      const name = nameOf({ chatId, userId });
      if (memberships.has(name)) return true;
      const isMember = await readMembership(name);
      if (isMember) memberships.set(name, isMember);
      return isMember ?? false;
    },
    async create(chat) {
      const created = await database.run('create a chat', (sql) => insertChat(sql, chat));
      if (created) return { chat: created, created: true };
      const known = await findPrivate(chat.ownerId, chat.participantId ?? chat.ownerId);
      if (known) return { chat: known, created: false };
      throw new Error('A private chat was found and was gone.');
    },
    addMember,
    async listOf(userId) {
      const rows = await query<ChatRow>(database, 'chats of a user')`
        select chats.* from msgsite.members join msgsite.chats on id = chat_id
        where user_id = ${userId}`;
      return rows.map(toChat);
    },
    async listChannels({ after, limit }) {
      const rows = await query<ChatRow>(database, 'list channels')`
        select * from msgsite.chats where type = 'channel' and id > ${after}
        order by id limit ${limit}`;
      return rows.map(toChat);
    },
  };
}

/** The new chat with its founders as members; undefined where there is this private chat already. */
async function insertChat(sql: Sql, chat: Omit<Chat, 'id'>): Promise<Chat | undefined> {
  const { type, name, ownerId, participantId, createdAt } = chat;
  const founders = participantId === undefined ? [ownerId] : [ownerId, participantId];
  const [row] = await sql<ChatRow[]>`
    with created as (
      insert into msgsite.chats (type, name, owner_id, participant_id, created_at)
      values (${type}, ${name}, ${ownerId}, ${participantId ?? null}, ${createdAt})
      on conflict (least(owner_id, participant_id), greatest(owner_id, participant_id))
        where type = 'private' do nothing
      returning *
    ), founders as (
      insert into msgsite.members (chat_id, user_id)
      select created.id, founder
      from created, unnest(${founders}::bigint[]) with ordinality as asked (founder, place)
      order by place
      on conflict do nothing
    )
    select * from created`;
  return row && toChat(row);
}

export function toChat({ participantId, ...row }: ChatRow): Chat {
  return chatRecord(participantId === null ? row : { ...row, participantId });
}
