import { fillPage, largestPageBytes, type PageExtent, pageMeter } from '../message-page.js';
import type { StoredMessage } from '../model.js';
import type { MessagePage, MessageQuery } from '../store.js';
import type { ChatLogs } from './chat-logs.js';
import type { MessageTails } from './message-tails.js';
import { pageOfTail, type Tail } from './tail-page.js';
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

  /** Reads a chat log together with what has not reached it; `read` asks the log. */
  async function readWhole(
    chatId: number,
    read: () => Promise<StoredMessage[]>,
  ): Promise<{ flushed: StoredMessage[]; pending: StoredMessage[] }> {
    for (;;) {
      const before = unflushed.moves;
      const flushed = await read();
      if (before !== unflushed.moves) continue;
      const last = flushed.at(-1)?.id ?? 0;
      return { flushed, pending: unflushed.of(chatId).filter(({ id }) => id > last) };
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
    const { flushed, pending } = await readWhole(chatId, () => {
      const meters = [pageMeter(extent), pageMeter(smallestTail)];
      return logs.readBefore(chatId, Number.POSITIVE_INFINITY, (message) => {
        isCut = meters.map((isBeyond) => isBeyond(message)).every(Boolean);
        return isCut;
      });
    });
    const tail = { messages: [...flushed, ...pending], complete: !isCut };
    tails.set(chatId, tail);
    return tail;
  }

  async function readAfter(chatId: number, after: number, extent: PageExtent) {
    const { flushed, pending } = await readWhole(chatId, () =>
      logs.readAfter(chatId, after, pageMeter(extent)),
    );
    return fillPage([...flushed, ...pending.filter(({ id }) => id > after)], extent);
  }

  async function readBefore(chatId: number, before: number, extent: PageExtent) {
    const { flushed, pending } = await readWhole(chatId, () =>
      logs.readBefore(chatId, before, pageMeter(extent)),
    );
    const all = [...flushed, ...pending.filter(({ id }) => id < before)];
    const page = fillPage(all.reverse(), extent);
    return { ...page, messages: page.messages.reverse() };
  }

  return async function page(chatId: number, query: MessageQuery): Promise<MessagePage> {
    const { before = Number.POSITIVE_INFINITY, after } = query;
    const extent = { limit: query.limit, bytes: query.bytes ?? largestPageBytes };
    const known = tails.get(chatId);
    const answer = known && pageOfTail(known, query);
    if (answer) return answer;
    // A client that polls asks with `after`: from the second time on it is answered from memory.
    const isAboutEnd = query.before === undefined && (after === undefined || !known);
    const tail = isAboutEnd ? await loadTail(chatId, extent) : undefined;
    const fromTail = tail && pageOfTail(tail, query);
    if (fromTail) return fromTail;
    return after === undefined
      ? readBefore(chatId, before, extent)
      : readAfter(chatId, after, extent);
  };
}
