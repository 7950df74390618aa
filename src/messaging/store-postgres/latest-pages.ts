import { LRUCache } from 'lru-cache';
import { createBatchedRead } from '../../storage/postgres/batched-read.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/query.js';
import { type PageExtent, pageMeter } from '../message-page.js';
import type { StoredMessage } from '../model.js';
import { columnsOf, keyOfNumbers } from './chat-rows.js';
import { type MessageRow, selectPage, toMessage } from './message-rows.js';

/** Bytes of the latest pages of chats that are cached. */
const cachedPages = 32 * 1024 * 1024;

/** Bytes of a message's fixed parts, as measured roughly. */
const messageWeight = 700;

/** The most new messages that are read one by one to complete a cached page; if there are more, it is read again. */
const mostNew = 16;

/** The end of a chat as it was read, the nearest message first. */
interface KnownPage {
  /** Names of its messages, joined. */
  readonly names: string;
  readonly messages: readonly StoredMessage[];
  /** Whether there are more of the same number, but they are longer than fits. */
  readonly isCut: boolean;
}

/**
 * The latest messages of chats. What is stored of a message never changes: of a page that was read before, the database
 * is only asked for the names of its messages, which are an id and random bytes, and for those messages that are new.
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

  async function readAnew(chatId: number, extent: PageExtent): Promise<KnownPage> {
    const rows = await database.run('page of messages', (sql) => selectPage(sql, chatId, extent));
    const messages = rows.map(toMessage);
    const isBeyond = pageMeter({ ...extent, limit: Number.POSITIVE_INFINITY });
    const isCut = messages.map(isBeyond).some(Boolean);
    return { names: messages.map(nameOf).join(' '), messages, isCut };
  }

  /** The page where what is new to it are a few messages in front; undefined where it is another one. */
  async function renew(
    chatId: number,
    { limit }: PageExtent,
    known: KnownPage,
    names: string,
  ): Promise<KnownPage | undefined> {
    const [newest] = known.messages;
    const start = newest ? names.indexOf(nameOf(newest)) : -1;
    if (start < 0 || !isSame(known, names.slice(start))) return undefined;
    if (start === 0) return known;
    const ids = names.slice(0, start).trim().split(' ').map(idOf);
    if (ids.length > mostNew) return undefined;
    const rows = await query<MessageRow>(database, 'new messages of a page')`
        select * from msgsite.messages
        where chat_id = ${chatId} and id = any(${ids}::bigint[]) order by id desc`;
    const messages = [...rows.map(toMessage), ...known.messages].slice(0, limit + 1);
    return { names: messages.map(nameOf).join(' '), messages, isCut: known.isCut };
  }

  /** The latest messages and one more, as far as they fit; the nearest first. */
  return async function readLatest(
    chatId: number,
    extent: PageExtent,
  ): Promise<readonly StoredMessage[]> {
    const key = keyOfNumbers(chatId, extent.limit, extent.bytes);
    const known = pages.get(key);
    const names = known && (await namesOf(keyOfNumbers(chatId, extent.limit + 1)));
    const renewed = known && (await renew(chatId, extent, known, names ?? ''));
    const page = renewed ?? (await readAnew(chatId, extent));
    if (page !== known) pages.set(key, page);
    return page.messages;
  };
}

/** Whether names go on as those of a page do, which knows fewer of them where it is cut. */
function isSame({ names, isCut }: KnownPage, others: string): boolean {
  return names.startsWith(others) || (isCut && others.startsWith(names));
}

function nameOf({ id, encrypted }: StoredMessage): string {
  return `${id}:${encrypted.iv}`;
}

function idOf(name: string): number {
  return Number(name.slice(0, name.indexOf(':')));
}

function weightOf({ text = '', encrypted }: StoredMessage): number {
  return messageWeight + 2 * text.length + encrypted.encrypted.length;
}
