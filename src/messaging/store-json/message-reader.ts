import { largestPageBytes, type PageExtent, pageAmong, pageMeter } from '../message-page.js';
import type { StoredMessage } from '../model.js';
import type { MessagePage, MessageQuery } from '../store.js';
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

  /** What `read` finds in a chat's log, with what has not reached it. */
  async function withUnflushed(
    chatId: number,
    read: () => Promise<StoredMessage[]>,
  ): Promise<StoredMessage[]> {
    for (;;) {
      const before = unflushed.moves;
      const flushed = await read();
      if (before !== unflushed.moves) continue;
      const last = flushed.at(-1)?.id ?? 0;
      return [...flushed, ...unflushed.of(chatId).filter(({ id }) => id > last)];
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

  async function readTail(chatId: number, extent: PageExtent): Promise<Tail> {
    let isCut = false;
    const messages = await withUnflushed(chatId, () => {
      const meters = [pageMeter(extent), pageMeter(smallestTail)];
      return logs.readBefore(chatId, Number.POSITIVE_INFINITY, (message) => {
        isCut = meters.map((isBeyond) => isBeyond(message)).every(Boolean);
        return isCut;
      });
    });
    const tail = { messages, complete: !isCut };
    tails.set(chatId, tail);
    return tail;
  }

  return async function page(chatId: number, query: MessageQuery): Promise<MessagePage> {
    const { limit, bytes = largestPageBytes, before, after } = query;
    const known = tails.get(chatId);
    const answer = known && pageOfTail(known, query);
    if (answer) return answer;
    // A client that polls asks with `after`: from the second time on it is answered from memory.
    const isAboutEnd = before === undefined && (after === undefined || !known);
    const tail = isAboutEnd ? await loadTail(chatId, { limit, bytes }) : undefined;
    const fromTail = tail && pageOfTail(tail, query);
    if (fromTail) return fromTail;
    const messages = await withUnflushed(chatId, () =>
      after === undefined
        ? logs.readBefore(chatId, before ?? Number.POSITIVE_INFINITY, pageMeter(query))
        : logs.readAfter(chatId, after, pageMeter(query)),
    );
    return pageAmong(messages, query);
  };
}
