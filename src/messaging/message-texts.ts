import type { MessageCipher } from './cipher.js';
import type { StoredMessage, User } from './model.js';
import type { UserStore } from './store.js';

/** The clear texts of stored messages. */
export interface MessageTexts {
  /** undefined = it cannot be decrypted. */
  textOf(message: StoredMessage): Promise<string | undefined>;
  /** The same where the sender is known already. */
  decrypt(message: StoredMessage, sender: User | undefined): string | undefined;
  /** Remembers the text of a message that was just encrypted. */
  remember(message: StoredMessage, text: string): void;
}

export interface MessageTextOptions {
  readonly users: UserStore;
  readonly cipher: MessageCipher;
  /** Called once for every message whose tag does not verify. */
  onUndecryptable(message: StoredMessage): void;
}

export function createMessageTexts(options: MessageTextOptions): MessageTexts {
  const { users, cipher, onUndecryptable } = options;
  /** Texts of the messages that the store keeps in memory; they go when it lets go of them. */
  const texts = new WeakMap<StoredMessage, string | undefined>();

  function decrypt(message: StoredMessage, sender: User | undefined): string | undefined {
    if (texts.has(message)) return texts.get(message);
    const text = sender && cipher.decrypt(message.encrypted, message.scheme, sender);
    if (text === undefined) onUndecryptable(message);
    texts.set(message, text);
    return text;
  }

  return {
    decrypt,
    async textOf(message) {
      if (texts.has(message)) return texts.get(message);
      return decrypt(message, await users.find(message.senderId));
    },
    remember: (message, text) => void texts.set(message, text),
  };
}
