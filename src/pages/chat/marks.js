/**
 * Tells the server up to where a chat was read: one request at a time per chat, and the newest mark wins.
 *
 * @param {object} parts
 * @param {import('../shared/calls.ts').Call} parts.call
 * @param {import('./persist.js').Persist} parts.persist
 * @param {AbortSignal} parts.signal
 * @param {(chatId: number, messageId: number, isStored: boolean) => void} parts.onEnd the server has taken
 *   this mark or refused it for good
 */
export function createMarks({ call, persist, signal, onEnd }) {
  /** @type {Map<number, number>} */
  const wanted = new Map();
  /** @type {Set<number>} */
  const busy = new Set();

  /** @param {number} chatId */
  const put = async (chatId) => {
    const messageId = wanted.get(chatId) ?? 0;
    await call('PUT', `/api/chats/${chatId}/read`, { body: { messageId }, signal });
    return messageId;
  };

  /** @param {number} chatId */
  const run = async (chatId) => {
    busy.add(chatId);
    for (let done = 0; done < (wanted.get(chatId) ?? 0) && !signal.aborted; ) {
      const before = wanted.get(chatId) ?? 0;
      try {
        done = await persist(() => put(chatId));
        onEnd(chatId, done, true);
      } catch {
        done = before;
        if (!signal.aborted) onEnd(chatId, before, false);
      }
    }
    wanted.delete(chatId);
    busy.delete(chatId);
  };

  return {
    /**
     * @param {number} chatId
     * @param {number} messageId
     */
    mark(chatId, messageId) {
      if (messageId <= (wanted.get(chatId) ?? 0)) return;
      wanted.set(chatId, messageId);
      if (!busy.has(chatId)) run(chatId);
    },
  };
}
