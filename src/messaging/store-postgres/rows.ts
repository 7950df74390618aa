import { createRowCodec } from '../../storage/postgres/row-codec.js';
import type { Columns } from '../../storage/postgres/sql.js';
import { foldText } from '../../words/fold-text.js';
import {
  type Chat,
  chatFields,
  type MemberRecord,
  type MessageKeyRecord,
  memberFields,
  messageFields,
  messageKeyFields,
  type RevokedTokenRecord,
  type StoredMessage,
  tokenFields,
  type User,
  userFields,
} from '../model.js';
import type { Membership } from '../store.js';

/** Codecs between records and rows; some tables have additional columns. */
export const codecs = {
  user: createRowCodec<User>(userFields),
  token: createRowCodec<RevokedTokenRecord>(tokenFields),
  chat: createRowCodec<Chat>(chatFields),
  member: createRowCodec<MemberRecord>(memberFields),
  message: createRowCodec<StoredMessage>(messageFields),
  messageKey: createRowCodec<MessageKeyRecord>(messageKeyFields),
};

/** The columns of `users` that the code reads directly. */
export interface UserRow {
  readonly id: number;
  /** The e-mail address in lower case, for comparison; null for a deleted account. */
  readonly emailKey: string | null;
}

/** Returns all columns of a user, without the ID for a new user. */
export function userRow(user: User | Omit<User, 'id'>): Columns {
  const { email, deleted } = user;
  const keys = { emailKey: deleted ? null : emailKey(email), nameKey: nameKey(user) };
  return { ...codecs.user.toRow(user), ...keys };
}

/** Returns a key for comparing e-mail addresses, which ignores case. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}

/** Returns the text that name searches use; empty for a deleted account. */
export function nameKey({ username, deleted }: Pick<User, 'username' | 'deleted'>): string {
  return deleted ? '' : foldText(username);
}

/** The columns of `chats` that the code reads directly. */
export interface ChatRow extends Pick<Chat, 'id' | 'type' | 'ownerId'> {
  readonly participantId: number | null;
  readonly memberCount: number;
}

/** A row of `members` with its chat. */
export interface MembershipRow extends ChatRow {
  readonly userId: number;
  readonly startId: number | null;
  readonly readId: number | null;
}

export function toMembership(row: MembershipRow): Membership {
  const { memberCount, startId, readId } = row;
  return { chat: codecs.chat.toRecord(row), memberCount, startId: startId ?? 0, readId };
}

/** A member of a chat. */
export interface MemberName {
  readonly chatId: number;
  readonly userId: number;
}

/** Returns one key for several numbers, which distinguishes reads in a batch. `columnsOf` parses it. */
export function keyOfNumbers(...numbers: readonly number[]): string {
  return numbers.join(' ');
}

export function columnsOf(keys: readonly string[]): number[][] {
  const numbers = keys.map((key) => key.split(' ').map(Number));
  return (numbers[0] ?? []).map((_, column) => numbers.map((row) => row[column] ?? 0));
}
