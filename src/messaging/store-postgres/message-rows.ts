import { recordset } from '../../storage/postgres/row-codec.js';
import { json, type Sql, toStorable } from '../../storage/postgres/sql.js';
import type { PageExtent } from '../message-page.js';
import type { StoredMessage } from '../model.js';
import { messageFields } from '../model.js';
import type { IdempotencyKey, MessageQuery } from '../store.js';
import { codecs, keyOfNumbers, type MemberName } from './rows.js';
import { userLocks } from './user-locks.js';

/** The columns of `messages` that the code reads directly. */
export type MessageRow = Pick<StoredMessage, 'id' | 'chatId'>;

const fields = recordset(messageFields);

/** First key of the advisory locks on chats. */
const chatLocks = 731;

/**
 * Stores messages in one statement. Returns their IDs in the order of the messages, and undefined for those whose
 * sender is not in the chat. Acquires the locks on senders and then on chats, each in a fixed order, and holds them
 * until the commit. A message receives its ID while its chat is locked.
 */
export async function insertMessages(
  sql: Sql,
  messages: readonly Omit<StoredMessage, 'id'>[],
): Promise<(number | undefined)[]> {
  const senders = membersOf(messages);
  const drafts = messages.map((message, place) => ({ ...codecs.message.toJson(message), place }));
  const stored = await sql<{ id: number; place: number }[]>`
    with given as materialized (
      select * from jsonb_to_recordset(${json(drafts)}) as given (place int, ${fields.definition})
    ), ${lockedBy(sql, senders)}, stored as (
      insert into msgsite.messages (id, ${fields.names}) select id, ${fields.values}
      from numbered
    )
    select id, place from numbered`;
  const ids = new Map(stored.map(({ id, place }) => [place, id]));
  return messages.map((_, place) => ids.get(place));
}

/** Returns each sender once per chat. */
function membersOf(messages: readonly Omit<StoredMessage, 'id'>[]): MemberName[] {
  const members = messages.map(({ chatId, senderId }) => ({ chatId, userId: senderId }));
  return [
    ...new Map(members.map((each) => [keyOfNumbers(each.chatId, each.userId), each])).values(),
  ];
}

/**
 * Returns the part of a statement that creates `numbered` from `given`. It acquires the locks, then selects the
 * messages whose senders are in their chats, and assigns IDs.
 */
function lockedBy(sql: Sql, senders: readonly MemberName[]) {
  return sql`
    senders as materialized (
      select pg_advisory_xact_lock_shared(${userLocks}, lock) as done
      from (select distinct ("senderId" % 2147483647)::int as lock from given order by lock) as locks
    ), locked as materialized (
      select pg_advisory_xact_lock(${chatLocks}, lock) as done
      from (
        select distinct ("chatId" % 2147483647)::int as lock
        from given, (select count(done) from senders) as all_shared
        order by lock
      ) as locks
    ), allowed as materialized (
      select allowed.* from (select count(done) as number from locked) as all_locked
      cross join lateral msgsite.members_among(${senders.map(({ chatId }) => chatId)}::bigint[],
        ${senders.map(({ userId }) => userId)}::bigint[], all_locked.number) as allowed
    ), numbered as materialized (
      select given.*, nextval('msgsite.message_ids') as id
      from given join allowed on chat_id = "chatId" and user_id = "senderId"
      order by place
    )`;
}

/** Time after which the `Idempotency-Key` of a message expires with PostgreSQL, in milliseconds. @bound */
const keyLifeMs = 24 * 3_600_000;

/** A message and its idempotency key. */
export interface KeyedDraft {
  readonly message: Omit<StoredMessage, 'id'>;
  readonly idempotency: IdempotencyKey;
}

/** The outcome of a post with a key. */
interface KeyedRow {
  readonly place: number;
  readonly id: number;
  /** False if the sender used the key before. */
  readonly isStored: boolean;
}

/**
 * Stores messages together with their keys. A message is not stored if its sender used the key before and the key is
 * still valid at `now` (milliseconds). Returns no row for a message whose sender is not in the chat. Each combination
 * of sender and key may occur only once. Keys are claimed after the locks, in a fixed order.
 */
export function insertKeyed(sql: Sql, drafts: readonly KeyedDraft[], now: number) {
  const senders = membersOf(drafts.map(({ message }) => message));
  const posts = drafts.map(({ message, idempotency: { key, bodyHash } }, place) => ({
    ...{ ...codecs.message.toJson(message), place },
    ...{ key: toStorable(key), bodyHash },
  }));
  return sql<KeyedRow[]>`
    with given as materialized (
      select * from jsonb_to_recordset(${json(posts)}) as given (
        place int, ${fields.definition}, key text, "bodyHash" text)
    ), ${lockedBy(sql, senders)}, claimed as (
      insert into msgsite.message_keys as known
        (sender_id, key, chat_id, body_hash, message_id, expires_at)
      select "senderId", key, "chatId", "bodyHash", id, ${new Date(now + keyLifeMs)}
      from numbered order by "senderId", key
      on conflict (sender_id, key) do update set
        chat_id = excluded.chat_id, body_hash = excluded.body_hash,
        message_id = excluded.message_id, expires_at = excluded.expires_at
        where known.expires_at <= ${new Date(now)}
      returning message_id
    ), stored as (
      insert into msgsite.messages (id, ${fields.names}) select id, ${fields.values}
      from numbered join claimed on message_id = id
    )
    select place, id, message_id is not null as is_stored
    from numbered left join claimed on message_id = id`;
}

/** Selects the record of a sender's key, and its message if that exists. */
export function selectKeyed(sql: Sql, senderId: number, key: string) {
  return sql<(Partial<MessageRow> & { keyChat: number; bodyHash: string; expiresAt: string })[]>`
    select keys.chat_id as key_chat, body_hash, expires_at, stored.*
    from msgsite.message_keys as keys
    left join lateral (
      select * from msgsite.messages
      where chat_id = keys.chat_id and id = keys.message_id
    ) as stored on true
    where keys.sender_id = ${senderId} and keys.key = ${key}`;
}

/**
 * Selects the messages of a page, starting with the one nearest to the cursor, and one more, which shows whether there
 * are further messages. Messages beyond the page's size are not read, because their lengths are known without reading
 * them.
 */
export function selectPage(
  sql: Sql,
  chatId: number,
  { limit, bytes, before, after }: MessageQuery & PageExtent,
) {
  const order = after === undefined ? sql`id desc` : sql`id`;
  const beyond =
    after === undefined
      ? sql`${before === undefined ? sql`` : sql`and id < ${before}`}`
      : sql`and id > ${after}`;
  return sql<MessageRow[]>`
    select * from (
      select nearest.*, sum(least(octet_length(encrypted), ${bytes}::int)) over (
        order by ${order} rows between unbounded preceding and 1 preceding) as nearer
      from (
        select * from msgsite.messages where chat_id = ${chatId} ${beyond}
        order by ${order} limit ${limit + 1}
      ) as nearest
    ) as measured
    where coalesce(nearer, 0) <= ${bytes}::int
    order by ${order}`;
}
