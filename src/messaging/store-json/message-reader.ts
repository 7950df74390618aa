import { createRecent } from '../../base/recent.js';
import { indexFrom } from '../id-list.js';
import { largestPageBytes, type PageExtent, pageAmong, pageMeter } from '../message-page.js';
import type { StoredMessage } from '../model.js';
import type { MessagePage, MessageQuery } from '../store.js';
import type { CountedMessages, OthersQuery } from './chat-log.js';
import type { ChatLogs } from './chat-logs.js';
import { type MessageTails, pageOfTail, type Tail } from './message-tails.js';
import type { Unflushed } from './unflushed.js';

export interface MessageReaderOptions {
  readonly logs: ChatLogs;
  readonly unflushed: Unflushed;
  readonly tails: MessageTails;
}

/** What is read of a chat that somebody looks at, so that polling it later is answered from memory. */
const smallestTail: PageExtent = { limit: 50, bytes: 64 * 1024 };

/** Pages of chats: from memory where their end is in memory, else from log and journal together. */
export function createMessageReader({ logs, unflushed, tails }: MessageReaderOptions) {
  const loading = new Map<number, Promise<Tail>>();

  /**
   * Reads messages of a chat's log, adds those that have not reached it and calls `use` with both at once, so that
   * nothing is posted in between.
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

  /** The end of a chat with more than a page of it (or all there is), kept in memory. */
  function loadTail(chatId: number, extent: PageExtent): Promise<Tail> {
    const underWay = loading.get(chatId);
    if (underWay) return underWay;
    const load = readTail(chatId, extent).finally(() => loading.delete(chatId));
    loading.set(chatId, load);
    return load;
  }

  function readTail(chatId: number, extent: PageExtent): Promise<Tail> {
    let isCut = false;
    const read = () => {
      const meters = [pageMeter(extent), pageMeter(smallestTail)];
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
    const { userId, after, most } = others;
    const tail = tails.get(chatId) ?? (await loadTail(chatId, { limit: 1, bytes: 1 }));
    if (reachesTo(tail, after)) return Math.min(most, countIn(tail.messages, others));
    const known = counts.get(chatId, others) ?? { count: 0, through: after };
    if (known.count >= most) return most;
    const rest = { userId, after: known.through, most: most - known.count };
    const more = reachesTo(tail, known.through)
      ? { count: countIn(tail.messages, rest), through: tail.messages.at(-1)?.id ?? known.through }
      : await countForwards(chatId, rest);
    const count = known.count + more.count;
    counts.set(chatId, others, { count, through: more.through });
    return Math.min(most, count);
  }

  /** The same from the log and what has not reached it. */
  async function countForwards(chatId: number, others: OthersQuery): Promise<CountedMessages> {
    for (;;) {
      const before = unflushed.moves;
      const flushed = await logs.count(chatId, others);
      if (before !== unflushed.moves) continue;
      if (flushed.count >= others.most) return flushed;
      const rest = unflushed.of(chatId).filter(({ id }) => id > flushed.through);
      const count = flushed.count + countIn(rest, others);
      return { count, through: rest.at(-1)?.id ?? flushed.through };
    }
  }

  async function page(chatId: number, query: MessageQuery): Promise<MessagePage> {
    const { limit, bytes = largestPageBytes, before, after } = query;
    const known = tails.get(chatId);
    const answer = known && pageOfTail(known, query);
    if (answer) return answer;
    // A client that polls asks with `after`: from the second time on it is answered from memory.
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

/** Whether a tail holds all messages of its chat with higher ids. */
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

/** The most counts of unread messages that are cached, for chats with more of them than are in memory. */
const rememberedCounts = 10_000;

/** Remembers how many messages of a chat were counted for somebody, so that only newer ones are counted again. */
function createMessageCounts() {
  const counts = createRecent<string, CountedMessages & { readonly after: number }>({
    most: rememberedCounts,
  });
  const nameOf = (chatId: number, { userId }: OthersQuery) => `${chatId} ${userId}`;
  return {
    /** Undefined where it was counted from another message on. */
    get(chatId: number, others: OthersQuery): CountedMessages | undefined {
      const known = counts.get(nameOf(chatId, others));
      return known?.after === others.after ? known : undefined;
    },
    set(chatId: number, others: OthersQuery, counted: CountedMessages): void {
      counts.set(nameOf(chatId, others), { ...counted, after: others.after });
    },
  };
}
