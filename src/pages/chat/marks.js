/**
 * Sends the newest read mark of each chat to the server, with one request at a time per chat.
 *
 * @param {object} parts
 * @param {import('../shared/calls.ts').Call} parts.call
 * @param {import('./persist.js').Persist} parts.persist
 * @param {AbortSignal} parts.signal
 * @param {(chatId: number, messageId: number, isStored: boolean) => void} parts.onEnd called when the
 *   server has stored or rejected the mark
 */
export function createMarks({ call, persist, signal, onEnd }) {
  /** @type {Map<number, number>} */
  const latest = new Map();
  /** @type {Set<number>} */
  const busy = new Set();

  /** @param {number} chatId */
  const put = async (chatId) => {
    const messageId = latest.get(chatId) ?? 0;
    await call('PUT', `/api/chats/${chatId}/read`, { body: { messageId }, signal });
    return messageId;
  };

  /** @param {number} chatId */
  const run = async (chatId) => {
    busy.add(chatId);
    for (let done = 0; done < (latest.get(chatId) ?? 0) && !signal.aborted; ) {
      const before = latest.get(chatId) ?? 0;
      try {
        done = await persist(() => put(chatId));
        onEnd(chatId, done, true);
      } catch {
        done = before;
        if (!signal.aborted) onEnd(chatId, before, false);
      }
    }
    latest.delete(chatId);
    busy.delete(chatId);
  };

  return {
    /**
     * @param {number} chatId
     * @param {number} messageId
     */
    mark(chatId, messageId) {
      if (messageId <= (latest.get(chatId) ?? 0)) return;
      latest.set(chatId, messageId);
      if (!busy.has(chatId)) run(chatId);
    },
  };
}
