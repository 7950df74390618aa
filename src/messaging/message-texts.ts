import type { MessageCipher } from './cipher.js';
import type { StoredMessage, User } from './model.js';
import type { UserStore } from './store.js';

export interface MessageTextOptions {
  readonly users: UserStore;
  readonly cipher: MessageCipher;
  /** Called once for every message whose tag does not verify. */
  onUndecryptable(message: StoredMessage): void;
}

export type MessageTexts = ReturnType<typeof createMessageTexts>;

/** The clear texts of stored messages. */
export function createMessageTexts(options: MessageTextOptions) {
  const { users, cipher, onUndecryptable } = options;
  /** Texts of the messages that the store keeps in memory; they go when it lets go of them. */
  const texts = new WeakMap<StoredMessage, string | undefined>();

  function decrypt(message: StoredMessage, sender: User | undefined): string | undefined {
    if (texts.has(message)) return texts.get(message);
    const text = sender && readAs(message, sender);
    if (text === undefined) onUndecryptable(message);
    texts.set(message, text);
    return text;
  }

  function readAs(message: StoredMessage, sender: User): string | undefined {
    // The e-mail that its key was made of went with the account; the clear text is stored beside it.
    if (sender.deleted && message.scheme === 'email') return message.text;
    return cipher.decrypt(message.encrypted, message.scheme, sender);
  }

  return {
    /** undefined = it cannot be decrypted. */
    async textOf(message: StoredMessage): Promise<string | undefined> {
      if (texts.has(message)) return texts.get(message);
      return decrypt(message, await users.find(message.senderId));
    },
    /** The same where the sender is known already. */
    decrypt,
    /** Remembers the text of a message that was just encrypted. */
    remember: (message: StoredMessage, text: string) => void texts.set(message, text),
  };
}
