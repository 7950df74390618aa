import type { Clock } from '../../base/clock.js';
import { startEvery } from '../../base/every.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/query.js';

interface Watched {
  readonly listeners: Set<() => void>;
  /** The chat's highest id at the last poll. */
  last: number | undefined;
}

const topic = 'message';
/** How often to ask for messages that no notification came for, in milliseconds. */
const pollEvery = 1_000;

/**
 * Notifies those who wait for a chat's messages, also of messages stored by other processes. Notifications wake
 * at once; because they can be lost, the chats somebody waits for are polled every second as well, all of them
 * in one statement.
 */
export function createMessageWatch(database: Database, clock: Clock) {
  const chats = new Map<number, Watched>();
  let polling: ReturnType<typeof startEvery> | undefined;
  const stopListening = database.notifications.on(topic, (detail) => wake(Number(detail)));

  function wake(chatId: number): void {
    for (const listener of [...(chats.get(chatId)?.listeners ?? [])]) listener();
  }

  async function poll(): Promise<void> {
    const ids = [...chats.keys()];
    if (ids.length === 0) return;
    const rows = await query<{ chatId: number; last: number }>(database, 'poll for messages')`
      select chat as chat_id, latest.id as last
      from unnest(${ids}::bigint[]) as asked (chat)
      cross join lateral (
        select id from msgsite.messages where chat_id = asked.chat order by id desc limit 1
      ) as latest`;
    for (const { chatId, last } of rows) {
      const chat = chats.get(chatId);
      if (!chat || chat.last === last) continue;
      chat.last = last;
      wake(chatId);
    }
  }

  return {
    on(chatId: number, listener: () => void): () => void {
      const chat = chats.get(chatId) ?? { listeners: new Set(), last: undefined };
      chats.set(chatId, chat);
      chat.listeners.add(listener);
      // A database that is away is asked again in a second; those who wait see it for themselves.
      polling ??= startEvery(pollEvery, poll, { clock, sleepFirst: true, onError() {} });
      return () => {
        chat.listeners.delete(listener);
        if (chat.listeners.size === 0 && chats.get(chatId) === chat) chats.delete(chatId);
      };
    },
    /** A message was stored in the chat by this process. */
    notify(chatId: number): void {
      wake(chatId);
      database.notifications.send(topic, String(chatId));
    },
    async close(): Promise<void> {
      stopListening();
      await polling?.stop();
    },
  };
}
