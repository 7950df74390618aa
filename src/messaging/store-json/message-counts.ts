import { createRecent } from '../../base/recent.js';
import type { CountedMessages, OthersQuery } from './chat-log.js';

/** The most counts of unread messages that are cached, for chats with more of them than are in memory. */
const rememberedCounts = 10_000;

/** Remembers how many messages of a chat were counted for somebody, so that only newer ones are counted again. */
export function createMessageCounts() {
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
