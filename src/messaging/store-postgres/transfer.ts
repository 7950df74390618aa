import type { TransactionSql } from '../../storage/postgres/connect.js';
import { type PostgresRecords, streamRows } from '../../storage/postgres/records.js';
import { toStorable } from '../../storage/postgres/storable-text.js';
import type { Chat, StoredMessage, User } from '../model.js';
import type {
  MemberRecord,
  MessageIdsRecord,
  MessageKeyRecord,
  RevokedTokenRecord,
} from '../records.js';
import { type ChatRow, toChat } from './chat-store.js';
import { type MessageRow, messageColumns, toMessage, toRecord } from './message-rows.js';
import { toUser, type UserRow } from './user-store.js';

/** Messaging's records in its tables. `now` (milliseconds) tells what has expired and is left out. */
export function postgresMessagingRecords(now: number): readonly PostgresRecords[] {
  const good = new Date(now);
  return [
    {
      kind: 'user',
      read: (sql) => streamRows(sql<UserRow[]>`select * from msgsite.users order by id`, toUser),
      insert: (sql, records) => insertUsers(sql, records as readonly User[]),
    },
    {
      kind: 'revoked-token',
      read: (sql) =>
        streamRows(
          sql<{ jti: string; expires_at: Date }[]>`
            select jti, expires_at from msgsite.revoked_tokens where expires_at > ${good}
            order by jti collate "C"`,
          ({ jti, expires_at: at }) => ({ jti, expires: at.getTime() }),
        ),
      insert: (sql, records) => insertTokens(sql, records as readonly RevokedTokenRecord[]),
    },
    {
      kind: 'chat',
      read: (sql) => streamRows(sql<ChatRow[]>`select * from msgsite.chats order by id`, toChat),
      insert: (sql, records) => insertChats(sql, records as readonly Chat[]),
    },
    {
      kind: 'member',
      read: (sql) =>
        streamRows(
          sql<{ chat_id: number; user_id: number }[]>`
            select chat_id, user_id from msgsite.members order by chat_id, place`,
          (row): MemberRecord => ({ chatId: row.chat_id, userId: row.user_id }),
        ),
      insert: (sql, records) => insertMembers(sql, records as readonly MemberRecord[]),
    },
    {
      kind: 'message',
      read: (sql) =>
        streamRows(
          sql<MessageRow[]>`
            select ${messageColumns(sql)} from msgsite.messages order by chat_id, id`,
          toMessage,
        ),
      insert: (sql, records) => insertMessages(sql, records as readonly StoredMessage[]),
    },
    {
      kind: 'message-key',
      read: (sql) =>
        streamRows(
          sql<KeyRow[]>`
            select * from msgsite.message_keys where expires_at > ${good}
            order by sender_id, key collate "C"`,
          toKey,
        ),
      insert: (sql, records) => insertKeys(sql, records as readonly MessageKeyRecord[]),
    },
    {
      kind: 'message-ids',
      read: (sql) =>
        streamRows(
          sql<{ last: number }[]>`
            select case when is_called then last_value else 0 end as last
            from msgsite.message_ids`,
          ({ last }): MessageIdsRecord => ({ lastMessageId: last }),
        ),
      insert: (sql, records) => setIds(sql, records as readonly MessageIdsRecord[]),
    },
  ];
}

interface KeyRow {
  readonly sender_id: number;
  readonly key: string;
  readonly chat_id: number;
  readonly body_hash: string;
  readonly message_id: number;
  readonly expires_at: Date;
}

function toKey(row: KeyRow): MessageKeyRecord {
  const { sender_id: senderId, key, chat_id: chatId, message_id: messageId } = row;
  const { body_hash: bodyHash, expires_at: expires } = row;
  return { senderId, key, chatId, messageId, bodyHash, expires: expires.getTime() };
}

/** JSON of the database cannot hold every character of a text; see storable-text.ts. */
function toUserRow({ id, username, email, passwordHash, avatar, bio, createdAt }: User) {
  return {
    id,
    username: toStorable(username),
    email: toStorable(email),
    email_key: toStorable(email.toLowerCase()),
    password_hash: toStorable(passwordHash),
    avatar: avatar === null ? null : toStorable(avatar),
    bio: toStorable(bio),
    created_at: createdAt,
  };
}

function insertUsers(sql: TransactionSql, users: readonly User[]) {
  return sql`
    insert into msgsite.users
      (id, username, email, email_key, password_hash, avatar, bio, created_at)
    select * from jsonb_to_recordset(${sql.json(users.map(toUserRow))}) as given (
      id bigint, username text, email text, email_key text, password_hash text, avatar text,
      bio text, created_at timestamptz)`;
}

function insertTokens(sql: TransactionSql, tokens: readonly RevokedTokenRecord[]) {
  return sql`
    insert into msgsite.revoked_tokens (jti, expires_at)
    select jti, ${msToTime(sql)} from jsonb_to_recordset(${sql.json(tokens.map(({ jti, expires }) => ({ jti, expires })))})
      as given (jti text, expires float8)`;
}

function insertChats(sql: TransactionSql, chats: readonly Chat[]) {
  const rows = chats.map(({ id, type, name, ownerId, participantId, createdAt }) => ({
    id,
    type,
    name: toStorable(name),
    owner_id: ownerId,
    participant_id: participantId ?? null,
    created_at: createdAt,
  }));
  return sql`
    insert into msgsite.chats (id, type, name, owner_id, participant_id, created_at)
    select * from jsonb_to_recordset(${sql.json(rows)}) as given (
      id bigint, type text, name text, owner_id bigint, participant_id bigint,
      created_at timestamptz)`;
}

/** Places in a chat are given in the order of the records. */
function insertMembers(sql: TransactionSql, members: readonly MemberRecord[]) {
  return sql`
    insert into msgsite.members (chat_id, user_id)
    select chat_id, user_id
    from unnest(${members.map(({ chatId }) => chatId)}::bigint[],
      ${members.map(({ userId }) => userId)}::bigint[])
      with ordinality as given (chat_id, user_id, place)
    order by given.place`;
}

function insertMessages(sql: TransactionSql, messages: readonly StoredMessage[]) {
  const rows = messages.map((message) => ({ id: message.id, ...toRecord(message, 0) }));
  return sql`
    insert into msgsite.messages (chat_id, id, sender_id, type, text, iv, encrypted, auth_tag,
      scheme, created_at)
    select chat_id, id, sender_id, type, text, decode(iv, 'hex'), decode(encrypted, 'hex'),
      decode(auth_tag, 'hex'), scheme, created_at
    from jsonb_to_recordset(${sql.json(rows)}) as given (
      chat_id bigint, id bigint, sender_id bigint, type text, text text, iv text,
      encrypted text, auth_tag text, scheme text, created_at timestamptz)`;
}

function insertKeys(sql: TransactionSql, keys: readonly MessageKeyRecord[]) {
  const rows = keys.map((record) => ({
    ...record,
    key: toStorable(record.key),
    bodyHash: toStorable(record.bodyHash),
  }));
  return sql`
    insert into msgsite.message_keys
      (sender_id, key, chat_id, body_hash, message_id, expires_at)
    select "senderId", key, "chatId", "bodyHash", "messageId", ${msToTime(sql)}
    from jsonb_to_recordset(${sql.json(rows)}) as given (
      "senderId" bigint, key text, "chatId" bigint, "bodyHash" text, "messageId" bigint,
      expires float8)`;
}

/** The column `expires`, in milliseconds since the epoch, as a time: exact, since whole seconds are split off. */
function msToTime(sql: TransactionSql) {
  return sql`to_timestamp(floor(expires / 1000))
    + make_interval(secs => (expires - 1000 * floor(expires / 1000)) / 1000)`;
}

/** The next user, chat and message get higher ids than any before. */
async function setIds(sql: TransactionSql, [ids]: readonly MessageIdsRecord[]): Promise<void> {
  const last = ids?.lastMessageId ?? 0;
  await sql`select setval('msgsite.message_ids', ${Math.max(1, last)}, ${last > 0})`;
  for (const table of ['msgsite.users', 'msgsite.chats']) {
    await sql`
      select setval(pg_get_serial_sequence(${table}, 'id'), greatest(1, max(id)), max(id) is not null)
      from ${sql(table)}`;
  }
}
