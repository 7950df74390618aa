import { AppError } from '../../base/errors.js';

/** What is being stored of chats just now, so that one goes only when nothing of it is on its way to the disk. */
export function createChatUses() {
  const counts = new Map<number, number>();
  const waiting = new Map<number, () => void>();
  const closed = new Set<number>();

  /** What begins is ended once, whatever becomes of it; `not_found` where the chat is going. */
  function begin(chatId: number): void {
    if (closed.has(chatId)) throw noChat(chatId);
    counts.set(chatId, (counts.get(chatId) ?? 0) + 1);
  }

  function end(chatId: number): void {
    const left = (counts.get(chatId) ?? 1) - 1;
    if (left > 0) counts.set(chatId, left);
    else {
      counts.delete(chatId);
      waiting.get(chatId)?.();
    }
  }

  return {
    begin,
    end,
    /** Does work that stores something of a chat; `not_found` where the chat is going. */
    async during<Result>(chatId: number, work: () => Promise<Result>): Promise<Result> {
      begin(chatId);
      try {
        return await work();
      } finally {
        end(chatId);
      }
    },
    /** Lets nothing begin until `remove` has ended, which begins when nothing is under way. */
    async close<Result>(chatId: number, remove: () => Promise<Result>): Promise<Result> {
      closed.add(chatId);
      try {
        if (counts.has(chatId)) {
          await new Promise<void>((resolve) => waiting.set(chatId, resolve));
          waiting.delete(chatId);
        }
        return await remove();
      } finally {
        closed.delete(chatId);
      }
    },
  };
}

export function noChat(chatId: number): AppError {
  return new AppError('not_found', `There is no chat ${chatId}.`);
}
