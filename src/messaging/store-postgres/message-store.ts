import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import { createBatch } from '../../storage/postgres/batch.js';
import { createBatchedRead } from '../../storage/postgres/batched-read.js';
import type { Sql } from '../../storage/postgres/connect.js';
import type { Database } from '../../storage/postgres/database.js';
import { fillPage, largestPageBytes, type PageExtent } from '../message-page.js';
import { keyConflict } from '../messages.js';
import type { StoredMessage } from '../model.js';
import type { IdempotencyKey, MessagePage, MessageQuery, MessageStore } from '../store.js';
import {
  insertKeyed,
  insertMessages,
  type MessageRow,
  selectKeyed,
  toMessage,
} from './message-rows.js';
import { createMessageWatch } from './message-watch.js';

type Draft = Omit<StoredMessage, 'id'>;

const nothing: MessagePage = { messages: [], hasMore: false };

/** Each batch holds the locks of its chats, which the database has room for. */
const appends = { most: 100, concurrency: 4 } as const;

/** Messages in the table `messages`, ordered by chat and id. Posts that come together are one statement. */
export function createPostgresMessageStore(
  database: Database,
  clock: Clock,
): MessageStore & { close(): Promise<void> } {
  const watch = createMessageWatch(database, clock);

  const store = createBatch<Draft, StoredMessage>({
    ...appends,
    async run(drafts) {
      const ids = await database.run('store messages', (sql) => insertMessages(sql, drafts));
      return drafts.map((draft, index) => numbered(draft, ids[index]));
    },
  });

  const last = createBatchedRead({
    database,
    name: 'last messages of chats',
    select: (sql, chatIds: readonly number[]) =>
      sql<MessageRow[]>`
        select latest.* from unnest(${[...chatIds]}::bigint[]) as asked (chat)
        cross join lateral (
          select * from msgsite.messages where chat_id = asked.chat order by id desc limit 1
        ) as latest`,
    keyOf: ({ chatId }) => chatId,
    toValue: toMessage,
  });

  /** Whether chats have newer messages: what a client that polls mostly asks for, and mostly not. */
  const isNewer = createBatchedRead({
    database,
    name: 'newer messages of chats',
    select: (sql, names: readonly string[]) => {
      const positions = names.map((name) => name.split(' ').map(Number));
      return sql<{ chat: number; after: number }[]>`
        select chat, after
        from unnest(${positions.map(([chatId = 0]) => chatId)}::bigint[],
          ${positions.map(([, after = 0]) => after)}::bigint[]) as asked (chat, after)
        where exists (
          select from msgsite.messages where chat_id = asked.chat and id > asked.after)`;
    },
    keyOf: ({ chat, after }) => `${chat} ${after}`,
    toValue: () => true,
  });
  const hasAfter = async (chatId: number, id: number) =>
    (await isNewer(`${chatId} ${id}`)) ?? false;

  async function storeOnce(draft: Draft, { key, bodyHash }: IdempotencyKey) {
    const now = clock.now();
    const id = await database.run('store a message once', (sql) =>
      insertKeyed(sql, draft, { key, bodyHash, now }),
    );
    if (id !== undefined) return { message: numbered(draft, id), stored: true };
    const [known] = await database.run('message of a key', (sql) =>
      selectKeyed(sql, draft.senderId, key),
    );
    if (known?.keyChat !== draft.chatId || known.bodyHash !== bodyHash) throw keyConflict();
    if (!isWhole(known)) throw missingMessage(draft.chatId);
    return { message: toMessage(known), stored: false };
  }

  return {
    async append(draft, idempotency) {
      const result = idempotency
        ? await storeOnce(draft, idempotency)
        : { message: await store(draft), stored: true };
      if (result.stored) watch.notify(draft.chatId);
      return result;
    },
    async page(chatId, query) {
      const { after, bytes = largestPageBytes } = query;
      if (after !== undefined && !(await hasAfter(chatId, after))) return nothing;
      const rows = await database.run('page of messages', (sql) =>
        selectPage(sql, chatId, { ...query, bytes }),
      );
      return fillPage(rows.map(toMessage), query);
    },
    hasAfter,
    last,
    onNew: watch.on,
    close: watch.close,
  };
}

/**
 * One message more than the page holds, which tells whether there are more; the nearest first. What
 * is beyond the page's bytes stays in the database: its length is known without reading it.
 */
function selectPage(
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

function numbered(draft: Draft, id: number | undefined): StoredMessage {
  if (id === undefined) throw new Error('A message was stored without an id.');
  return { id, ...draft };
}

function isWhole(row: Partial<MessageRow>): row is MessageRow {
  return typeof row.id === 'number';
}

function missingMessage(chatId: number): AppError {
  return new AppError('data_damaged', `A message of chat ${chatId} is missing.`, {
    hint: 'Restore the database from a backup.',
  });
}
