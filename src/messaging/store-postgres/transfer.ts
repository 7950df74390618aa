import type { TransactionSql } from '../../storage/postgres/connect.js';
import {
  lastNumber,
  type PostgresRecords,
  setLastNumber,
  tableRecords,
} from '../../storage/postgres/records.js';
import type { Chat, StoredMessage, User } from '../model.js';
import {
  type MemberRecord,
  type MessageIdsRecord,
  type MessageKeyRecord,
  type RevokedTokenRecord,
  revocationOfAll,
  revokedBefore,
  userRecord,
} from '../records.js';
import { type ChatRow, toChat } from './chat-store.js';
import { type MessageRow, toMessage, toRow } from './message-rows.js';
import { lastTime } from './token-store.js';
import { emailKey, type UserRow } from './user-store.js';

/** Messaging's records in its tables. `now` (milliseconds) tells what has expired and is left out. */
export function postgresMessagingRecords(now: number): readonly PostgresRecords[] {
  const good = new Date(now);
  return [
    tableRecords<UserRow, User>({
      kind: 'user',
      table: 'msgsite.users',
      select: (sql) => sql`select * from msgsite.users order by id`,
      toRecord: userRecord,
      toRow: (user) => ({ ...user, emailKey: emailKey(user.email) }),
    }),
    tableRecords<{ jti: string; expiresAt: string }, RevokedTokenRecord>({
      kind: 'revoked-token',
      table: 'msgsite.revoked_tokens',
      select: (sql) => sql`
        select * from msgsite.revoked_tokens where expires_at > ${good} order by jti collate "C"`,
      toRecord({ jti, expiresAt }) {
        const before = revokedBefore({ jti });
        return before > 0 ? revocationOfAll(before) : { jti, expires: Date.parse(expiresAt) };
      },
      toRow: ({ jti, expires }) => ({ jti, expiresAt: new Date(Math.min(expires, lastTime)) }),
    }),
    tableRecords<ChatRow, Chat>({
      kind: 'chat',
      table: 'msgsite.chats',
      select: (sql) => sql`select * from msgsite.chats order by id`,
      toRecord: toChat,
      toRow: ({ participantId, ...chat }) => ({ ...chat, participantId }),
    }),
    // The order of the rows becomes that of joining.
    tableRecords<MemberRecord, MemberRecord>({
      kind: 'member',
      table: 'msgsite.members',
      select: (sql) => sql`
        select chat_id, user_id from msgsite.members order by chat_id, place`,
      toRecord: (member) => member,
      toRow: (member) => member,
    }),
    tableRecords<MessageRow, StoredMessage>({
      kind: 'message',
      table: 'msgsite.messages',
      select: (sql) => sql`select * from msgsite.messages order by chat_id, id`,
      toRecord: toMessage,
      toRow,
    }),
    tableRecords<Omit<MessageKeyRecord, 'expires'> & { expiresAt: string }, MessageKeyRecord>({
      kind: 'message-key',
      table: 'msgsite.message_keys',
      select: (sql) => sql`
        select sender_id, key, chat_id, message_id, body_hash, expires_at
        from msgsite.message_keys where expires_at > ${good} order by sender_id, key collate "C"`,
      toRecord: ({ expiresAt, ...key }) => ({ ...key, expires: Date.parse(expiresAt) }),
      toRow: ({ expires, ...key }) => ({ ...key, expiresAt: new Date(expires) }),
    }),
    {
      kind: 'message-ids',
      async *read(sql): AsyncGenerator<MessageIdsRecord> {
        yield { lastMessageId: await lastNumber(sql, 'msgsite.message_ids') };
      },
      insert: (sql, records) => setIds(sql, records as readonly MessageIdsRecord[]),
    },
  ];
}

/** The next user, chat and message get higher ids than any before. */
async function setIds(sql: TransactionSql, [ids]: readonly MessageIdsRecord[]): Promise<void> {
  await setLastNumber(sql, 'msgsite.message_ids', ids?.lastMessageId ?? 0);
  for (const table of ['msgsite.users', 'msgsite.chats']) {
    const [row] = await sql<{ last: number }[]>`
      select coalesce(max(id), 0) as last from ${sql(table)}`;
    await setLastNumber(sql, `${table}_id_seq`, row?.last ?? 0);
  }
}
