import type { Sql, TransactionSql } from '../../storage/postgres/connect.js';
import { toStorable } from '../../storage/postgres/storable-text.js';
import type { CipherScheme, MessageType, StoredMessage } from '../model.js';
import type { IdempotencyKey } from '../store.js';

export interface MessageRow {
  readonly chat_id: number;
  readonly id: number;
  readonly sender_id: number;
  readonly type: MessageType;
  readonly text: string | null;
  readonly iv: string;
  readonly encrypted: string;
  readonly auth_tag: string;
  readonly scheme: CipherScheme;
  readonly created_at: Date;
}

/** The columns of a message, hex digits for its bytes. */
export function messageColumns(sql: Sql | TransactionSql) {
  return sql`chat_id, id, sender_id, type, text, encode(iv, 'hex') as iv,
    encode(encrypted, 'hex') as encrypted, encode(auth_tag, 'hex') as auth_tag, scheme, created_at`;
}

export function toMessage(row: MessageRow): StoredMessage {
  const { id, chat_id: chatId, sender_id: senderId, type, text, scheme } = row;
  const { iv, encrypted, auth_tag: authTag, created_at: createdAt } = row;
  return {
    id,
    chatId,
    senderId,
    type,
    ...(text === null ? {} : { text }),
    encrypted: { iv, encrypted, authTag },
    scheme,
    createdAt: createdAt.toISOString(),
  };
}

/** First half of the two numbers that name an advisory lock: these are about chats. */
const chatLocks = 731;

/** What becomes the rows of `jsonb_to_recordset`; JSON of the database cannot hold U+0000 either. */
export function toRecord(message: Omit<StoredMessage, 'id'>, place: number) {
  const { chatId, senderId, type, text, encrypted, scheme, createdAt } = message;
  return {
    place,
    chat_id: chatId,
    sender_id: senderId,
    type,
    text: text === undefined ? null : toStorable(text),
    iv: encrypted.iv,
    encrypted: encrypted.encrypted,
    auth_tag: encrypted.authTag,
    scheme,
    created_at: createdAt,
  };
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
      select * from jsonb_to_recordset(${sql.json(messages.map(toRecord))}) as given (
        place int, chat_id bigint, sender_id bigint, type text, text text, iv text,
        encrypted text, auth_tag text, scheme text, created_at timestamptz)
    ), locked as materialized (
      select pg_advisory_xact_lock(${chatLocks}, lock) as done
      from (select distinct (chat_id % 2147483647)::int as lock from given order by lock) as locks
    ), numbered as materialized (
      select given.*, nextval('msgsite.message_ids') as id
      from given, (select count(done) from locked) as all_locked
      order by place
    ), stored as (
      insert into msgsite.messages (chat_id, id, sender_id, type, text, iv, encrypted, auth_tag,
        scheme, created_at)
      select chat_id, id, sender_id, type, text, decode(iv, 'hex'), decode(encrypted, 'hex'),
        decode(auth_tag, 'hex'), scheme, created_at
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
    select ${chatId}, message_id, ${senderId}, ${type}, ${text}, decode(${encrypted.iv}, 'hex'),
      decode(${encrypted.encrypted}, 'hex'), decode(${encrypted.authTag}, 'hex'), ${scheme},
      ${createdAt}
    from claimed
    returning id`;
  return row?.id;
}

/** What was stored under a sender's key, with the message where it is there. */
export function selectKeyed(sql: Sql, senderId: number, key: string) {
  return sql<(Partial<MessageRow> & { key_chat: number; body_hash: string })[]>`
    select keys.chat_id as key_chat, body_hash, stored.*
    from msgsite.message_keys as keys
    left join lateral (
      select ${messageColumns(sql)} from msgsite.messages
      where chat_id = keys.chat_id and id = keys.message_id
    ) as stored on true
    where keys.sender_id = ${senderId} and keys.key = ${key}`;
}
