import { AppError } from '../base/errors.js';
import { createMessageCipher } from './cipher.js';
import type { StoredMessage, User } from './model.js';
import type { MessagePage, MessagingStore } from './store.js';

/**
 * The readability of a user's messages after the account is deleted. Messages that were encrypted with the operator's
 * secret become unreadable if the secret is not set or has changed.
 */
export type TextsAfterEnd = 'readable' | 'no secret' | 'other secret';

export interface TextsOptions {
  readonly store: Pick<MessagingStore, 'chats' | 'messages'>;
  /** The operator's secret, if it is set. */
  readonly secret: string | undefined;
}

/**
 * Returns whether a user's messages remain readable after the account is deleted. Attempts to decrypt one of them: the
 * newest message encrypted with the operator's secret, in the first chat that contains one.
 */
export async function textsAfterEnd(
  { store, secret }: TextsOptions,
  user: User,
): Promise<TextsAfterEnd> {
  for await (const { senderId, scheme, encrypted } of messagesOf(store, user.id)) {
    if (senderId !== user.id || scheme !== 'secret') continue;
    if (secret === undefined) return 'no secret';
    const text = createMessageCipher(secret).decrypt(encrypted, scheme, user);
    return text === undefined ? 'other secret' : 'readable';
  }
  return 'readable';
}

/** Number of messages that are read per page. */
const pageOfMessages = 500;

/** Yields the messages of a user's chats, newest first in each chat. */
async function* messagesOf(
  { chats, messages }: TextsOptions['store'],
  userId: number,
): AsyncIterable<StoredMessage> {
  for (const { chat } of await chats.listOf(userId)) {
    let before: number | undefined;
    for (;;) {
      const query = { limit: pageOfMessages, before };
      const page = await messages.page(chat.id, query).catch(withoutDamaged);
      yield* page.messages.toReversed();
      before = page.messages[0]?.id;
      if (!page.hasMore || before === undefined) break;
    }
  }
}

/** Treats a damaged chat as empty, so that the account can still be deleted. */
function withoutDamaged(error: unknown): MessagePage {
  if (error instanceof AppError && error.code === 'data_damaged') {
    return { messages: [], hasMore: false };
  }
  throw error;
}
