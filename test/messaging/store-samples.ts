import type { Chat, StoredMessage, User } from '../../src/messaging/model.js';
import type { MessagingStore } from '../../src/messaging/store.js';
import type { ManualClock } from '../helpers/manual-clock.js';
import { createManualClock } from '../helpers/manual-clock.js';

export const createdAt = new Date(createManualClock().now()).toISOString();
export const userFields = (email: string): Omit<User, 'id'> => ({
  username: 'Somebody',
  email,
  passwordHash: '$2b$04$x',
  avatar: null,
  bio: '',
  createdAt,
});
export const message = (chatId: number, text: string, senderId = 1): Omit<StoredMessage, 'id'> => ({
  chatId,
  senderId,
  type: 'text',
  text,
  encrypted: { iv: '00', encrypted: '00', authTag: '00' },
  scheme: 'email',
  createdAt,
});

export const group = (ownerId: number, name = 'g'): Omit<Chat, 'id'> => ({
  type: 'group',
  name,
  ownerId,
  createdAt,
});
export const channel = (ownerId: number, name = 'c'): Omit<Chat, 'id'> => ({
  ...group(ownerId, name),
  type: 'channel',
});
export const privateChat = (ownerId: number, participantId: number): Omit<Chat, 'id'> => ({
  ...group(ownerId, ''),
  type: 'private',
  participantId,
});

/** A store for a test. `reopen` returns a new instance, and `close` closes the latest one. */
export interface FreshStore {
  readonly store: MessagingStore;
  readonly clock: ManualClock;
  reopen(): Promise<MessagingStore>;
  close(): Promise<void>;
}

/** Returns whether a token of an existing user is revoked. Creates a user if there is none. */
export async function isRevoked(
  { tokens, users }: Pick<MessagingStore, 'tokens' | 'users'>,
  jti: string,
  issued: number,
): Promise<boolean> {
  const [first] = await users.list({ after: 0, limit: 1 });
  const { id: userId } = first ?? (await users.create(userFields('holder@x.kz')));
  return (await tokens.holderOf({ jti, userId, issued })) === undefined;
}
