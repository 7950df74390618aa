import type { MessageCipher } from './cipher.js';
import type { StoredMessage, User } from './model.js';

export interface MessageTextOptions {
  readonly cipher: MessageCipher;
  /** Called with a message whose tag does not verify, once for as long as the store keeps it in memory. */
  onUndecryptable(message: StoredMessage): void;
}

export type MessageTexts = ReturnType<typeof createMessageTexts>;

/** The clear texts of stored messages. */
export function createMessageTexts({ cipher, onUndecryptable }: MessageTextOptions) {
  /** Texts of the messages that the store keeps in memory; they go when the store lets go of them. */
  const texts = new WeakMap<StoredMessage, string | undefined>();

  function readAs(message: StoredMessage, sender: User): string | undefined {
    // The e-mail that its key was made of went with the account; the clear text is stored beside it.
    if (sender.deleted && message.scheme === 'email') return message.text;
    return cipher.decrypt(message.encrypted, message.scheme, sender);
  }

  return {
    /** Returns the clear text, or undefined where the message cannot be decrypted. */
    decrypt(message: StoredMessage, sender: User | undefined): string | undefined {
      if (texts.has(message)) return texts.get(message);
      const text = sender && readAs(message, sender);
      if (text === undefined) onUndecryptable(message);
      texts.set(message, text);
      return text;
    },
  };
}
