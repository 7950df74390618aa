import type { Sql } from '../../storage/postgres/connect.js';
import { toStorable } from '../../storage/postgres/storable-text.js';
import type { EncryptedText, StoredMessage } from '../model.js';
import { messageRecord } from '../records.js';
import type { IdempotencyKey } from '../store.js';

/** A row of `messages`; its bytes are hex digits. */
export type MessageRow = Omit<StoredMessage, 'text' | 'encrypted'> &
  EncryptedText & { readonly text: string | null };

export function toMessage({ text, iv, encrypted, authTag, ...row }: MessageRow): StoredMessage {
  const message = { ...row, encrypted: { iv, encrypted, authTag } };
  return messageRecord(text === null ? message : { ...message, text });
}

/** The columns of a message. */
export function toRow({ encrypted, text, ...message }: Omit<StoredMessage, 'id'>) {
  return { ...message, text, ...encrypted };
}

/** First half of the two numbers that name an advisory lock: these are about chats. */
const chatLocks = 731;

/** What becomes the rows of `jsonb_to_recordset`; JSON of the database cannot hold U+0000 either. */
function toJsonRow(message: Omit<StoredMessage, 'id'>, place: number) {
  const { text, encrypted, ...columns } = message;
  const stored = text === undefined ? null : toStorable(text);
  return { ...columns, ...encrypted, place, text: stored };
}

/**
 * Stores messages in one statement; gives their ids in the order of the messages. The locks of the
 * chats are held until the statement is committed and are taken in one order everywhere, and a
 * message's number is taken under the lock of its chat.
 */
export async function insertMessages(
  sql: Sql,
  messages: readonly Omit<StoredMessage, 'id'>[],
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    with given as materialized (
      select * from jsonb_to_recordset(${sql.json(messages.map(toJsonRow))}) as given (
        place int, "chatId" bigint, "senderId" bigint, type text, text text, iv text,
        encrypted text, "authTag" text, scheme text, "createdAt" timestamptz)
    ), locked as materialized (
      select pg_advisory_xact_lock(${chatLocks}, lock) as done
      from (select distinct ("chatId" % 2147483647)::int as lock from given order by lock) as locks
    ), numbered as materialized (
      select given.*, nextval('msgsite.message_ids') as id
      from given, (select count(done) from locked) as all_locked
      order by place
    ), stored as (
      insert into msgsite.messages (chat_id, id, sender_id, type, text, iv, encrypted, auth_tag,
        scheme, created_at)
      select "chatId", id, "senderId", type, text, decode(iv, 'hex'), decode(encrypted, 'hex'),
        decode("authTag", 'hex'), scheme, "createdAt"
      from numbered
    )
    select id from numbered order by place`;
  return rows.map(({ id }) => id);
}

const keyLifeMs = 24 * 3_600_000;

/**
 * Stores a message and its key, or neither where the sender used the key before and it still counts
 * at `now` (milliseconds); then there is no id.
 */
export async function insertKeyed(
  sql: Sql,
  message: Omit<StoredMessage, 'id'>,
  { key, bodyHash, now }: IdempotencyKey & { readonly now: number },
): Promise<number | undefined> {
  const { chatId, senderId, type, text = null, encrypted, scheme, createdAt } = message;
  const expires = new Date(now + keyLifeMs);
  const [row] = await sql<{ id: number }[]>`
    with locked as materialized (
      select pg_advisory_xact_lock(${chatLocks}, ${chatId % 2147483647}) as done
    ), numbered as materialized (
      select nextval('msgsite.message_ids') as id from (select count(done) from locked) as locked
    ), claimed as (
      insert into msgsite.message_keys as known
        (sender_id, key, chat_id, body_hash, message_id, expires_at)
      select ${senderId}, ${key}, ${chatId}, ${bodyHash}, id, ${expires} from numbered
      on conflict (sender_id, key) do update set
        chat_id = excluded.chat_id, body_hash = excluded.body_hash,
        message_id = excluded.message_id, expires_at = excluded.expires_at
        where known.expires_at <= ${new Date(now)}
      returning message_id
    )
    insert into msgsite.messages (chat_id, id, sender_id, type, text, iv, encrypted, auth_tag,
      scheme, created_at)
    select ${chatId}, message_id, ${senderId}, ${type}, ${text}, ${encrypted.iv},
      ${encrypted.encrypted}, ${encrypted.authTag}, ${scheme}, ${createdAt}
    from claimed
    returning id`;
  return row?.id;
}

/** What was stored under a sender's key, with the message where it is there. */
export function selectKeyed(sql: Sql, senderId: number, key: string) {
  return sql<(Partial<MessageRow> & { keyChat: number; bodyHash: string })[]>`
    select keys.chat_id as key_chat, body_hash, stored.*
    from msgsite.message_keys as keys
    left join lateral (
      select * from msgsite.messages
      where chat_id = keys.chat_id and id = keys.message_id
    ) as stored on true
    where keys.sender_id = ${senderId} and keys.key = ${key}`;
}
