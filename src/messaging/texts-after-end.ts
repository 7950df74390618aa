import { AppError } from '../base/errors.js';
import { createMessageCipher } from './cipher.js';
import type { StoredMessage, User } from './model.js';
import type { MessagePage, MessagingStore } from './store.js';

/**
 * What others can read of somebody whose account ends: everything, or nothing of what was encrypted with the
 * operator's secret, where there is none or another one here.
 */
export type TextsAfterEnd = 'readable' | 'no secret' | 'other secret';

export interface TextsOptions {
  readonly store: Pick<MessagingStore, 'chats' | 'messages'>;
  /** The operator's secret, where one is set. */
  readonly secret: string | undefined;
}

/** Judged by their newest text of the operator's scheme in a chat that they are still in. */
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

/** Messages of a page: enough of them that a long chat takes few, few enough to hold. */
const pageOfMessages = 500;

/** What was said in the chats of a user, each from its end. */
async function* messagesOf(
  { chats, messages }: TextsOptions['store'],
  userId: number,
): AsyncIterable<StoredMessage> {
  for (const { chat } of await chats.listOf(userId)) {
    let before: number | undefined;
    for (;;) {
      const query = { limit: pageOfMessages, ...(before === undefined ? {} : { before }) };
      const page = await messages.page(chat.id, query).catch(withoutDamaged);
      yield* page.messages.toReversed();
      before = page.messages[0]?.id;
      if (!page.hasMore || before === undefined) break;
    }
  }
}

/** What is damaged in a chat is no reason to keep an account. */
function withoutDamaged(error: unknown): MessagePage {
  if (error instanceof AppError && error.code === 'data_damaged') {
    return { messages: [], hasMore: false };
  }
  throw error;
}
