import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import { createBatch, createBatchedRead } from '../../storage/postgres/batch.js';
import type { Database } from '../../storage/postgres/database.js';
import { notParticipant } from '../chats.js';
import { fillPage, maxPageBytes } from '../message-page.js';
import { keyConflict } from '../messages.js';
import type { StoredMessage } from '../model.js';
import type { IdempotencyKey, MessageStore } from '../store.js';
import { createLatestPages } from './latest-pages.js';
import {
  insertKeyed,
  insertMessages,
  type KeyedDraft,
  type MessageRow,
  selectKeyed,
  selectPage,
} from './message-rows.js';
import { codecs, columnsOf, keyOfNumbers } from './rows.js';
import type { PostgresStoreOptions } from './user-store.js';

type Draft = Omit<StoredMessage, 'id'>;

/**
 * Limits of batches. Each batch holds locks on its chats and senders, which must fit into the database's lock table.
 */
const appends = { most: 100, concurrency: 4 } as const;

/** Maximum number of chats whose unread messages are counted in one statement. Each may have thousands. */
const countsTogether = 50;

/** Creates the store of messages in the table `messages`. Concurrent posts share one statement. */
export function createPostgresMessageStore(options: PostgresStoreOptions): MessageStore {
  const { database, clock, changes } = options;

  const store = createBatch<Draft, number | undefined>({
    ...appends,
    run: (drafts) => database.run('store messages', (sql) => insertMessages(sql, drafts)),
  });

  const keyed = createKeyedAppends(database, clock);

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
    toValue: codecs.message.toRecord,
  });

  /** Returns whether a chat has newer messages, if the reader is a member. Most polls require nothing else. */
  const isNewer = createBatchedRead({
    database,
    name: 'newer messages of chats',
    select(sql, keys: readonly string[]) {
      const [chatIds = [], userIds = [], afters = []] = columnsOf(keys);
      return sql<{ chat: number; reader: number; after: number; isThere: boolean }[]>`
        select asked.*, exists (
          select from msgsite.messages where messages.chat_id = chat and id > after) as is_there
        from unnest(${chatIds}::bigint[], ${userIds}::bigint[], ${afters}::bigint[])
          as asked (chat, reader, after)
        join msgsite.members on members.chat_id = chat and user_id = reader`;
    },
    keyOf: ({ chat, reader, after }) => keyOfNumbers(chat, reader, after),
    toValue: ({ isThere }) => isThere,
  });

  const readCount = createBatchedRead({
    database,
    name: 'unread messages of chats',
    select(sql, keys: readonly string[]) {
      const [chatIds = [], userIds = [], afters = [], limits = []] = columnsOf(keys);
      return sql<{ chat: number; reader: number; after: number; most: number; count: number }[]>`
        select asked.*, (
          select count(*) from (
            select from msgsite.messages
            where chat_id = chat and id > after and sender_id <> reader limit most
          ) as others
        ) as count
        from unnest(${chatIds}::bigint[], ${userIds}::bigint[], ${afters}::bigint[],
          ${limits}::bigint[]) as asked (chat, reader, after, most)`;
    },
    keyOf: ({ chat, reader, after, most }) => keyOfNumbers(chat, reader, after, most),
    toValue: ({ count }) => count,
    most: countsTogether,
  });

  const readLatest = createLatestPages(database);

  async function storeOnce(draft: Draft, { key, bodyHash }: IdempotencyKey) {
    const outcome = await keyed({ message: draft, idempotency: { key, bodyHash } });
    if (outcome === 'rejected') throw notParticipant();
    if (outcome !== 'known') return { message: { id: outcome, ...draft }, stored: true };
    const message = asKeyed(await readKeyed(draft.senderId, key), draft.chatId, bodyHash);
    return { message, stored: false };
  }

  async function readKeyed(senderId: number, key: string) {
    const [known] = await database.run('message of a key', (sql) =>
      selectKeyed(sql, senderId, key),
    );
    return known;
  }

  async function storeNow(draft: Draft): Promise<StoredMessage> {
    const id = await store(draft);
    if (id === undefined) throw notParticipant();
    return { id, ...draft };
  }

  return {
    async append(draft, idempotency) {
      const result = idempotency
        ? await storeOnce(draft, idempotency)
        : { message: await storeNow(draft), stored: true };
      // Reported even if it was stored before, because the process that stored it may have been killed before it sent a
      // notification.
      changes.report({ chat: draft.chatId });
      return result;
    },
    async findKeyed({ chatId, senderId }, { key, bodyHash }) {
      const known = await readKeyed(senderId, key);
      const isValid = known !== undefined && Date.parse(known.expiresAt) > clock.now();
      return isValid ? asKeyed(known, chatId, bodyHash) : undefined;
    },
    async page(chatId, query) {
      const { limit, before, after, bytes = maxPageBytes } = query;
      if (before === undefined && after === undefined) {
        return fillPage(await readLatest(chatId, { limit, bytes }), query);
      }
      const found = await database.run('page of messages', (sql) =>
        selectPage(sql, chatId, { ...query, bytes }),
      );
      return fillPage(found.map(codecs.message.toRecord), query);
    },
    hasNews: (chatId, userId, after) => isNewer(keyOfNumbers(chatId, userId, after)),
    last,
    countOthers: async (chatId, { userId, after, max }) =>
      (await readCount(keyOfNumbers(chatId, userId, after, max))) ?? 0,
  };
}

type KeyedMessage = Awaited<ReturnType<typeof selectKeyed>>[number];

/** Returns the message that was stored with a key. Throws `conflict` if the chat or the body differs. */
function asKeyed(known: KeyedMessage | undefined, chatId: number, bodyHash: string): StoredMessage {
  if (known?.keyChat !== chatId || known.bodyHash !== bodyHash) throw keyConflict();
  if (!isWhole(known)) throw missingMessage(chatId);
  return codecs.message.toRecord(known);
}

function isWhole(row: Partial<MessageRow>): row is MessageRow {
  return typeof row.id === 'number';
}

function missingMessage(chatId: number): AppError {
  return new AppError('data_damaged', `A message of chat ${chatId} is missing.`, {
    hint: 'Restore the database from a backup.',
  });
}

/**
 * The ID of the stored message; `known` if the sender used the key before; `rejected` if the sender is not in the chat.
 */
type KeyedOutcome = number | 'known' | 'rejected';

/** Returns a function that stores a message unless its key was used before. Concurrent calls share one statement. */
function createKeyedAppends(
  database: Database,
  clock: Clock,
): (draft: KeyedDraft) => Promise<KeyedOutcome> {
  async function storeAll(drafts: readonly KeyedDraft[]): Promise<KeyedOutcome[]> {
    const rows = await database.run('store messages once', (sql) =>
      insertKeyed(sql, drafts, clock.now()),
    );
    const outcomes = new Map(
      rows.map(({ place, id, isStored }) => [place, isStored ? id : 'known']),
    );
    return drafts.map(
      (_, place) => (outcomes.get(place) as KeyedOutcome | undefined) ?? 'rejected',
    );
  }

  return createBatch<KeyedDraft, KeyedOutcome>({
    ...appends,
    async run(drafts) {
      const outcomes = new Map<KeyedDraft, KeyedOutcome>();
      // A statement can claim a key only once. Further posts with the same key wait for the first one's outcome.
      for (let left = [...drafts]; left.length > 0; ) {
        const first = new Map(left.map((draft) => [nameOf(draft), draft] as const).reverse());
        const now = left.filter((draft) => first.get(nameOf(draft)) === draft);
        const stored = await storeAll(now);
        now.forEach((draft, index) => {
          outcomes.set(draft, stored[index] ?? 'rejected');
        });
        left = left.filter((draft) => !outcomes.has(draft));
      }
      return drafts.map((draft) => outcomes.get(draft) ?? 'rejected');
    },
  });
}

function nameOf({ message, idempotency }: KeyedDraft): string {
  return `${message.senderId} ${idempotency.key}`;
}
