import { LRUCache } from 'lru-cache';
import { createRecent } from '../../base/recent.js';
import { indexFrom } from '../id-list.js';
import { maxPageBytes, type PageExtent, pageAmong, pageMeter } from '../message-page.js';
import type { StoredMessage } from '../model.js';
import type { MessagePage, MessageQuery, MessageStore } from '../store.js';
import type { ChatLogs } from './chat-logs.js';
import type { Unflushed } from './journal-flusher.js';

type OthersQuery = Parameters<MessageStore['countOthers']>[1];

/** The number of messages, and the ID of the last message that was read. */
interface CountedMessages {
  readonly count: number;
  readonly through: number;
}

export interface MessageReaderOptions {
  readonly logs: ChatLogs;
  readonly unflushed: Unflushed;
  readonly tails: MessageTails;
}

/** Minimum that is loaded of a chat in use, so that later polls are served from memory. */
const minTail: PageExtent = { limit: 50, bytes: 64 * 1024 };

/** Reads pages of chats: from memory if the end of the chat is cached, otherwise from the log and the journal. */
export function createMessageReader({ logs, unflushed, tails }: MessageReaderOptions) {
  const loading = new Map<number, Promise<Tail>>();

  /**
   * Reads messages from a chat's log, appends those that are only in the journal, and calls `use` synchronously, so
   * that no message is posted in between.
   */
  async function withUnflushed<Used>(
    chatId: number,
    read: () => Promise<StoredMessage[]>,
    use: (messages: StoredMessage[]) => Used,
  ): Promise<Used> {
    for (;;) {
      const before = unflushed.moves;
      const flushed = await read();
      if (before !== unflushed.moves) continue;
      const last = flushed.at(-1)?.id ?? 0;
      return use([...flushed, ...unflushed.of(chatId).filter(({ id }) => id > last)]);
    }
  }

  /** Loads the end of a chat into the cache: the requested page, but at least `minTail`. */
  function loadTail(chatId: number, extent: PageExtent): Promise<Tail> {
    const pending = loading.get(chatId);
    if (pending) return pending;
    const load = readTail(chatId, extent).finally(() => loading.delete(chatId));
    loading.set(chatId, load);
    return load;
  }

  function readTail(chatId: number, extent: PageExtent): Promise<Tail> {
    let isCut = false;
    const read = () => {
      const meters = [pageMeter(extent), pageMeter(minTail)];
      return logs.readBefore(chatId, Number.POSITIVE_INFINITY, (message) => {
        isCut = meters.map((isBeyond) => isBeyond(message)).every(Boolean);
        return isCut;
      });
    };
    return withUnflushed(chatId, read, (messages) => {
      const tail = { messages, complete: !isCut };
      tails.set(chatId, tail);
      return tail;
    });
  }

  const counts = createMessageCounts();

  async function countOthers(chatId: number, others: OthersQuery): Promise<number> {
    const { userId, after, max } = others;
    const tail = tails.get(chatId) ?? (await loadTail(chatId, { limit: 1, bytes: 1 }));
    if (reachesTo(tail, after)) return Math.min(max, countIn(tail.messages, others));
    const known = counts.get(chatId, others) ?? { count: 0, through: after };
    if (known.count >= max) return max;
    const rest = { userId, after: known.through, max: max - known.count };
    const more = reachesTo(tail, known.through)
      ? { count: countIn(tail.messages, rest), through: tail.messages.at(-1)?.id ?? known.through }
      : await countForwards(chatId, rest);
    const count = known.count + more.count;
    counts.set(chatId, others, { count, through: more.through });
    return Math.min(max, count);
  }

  /** Counts messages page by page, until `max` are found. */
  async function countForwards(chatId: number, others: OthersQuery): Promise<CountedMessages> {
    let counted = { count: 0, through: others.after };
    for (let hasMore = true; hasMore && counted.count < others.max; ) {
      const found = await page(chatId, { limit: countedPerPage, after: counted.through });
      const count = counted.count + countIn(found.messages, others);
      counted = { count, through: found.messages.at(-1)?.id ?? counted.through };
      hasMore = found.hasMore;
    }
    return counted;
  }

  async function page(chatId: number, query: MessageQuery): Promise<MessagePage> {
    const { limit, bytes = maxPageBytes, before, after } = query;
    const known = tails.get(chatId);
    const answer = known && pageOfTail(known, query);
    if (answer) return answer;
    // A polling client sends `after`. From its second request on, it is served from memory.
    const isAboutEnd = before === undefined && (after === undefined || !known);
    const tail = isAboutEnd ? await loadTail(chatId, { limit, bytes }) : undefined;
    const fromTail = tail && pageOfTail(tail, query);
    if (fromTail) return fromTail;
    const read = () =>
      after === undefined
        ? logs.readBefore(chatId, before ?? Number.POSITIVE_INFINITY, pageMeter(query))
        : logs.readAfter(chatId, after, pageMeter(query));
    return withUnflushed(chatId, read, (found) => pageAmong(found, query));
  }

  return { page, countOthers };
}

/** Returns whether a tail has all messages of its chat with IDs above `after`. */
function reachesTo({ messages, complete }: Tail, after: number): boolean {
  return complete || (messages[0]?.id ?? Number.POSITIVE_INFINITY) <= after + 1;
}

function countIn(messages: readonly StoredMessage[], { userId, after }: OthersQuery): number {
  const start = indexFrom(after + 1, messages.length, (index) => messages[index]?.id);
  let count = 0;
  for (let index = start; index < messages.length; index += 1) {
    if (messages[index]?.senderId !== userId) count += 1;
  }
  return count;
}

/** Number of messages that are read per page to count them. */
const countedPerPage = 1000;

/** Maximum number of cached counts of unread messages, for chats whose unread messages are not all in memory. */
const cachedCounts = 10_000;

/** Creates a cache of message counts by chat and user, so that only newer messages must be counted. */
function createMessageCounts() {
  const counts = createRecent<string, CountedMessages & { readonly after: number }>({
    most: cachedCounts,
  });
  const nameOf = (chatId: number, { userId }: OthersQuery) => `${chatId} ${userId}`;
  return {
    /** Returns undefined if the count began after a different message. */
    get(chatId: number, others: OthersQuery): CountedMessages | undefined {
      const known = counts.get(nameOf(chatId, others));
      return known?.after === others.after ? known : undefined;
    },
    set(chatId: number, others: OthersQuery, counted: CountedMessages): void {
      counts.set(nameOf(chatId, others), { ...counted, after: others.after });
    },
  };
}

/** The end of a chat: its last messages without gaps, oldest first. */
interface Tail {
  readonly messages: readonly StoredMessage[];
  /** True if it is the whole chat. */
  readonly complete: boolean;
}

/** Returns the page that a query selects, or undefined if the tail does not reach back far enough. */
function pageOfTail({ messages, complete }: Tail, query: MessageQuery): MessagePage | undefined {
  const { after } = query;
  const first = messages[0]?.id ?? Number.POSITIVE_INFINITY;
  if (after !== undefined && !complete && first > after + 1) return undefined;
  const page = pageAmong(messages, query);
  return after !== undefined || page.hasMore || complete ? page : undefined;
}

interface CachedTail extends Tail {
  readonly messages: StoredMessage[];
  complete: boolean;
  weight: number;
}

/** Maximum number of messages of a tail: the largest page, and one that shows whether there are more. @internal */
const maxMessages = 1001;

type MessageTails = ReturnType<typeof createMessageTails>;

/** Creates a cache for the ends of the chats in use, with up to `bytes` bytes in total. */
export function createMessageTails(bytes: number) {
  const heaviest = Math.ceil(bytes / 4);
  const tails = new LRUCache<number, CachedTail>({
    maxSize: bytes,
    maxEntrySize: heaviest,
    sizeCalculation: ({ weight }) => weight,
  });

  /** Caches a tail. Drops its oldest messages if it is too long or too large. */
  function keep(chatId: number, tail: CachedTail): void {
    let gone = 0;
    for (const message of tail.messages) {
      const left = tail.messages.length - gone;
      if (left === 1 || (left <= maxMessages && tail.weight <= heaviest)) break;
      tail.weight -= weightOf(message);
      gone += 1;
    }
    tail.messages.splice(0, gone);
    tail.complete &&= gone === 0;
    tails.set(chatId, tail);
  }

  return {
    get: (chatId: number): Tail | undefined => tails.get(chatId),
    set(chatId: number, { messages, complete }: Tail): void {
      const weight = messages.reduce((sum, message) => sum + weightOf(message), emptyWeight);
      keep(chatId, { messages: [...messages], complete, weight });
    },
    delete: (chatId: number): void => void tails.delete(chatId),
    /** Appends a message that was just stored. Does nothing for a chat that is not cached. */
    push(message: StoredMessage): void {
      const tail = tails.get(message.chatId);
      if (!tail) return;
      tail.messages.push(message);
      tail.weight += weightOf(message);
      keep(message.chatId, tail);
    },
  };
}

/** Approximate sizes of a cache entry and of a message's fixed parts, in bytes. */
const emptyWeight = 200;
const messageWeight = 500;

/** Returns the approximate size of a message in memory, with its encrypted text in hex and its decrypted text. */
function weightOf({ text = '', encrypted }: StoredMessage): number {
  return messageWeight + 2 * text.length + 2 * encrypted.encrypted.length;
}
