import { createHash } from 'node:crypto';
import type { Clock } from '../clock.js';
import { AppError } from '../errors.js';
import type { Chats } from './chats.js';
import type { MessageCipher } from './cipher.js';
import type { MessageType, StoredMessage, User } from './model.js';
import type { MessageQuery, MessagingStore } from './store.js';

/** A message as its readers get it: decrypted, with its sender. */
export interface ReadableMessage {
  readonly message: StoredMessage;
  readonly sender: User | undefined;
  /** undefined = it could not be decrypted. */
  readonly text: string | undefined;
}

export interface NewMessage {
  readonly text: string;
  readonly type?: MessageType;
}

export interface ReadOptions extends MessageQuery {
  /** How long to hold the answer until something new arrives, in seconds; needs `after`. */
  readonly wait?: number;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

export interface ReadablePage {
  readonly messages: readonly ReadableMessage[];
  readonly hasMore: boolean;
}

export interface Messages {
  /** Stores a message; with a key used before it gives the message of then and stores nothing. */
  post(
    sender: User,
    chatId: number,
    message: NewMessage,
    idempotencyKey: string | undefined,
  ): Promise<ReadableMessage>;
  read(reader: User, chatId: number, options: ReadOptions): Promise<ReadablePage>;
  /** The clear text of a stored message, or undefined where it cannot be decrypted. */
  textOf(message: StoredMessage): Promise<string | undefined>;
}

export interface MessageOptions {
  readonly store: MessagingStore;
  readonly chats: Chats;
  readonly cipher: MessageCipher;
  readonly clock: Clock;
  /** Told once of every message whose tag does not verify. */
  onUndecryptable(message: StoredMessage): void;
}

/** More readers waiting than this are answered at once: they will ask again. */
const mostWaiting = 10_000;

export function createMessages(options: MessageOptions): Messages {
  const { store, chats, cipher, clock, onUndecryptable } = options;
  /** Texts of the messages that the store keeps in memory; they go when it lets go of them. */
  const texts = new WeakMap<StoredMessage, string | undefined>();
  let waiting = 0;

  async function textOf(message: StoredMessage): Promise<string | undefined> {
    return texts.has(message) ? texts.get(message) : decrypt(message, await senderOf(message));
  }

  function senderOf({ senderId }: StoredMessage): Promise<User | undefined> {
    return store.users.find(senderId);
  }

  /** A page has far fewer senders than messages. */
  async function sendersOf(messages: readonly StoredMessage[]) {
    const ids = [...new Set(messages.map(({ senderId }) => senderId))];
    const found = await Promise.all(
      ids.map(async (id) => [id, await store.users.find(id)] as const),
    );
    return new Map(found);
  }

  function decrypt(message: StoredMessage, sender: User | undefined): string | undefined {
    if (texts.has(message)) return texts.get(message);
    const text = sender && cipher.decrypt(message.encrypted, message.scheme, sender);
    if (text === undefined) onUndecryptable(message);
    texts.set(message, text);
    return text;
  }

  async function readable(message: StoredMessage): Promise<ReadableMessage> {
    const sender = await senderOf(message);
    return { message, sender, text: decrypt(message, sender) };
  }

  async function readPage(chatId: number, query: MessageQuery): Promise<ReadablePage> {
    const { messages, hasMore } = await store.messages.page(chatId, query);
    const senders = await sendersOf(messages);
    const readables = messages.map((message) => {
      const sender = senders.get(message.senderId);
      return { message, sender, text: decrypt(message, sender) };
    });
    return { messages: readables, hasMore };
  }

  /** Reads as soon as there is something, or what there is when time is up. */
  async function readWhenNew(
    chatId: number,
    { wait = 0, signal, ...query }: ReadOptions,
  ): Promise<ReadablePage> {
    const deadline = clock.now() + wait * 1000;
    let news = new AbortController();
    const end = () => news.abort();
    const stopListening = store.messages.onNew(chatId, end);
    signal?.addEventListener('abort', end, { once: true });
    waiting += 1;
    try {
      for (;;) {
        // Listening begins before the look, so that nothing arrives between the two unheard.
        news = new AbortController();
        const page = await readPage(chatId, query);
        const left = deadline - clock.now();
        if (page.messages.length > 0 || left <= 0 || signal?.aborted) return page;
        await clock.sleep(left, news.signal);
      }
    } finally {
      waiting -= 1;
      stopListening();
      signal?.removeEventListener('abort', end);
      end();
    }
  }

  return {
    textOf,
    async post(sender, chatId, { text: given, type = 'text' }, key) {
      const chat = await chats.openFor(sender, chatId);
      if (chat.type === 'channel' && chat.ownerId !== sender.id) {
        throw new AppError('forbidden', 'Only the owner of a channel posts in it.');
      }
      const text = wellFormed(given);
      const draft: Omit<StoredMessage, 'id'> = {
        chatId,
        senderId: sender.id,
        type,
        ...(cipher.scheme === 'email' ? { text } : {}),
        encrypted: cipher.encrypt(text, sender),
        scheme: cipher.scheme,
        createdAt: new Date(clock.now()).toISOString(),
      };
      const { message, stored } = await store.messages.append(
        draft,
        key === undefined ? undefined : { key, bodyHash: hashOf(type, text) },
      );
      if (!stored) return readable(message);
      texts.set(message, text);
      return { message, sender, text };
    },
    async read(reader, chatId, read) {
      await chats.openFor(reader, chatId);
      const { wait = 0, signal, ...query } = read;
      if (wait > 0 && waiting < mostWaiting) return readWhenNew(chatId, read);
      return readPage(chatId, query);
    },
  };
}

/** Half of a surrogate pair cannot be encrypted as UTF-8; what is kept is what can be read back. */
function wellFormed(text: string): string {
  return /[\ud800-\udfff]/.test(text) ? Buffer.from(text).toString() : text;
}

function hashOf(type: MessageType, text: string): string {
  return createHash('sha256').update(`${type}\n${text}`).digest('base64url');
}
