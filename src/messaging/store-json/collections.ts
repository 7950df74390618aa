import {
  Chat as isChat,
  Member as isMember,
  MessageKey as isMessageKey,
  RevokedToken as isRevokedToken,
  User as isUser,
} from '#validators/messaging-records';
import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import type { CollectionFiles, Key } from '../../storage/json/collection-files.js';
import type { Chat, User } from '../model.js';
import type { MemberRecord, MessageKeyRecord, RevokedTokenRecord } from '../records.js';

export type MessagingCollections = ReturnType<typeof messagingCollections>;

/** Everything of messaging but the messages, as it is kept in a folder. */
export function messagingCollections(folder: string, files: FileLayer = systemFiles) {
  function collection<T>(
    name: string,
    isValid: (value: unknown) => boolean,
    keyOf: (record: T) => Key,
  ): CollectionFiles<T> {
    // The schema describes a T.
    const isRecord = (value: unknown): value is T => isValid(value);
    return { folder, name, files, keyOf, isRecord };
  }
  return {
    users: collection<User>('users', isUser, ({ id }) => id),
    chats: collection<Chat>('chats', isChat, ({ id }) => id),
    /** Who joined after a chat was made: a record each, so that joining costs little. */
    members: collection<MemberRecord>(
      'members',
      isMember,
      ({ chatId, userId }) => `${chatId} ${userId}`,
    ),
    revokedTokens: collection<RevokedTokenRecord>(
      'revoked-tokens',
      isRevokedToken,
      ({ jti }) => jti,
    ),
    keys: collection<MessageKeyRecord>('idempotency-keys', isMessageKey, keyName),
  };
}

/** What an idempotency key is found by. */
export function keyName({ senderId, key }: { senderId: number; key: string }): string {
  return `${senderId} ${key}`;
}
