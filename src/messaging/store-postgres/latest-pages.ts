import { LRUCache } from 'lru-cache';
import { createBatchedRead } from '../../storage/postgres/batch.js';
import type { Database } from '../../storage/postgres/database.js';
import type { PageExtent } from '../message-page.js';
import type { StoredMessage } from '../model.js';
import { selectPage } from './message-rows.js';
import { codecs, columnsOf, keyOfNumbers } from './rows.js';

/** Maximum size of the cached latest pages of chats, in bytes. */
const cachedPages = 32 * 1024 * 1024;

/** Approximate size of a message's fixed parts, in bytes. */
const messageWeight = 700;

/** The end of a chat as it was last read, newest message first. */
interface KnownPage {
  /** The joined names of its messages. */
  readonly names: string;
  readonly messages: readonly StoredMessage[];
}

/**
 * Reads and caches the latest messages of chats. Reading a page again queries only the names of its messages (an ID and
 * random bytes), because transferring and parsing the messages takes far longer.
 */
export function createLatestPages(database: Database) {
  const pages = new LRUCache<string, KnownPage>({
    maxSize: cachedPages,
    sizeCalculation: ({ messages, names }) =>
      messages.reduce((sum, message) => sum + weightOf(message), names.length + 1),
  });

  const namesOf = createBatchedRead({
    database,
    name: 'names of the latest messages',
    select(sql, keys: readonly string[]) {
      const [chatIds = [], limits = []] = columnsOf(keys);
      return sql<{ chat: number; most: number; names: string }[]>`
        select chat, most, (
          select string_agg(id || ':' || encode(iv, 'hex'), ' ' order by id desc) from (
            select id, iv from msgsite.messages where chat_id = chat order by id desc limit most
          ) as latest
        ) as names
        from unnest(${chatIds}::bigint[], ${limits}::bigint[]) as asked (chat, most)`;
    },
    keyOf: ({ chat, most }) => keyOfNumbers(chat, most),
    toValue: ({ names }) => names ?? '',
  });

  /** Returns the latest messages that fit into a page and one more, newest first. */
  return async function readLatest(
    chatId: number,
    extent: PageExtent,
  ): Promise<readonly StoredMessage[]> {
    const key = keyOfNumbers(chatId, extent.limit, extent.bytes);
    const known = pages.get(key);
    const names = known && (await namesOf(keyOfNumbers(chatId, extent.limit + 1)));
    // A page that is limited by its bytes has fewer messages than requested.
    if (known && names?.startsWith(known.names)) return known.messages;
    const found = await database.run('page of messages', (sql) => selectPage(sql, chatId, extent));
    const messages = found.map(codecs.message.toRecord);
    if (messages.length > 0) pages.set(key, { names: messages.map(nameOf).join(' '), messages });
    return messages;
  };
}

function nameOf({ id, encrypted }: StoredMessage): string {
  return `${id}:${encrypted.iv}`;
}

function weightOf({ text = '', encrypted }: StoredMessage): number {
  return messageWeight + 2 * text.length + encrypted.encrypted.length;
}
