import { createHash } from 'node:crypto';
import type { NewMessage } from '#validators/messaging';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import { createAlarm } from '../base/every.js';
import type { Waits } from '../base/waits.js';
import type { Chats } from './chats.js';
import type { MessageCipher, MessageTexts } from './cipher.js';
import type { Chat, MessageType, StoredMessage, User } from './model.js';
import type { MessageQuery, MessagingStore } from './store.js';
import type { Watch } from './watch.js';

/** A decrypted message with its sender. */
export interface ReadableMessage {
  readonly message: StoredMessage;
  readonly sender: User | undefined;
  /** The clear text; undefined if it could not be decrypted. */
  readonly text: string | undefined;
}

/** A wait for the first message with a higher ID than `after`. */
export interface NewsOptions {
  readonly after: number;
  /** Maximum time to wait, in seconds. */
  readonly wait: number;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/** A page of a chat, oldest first. */
export interface ReadablePage {
  readonly messages: readonly ReadableMessage[];
  readonly hasMore: boolean;
}

export interface MessageOptions {
  readonly store: MessagingStore;
  readonly chats: Chats;
  readonly cipher: MessageCipher;
  readonly clock: Clock;
  readonly waits: Waits;
  readonly watch: Watch;
  readonly texts: MessageTexts;
}

/** Posts and reads messages. Each method throws `not_found` or `forbidden` if the user may not read the chat. */
export function createMessages(options: MessageOptions) {
  const { store, chats, cipher, clock, waits, watch, texts } = options;
  /** Finds each sender only once, because a page has far fewer senders than messages. */
  async function sendersOf(messages: readonly StoredMessage[], reader: User) {
    const ids = new Set<number>();
    for (const { senderId } of messages) ids.add(senderId);
    // The request has already loaded the reader.
    const find = async (id: number) => (id === reader.id ? reader : store.users.find(id));
    const found = await Promise.all([...ids].map(async (id) => [id, await find(id)] as const));
    return new Map(found);
  }

  /** Returns whether there is a message with a higher ID than `after`. */
  async function hasNew(reader: User, chatId: number, after: number): Promise<boolean> {
    const isThere = await store.messages.hasNews(chatId, reader.id, after);
    if (isThere !== undefined) return isThere;
    // Throws the reason why the chat cannot be read, unless the user has just joined it.
    await chats.openFor(reader, chatId);
    return false;
  }

  async function readable(message: StoredMessage): Promise<ReadableMessage> {
    const sender = await store.users.find(message.senderId);
    return { message, sender, text: texts.decrypt(message, sender) };
  }

  /** Returns whether the other account of a private chat is deleted. */
  async function isDeserted(
    { ownerId, participantId = ownerId }: Chat,
    sender: User,
  ): Promise<boolean> {
    const other = await store.users.find(ownerId === sender.id ? participantId : ownerId);
    return other?.deleted !== undefined;
  }

  return {
    /** Stores a message. If the idempotency key was used before, stores nothing and returns the earlier message. */
    async post(
      sender: User,
      chatId: number,
      { text: posted, type = 'text', ...others }: NewMessage,
      key: string | undefined,
    ): Promise<ReadableMessage> {
      // Causes a type error when a post gets a new field, which must be stored and included in the key's hash.
      others satisfies Readonly<Record<string, never>>;
      const { chat } = await chats.openFor(sender, chatId);
      if (chat.type === 'channel' && chat.ownerId !== sender.id) {
        throw new AppError('forbidden', 'Only the owner of a channel can post in it.');
      }
      const text = wellFormed(posted);
      const idempotency = key === undefined ? undefined : { key, bodyHash: hashOf(type, text) };
      if (chat.type === 'private' && (await isDeserted(chat, sender))) {
        // A post that was stored before the other account was deleted is still acknowledged.
        const post = { chatId, senderId: sender.id };
        const known = idempotency && (await store.messages.findKeyed(post, idempotency));
        if (known) return readable(known);
        throw deserted();
      }
      const draft: Omit<StoredMessage, 'id'> = {
        chatId,
        senderId: sender.id,
        type,
        ...(cipher.scheme === 'email' ? { text } : {}),
        encrypted: cipher.encrypt(text, sender),
        scheme: cipher.scheme,
        createdAt: new Date(clock.now()).toISOString(),
      };
      const { message, stored } = await store.messages.append(draft, idempotency);
      if (!stored) return readable(message);
      return { message, sender, text };
    },
    async read(reader: User, chatId: number, query: MessageQuery): Promise<ReadablePage> {
      await chats.openFor(reader, chatId);
      const { messages, hasMore } = await store.messages.page(chatId, query);
      const senders = await sendersOf(messages, reader);
      const readableMessages = messages.map((message) => {
        const sender = senders.get(message.senderId);
        return { message, sender, text: texts.decrypt(message, sender) };
      });
      return { messages: readableMessages, hasMore };
    },
    /**
     * Resolves with true when there is a message after an ID. Resolves with false when the time has expired or the
     * signal aborts. Rejects with `rate_limited` if too many requests are already waiting.
     */
    async untilNew(
      reader: User,
      chatId: number,
      { after, wait, signal }: NewsOptions,
    ): Promise<boolean> {
      const deadline = clock.monotonic() + wait * 1000;
      const alarm = createAlarm(clock);
      // Listens before it queries the store, so that no message is missed.
      const stopListening = watch.onChat(chatId, alarm.ring);
      let leave: (() => void) | undefined;
      try {
        for (;;) {
          // A user who was removed from the chat during the wait receives the error immediately.
          const isThere = await hasNew(reader, chatId, after);
          const left = deadline - clock.monotonic();
          if (isThere || left <= 0 || signal.aborted) return isThere;
          leave ??= waits.begin(`user ${reader.id}`);
          await alarm.sleep(left, signal);
        }
      } finally {
        stopListening();
        leave?.();
      }
    },
    hasNew,
  };
}

/**
 * Replaces lone surrogates, which UTF-8 cannot represent, so that the response to the post contains the stored text.
 */
function wellFormed(text: string): string {
  return /[\ud800-\udfff]/.test(text) ? Buffer.from(text).toString() : text;
}

function hashOf(type: MessageType, text: string): string {
  return createHash('sha256').update(`${type}\n${text}`).digest('base64url');
}

function deserted(): AppError {
  return new AppError(
    'conflict',
    "You cannot post in this chat because the other person's account was deleted.",
  );
}

/** Returns the error for an idempotency key that was used for a different message. */
export function keyConflict(): AppError {
  return new AppError(
    'conflict',
    'This Idempotency-Key was already used for a different message.',
    {
      hint: 'Use a new key for every message. Repeat a key only with the same chat and body.',
    },
  );
}
