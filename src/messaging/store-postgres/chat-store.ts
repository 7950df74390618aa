import { LRUCache } from 'lru-cache';
import { createBatch } from '../../storage/postgres/batch.js';
import type { Sql } from '../../storage/postgres/connect.js';
import type { Database } from '../../storage/postgres/database.js';
import type { Chat, ChatType } from '../model.js';
import type { ChatStore } from '../store.js';
import { createJoins, type Membership } from './joins.js';
import { lookUps } from './look-ups.js';

export interface ChatRow {
  readonly id: number;
  readonly type: ChatType;
  readonly name: string;
  readonly owner_id: number;
  readonly participant_id: number | null;
  readonly created_at: Date;
}

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

  const look = createBatch<number, Chat | undefined>({
    ...lookUps,
    async run(ids) {
      const rows = await database.run(
        'chats by id',
        (sql) => sql<ChatRow[]>`
          select * from msgsite.chats where id = any(${[...new Set(ids)]}::bigint[])`,
      );
      const found = new Map(rows.map((row) => [row.id, toChat(row)]));
      return ids.map((id) => found.get(id));
    },
  });
  const lookForMember = createBatch<Membership, boolean>({
    ...lookUps,
    async run(asked) {
      const rows = await database.run(
        'memberships',
        (sql) => sql<{ chat_id: number; user_id: number }[]>`
          select chat_id, user_id from msgsite.members
          join unnest(${asked.map(({ chatId }) => chatId)}::bigint[],
            ${asked.map(({ userId }) => userId)}::bigint[]) as asked (chat_id, user_id)
          using (chat_id, user_id)`,
      );
      const found = new Set(rows.map((row) => `${row.chat_id} ${row.user_id}`));
      return asked.map(({ chatId, userId }) => found.has(`${chatId} ${userId}`));
    },
  });
  const members = createBatch<number, readonly number[]>({
    ...lookUps,
    async run(chatIds) {
      const rows = await database.run(
        'members of chats',
        (sql) => sql<{ chat_id: number; user_ids: number[] }[]>`
          select chat_id, array_agg(user_id order by place) as user_ids from msgsite.members
          where chat_id = any(${[...new Set(chatIds)]}::bigint[])
          group by chat_id`,
      );
      const found = new Map(rows.map((row) => [row.chat_id, row.user_ids]));
      return chatIds.map((chatId) => found.get(chatId) ?? []);
    },
  });

  async function findPrivate(userId: number, otherId: number): Promise<Chat | undefined> {
    const [lower = 0, higher = 0] = [userId, otherId].sort((a, b) => a - b);
    const [row] = await database.run(
      'private chat of two',
      (sql) => sql<ChatRow[]>`
        select * from msgsite.chats
        where type = 'private' and least(owner_id, participant_id) = ${lower}
          and greatest(owner_id, participant_id) = ${higher}`,
    );
    return row && toChat(row);
  }

  const addMember = createJoins(database);

  return {
    async find(id) {
      const known = chats.get(id);
      if (known) return known;
      const chat = await look(id);
      if (chat) chats.set(id, chat);
      return chat;
    },
    members,
    findPrivate,
    async isMember(chatId, userId) {
      const name = `${chatId} ${userId}`;
      if (memberships.has(name)) return true;
      const isMember = await lookForMember({ chatId, userId });
      if (isMember) memberships.set(name, true);
      return isMember;
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
      const rows = await database.run(
        'chats of a user',
        (sql) => sql<ChatRow[]>`
          select chats.* from msgsite.members join msgsite.chats on id = chat_id
          where user_id = ${userId}`,
      );
      return rows.map(toChat);
    },
    async listChannels({ after, limit }) {
      const rows = await database.run(
        'list channels',
        (sql) => sql<ChatRow[]>`
          select * from msgsite.chats where type = 'channel' and id > ${after}
          order by id limit ${limit}`,
      );
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

export function toChat(row: ChatRow): Chat {
  const { id, type, name, owner_id: ownerId, participant_id: participantId } = row;
  return {
    id,
    type,
    name,
    ownerId,
    ...(participantId === null ? {} : { participantId }),
    createdAt: row.created_at.toISOString(),
  };
}
