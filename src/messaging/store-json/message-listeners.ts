/** Who wants to hear of new messages, by chat. */
export interface MessageListeners {
  add(chatId: number, listener: () => void): () => void;
  tell(chatId: number): void;
}

export function createMessageListeners(): MessageListeners {
  const listeners = new Map<number, Set<() => void>>();
  return {
    add(chatId, listener) {
      const ofChat = listeners.get(chatId) ?? new Set();
      listeners.set(chatId, ofChat.add(listener));
      return () => {
        ofChat.delete(listener);
        if (ofChat.size === 0 && listeners.get(chatId) === ofChat) listeners.delete(chatId);
      };
    },
    tell(chatId) {
      for (const listener of listeners.get(chatId) ?? []) listener();
    },
  };
}
