import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import type { CollectionFiles, Key } from '../../storage/json/collection-files.js';
import type { Chat, User } from '../model.js';
import type { MemberRecord, MessageKeyRecord, RevokedTokenRecord } from '../records.js';

export type MessagingCollections = ReturnType<typeof messagingCollections>;

/** Everything of messaging but the messages, as it is kept in a folder. */
export function messagingCollections(folder: string, files: FileLayer = systemFiles) {
  /** The fields are what finds a record: the rest is as it was written, or the checksum would not fit. */
  function collection<T>(
    name: string,
    fields: { readonly [Field in keyof T]?: 'number' | 'string' },
    keyOf: (record: T) => Key,
  ): CollectionFiles<T> {
    const wanted = Object.entries(fields) as [keyof T, string][];
    const isRecord = (value: unknown): value is T =>
      typeof value === 'object' &&
      value !== null &&
      wanted.every(([field, type]) => typeof (value as Partial<T>)[field] === type);
    return { folder, name, files, keyOf, isRecord };
  }
  return {
    users: collection<User>('users', { id: 'number', email: 'string' }, ({ id }) => id),
    chats: collection<Chat>('chats', { id: 'number', ownerId: 'number' }, ({ id }) => id),
    /** Who joined after a chat was made: a record each, so that joining costs little. */
    members: collection<MemberRecord>(
      'members',
      { chatId: 'number', userId: 'number' },
      ({ chatId, userId }) => `${chatId} ${userId}`,
    ),
    revokedTokens: collection<RevokedTokenRecord>(
      'revoked-tokens',
      { jti: 'string', expires: 'number' },
      ({ jti }) => jti,
    ),
    keys: collection<MessageKeyRecord>(
      'idempotency-keys',
      { senderId: 'number', key: 'string' },
      keyName,
    ),
  };
}

/** What an idempotency key is found by. */
export function keyName({ senderId, key }: { senderId: number; key: string }): string {
  return `${senderId} ${key}`;
}
