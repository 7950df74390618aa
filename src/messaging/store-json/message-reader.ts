import type { StoredMessage } from '../model.js';
import type { MessagePage, MessageQuery } from '../store.js';
import type { ChatLogs } from './chat-logs.js';
import { pageOfTail, type Tail } from './message-page.js';
import type { MessageTails } from './message-tails.js';
import type { Unflushed } from './unflushed.js';

export interface MessageReaderOptions {
  readonly logs: ChatLogs;
  readonly unflushed: Unflushed;
  readonly tails: MessageTails;
}

/** Messages read for a chat that somebody looks at, so that polling it later is answered from memory. */
const smallestTail = 50;

/** Pages of chats: from memory where their end is in memory, else from log and journal together. */
export function createMessageReader({ logs, unflushed, tails }: MessageReaderOptions) {
  const loading = new Map<number, Promise<Tail<StoredMessage>>>();

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

  /** The end of a chat with `count` messages and one more (or all there are), kept in memory. */
  function loadTail(chatId: number, count: number): Promise<Tail<StoredMessage>> {
    const underWay = loading.get(chatId);
    if (underWay) return underWay;
    const load = readTail(chatId, count).finally(() => loading.delete(chatId));
    loading.set(chatId, load);
    return load;
  }

  async function readTail(chatId: number, count: number): Promise<Tail<StoredMessage>> {
    const wanted = Math.max(count, smallestTail) + 1;
    const end = Number.POSITIVE_INFINITY;
    const { flushed, pending } = await readWhole(chatId, () =>
      logs.readBefore(chatId, end, wanted),
    );
    const tail = { messages: [...flushed, ...pending], complete: flushed.length < wanted };
    tails.set(chatId, tail);
    return tail;
  }

  async function readAfter(chatId: number, after: number, limit: number): Promise<MessagePage> {
    const { flushed, pending } = await readWhole(chatId, () =>
      logs.readAfter(chatId, after, limit + 1),
    );
    const all = [...flushed, ...pending.filter(({ id }) => id > after)];
    return { messages: all.slice(0, limit), hasMore: all.length > limit };
  }

  async function readBefore(chatId: number, before: number, limit: number): Promise<MessagePage> {
    const { flushed, pending } = await readWhole(chatId, () =>
      logs.readBefore(chatId, before, limit + 1),
    );
    const all = [...flushed, ...pending.filter(({ id }) => id < before)];
    return { messages: all.slice(-limit), hasMore: all.length > limit };
  }

  return async function page(chatId: number, query: MessageQuery): Promise<MessagePage> {
    const { limit, before = Number.POSITIVE_INFINITY, after } = query;
    const known = tails.get(chatId);
    const answer = known && pageOfTail(known, query);
    if (answer) return answer;
    // A client that polls asks with `after`: from the second time on it is answered from memory.
    const isAboutEnd = query.before === undefined && (after === undefined || !known);
    const tail = isAboutEnd ? await loadTail(chatId, limit) : undefined;
    const fromTail = tail && pageOfTail(tail, query);
    if (fromTail) return fromTail;
    return after === undefined
      ? readBefore(chatId, before, limit)
      : readAfter(chatId, after, limit);
  };
}
