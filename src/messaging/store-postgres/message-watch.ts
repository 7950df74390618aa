import type { Clock } from '../../base/clock.js';
import type { Database } from '../../storage/postgres/database.js';

/** Tells those who wait for a chat's messages, also of messages stored by other processes. */
export interface MessageWatch {
  on(chatId: number, listener: () => void): () => void;
  /** A message was stored in the chat by this process. */
  tell(chatId: number): void;
  close(): Promise<void>;
}

interface Watched {
  readonly listeners: Set<() => void>;
  /** The chat's highest id when it was looked at last. */
  last: number | undefined;
}

const topic = 'message';
/** How often to look for messages that no hint came for, in milliseconds. */
const lookEvery = 1_000;

/**
 * Hints wake at once; because hints can be lost, the chats somebody waits for are looked at every
 * second as well, all of them in one statement.
 */
export function createMessageWatch(database: Database, clock: Clock): MessageWatch {
  const chats = new Map<number, Watched>();
  const closing = new AbortController();
  let looking: Promise<void> | undefined;
  const stopHints = database.hints.on(topic, (detail) => wake(Number(detail)));

  function wake(chatId: number): void {
    for (const listener of [...(chats.get(chatId)?.listeners ?? [])]) listener();
  }

  async function lookWhileWatched(): Promise<void> {
    while (chats.size > 0 && !closing.signal.aborted) {
      await clock.sleep(lookEvery, closing.signal);
      // A database that is away is looked at again in a second; those who wait see it for themselves.
      if (!closing.signal.aborted) await look().catch(() => {});
    }
    looking = undefined;
  }

  async function look(): Promise<void> {
    const ids = [...chats.keys()];
    if (ids.length === 0) return;
    const rows = await database.run(
      'look for messages',
      (sql) => sql<{ chat_id: number; last: number }[]>`
        select chat as chat_id, latest.id as last
        from unnest(${ids}::bigint[]) as asked (chat)
        cross join lateral (
          select id from msgsite.messages where chat_id = asked.chat order by id desc limit 1
        ) as latest`,
    );
    for (const { chat_id: chatId, last } of rows) {
      const chat = chats.get(chatId);
      if (!chat || chat.last === last) continue;
      chat.last = last;
      wake(chatId);
    }
  }

  return {
    on(chatId, listener) {
      const chat = chats.get(chatId) ?? { listeners: new Set(), last: undefined };
      chats.set(chatId, chat);
      chat.listeners.add(listener);
      looking ??= lookWhileWatched();
      return () => {
        chat.listeners.delete(listener);
        if (chat.listeners.size === 0 && chats.get(chatId) === chat) chats.delete(chatId);
      };
    },
    tell(chatId) {
      wake(chatId);
      database.hints.send(topic, String(chatId));
    },
    async close() {
      closing.abort();
      stopHints();
      await looking;
    },
  };
}
