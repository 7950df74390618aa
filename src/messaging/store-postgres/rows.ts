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

/** How the records of messaging are kept in rows; some tables have columns beyond these. */
export const codecs = {
  user: createRowCodec<User>(userFields),
  token: createRowCodec<RevokedTokenRecord>(tokenFields),
  chat: createRowCodec<Chat>(chatFields),
  member: createRowCodec<MemberRecord>(memberFields),
  message: createRowCodec<StoredMessage>(messageFields),
  messageKey: createRowCodec<MessageKeyRecord>(messageKeyFields),
};

/** What is looked at of a row of `users`. */
export interface UserRow {
  readonly id: number;
  /** The e-mail as it is compared: without case; null for an account that has ended. */
  readonly emailKey: string | null;
}

/** Every column of a user; without the ID where it is to be given. */
export function userRow(user: User | Omit<User, 'id'>): Columns {
  const { email, deleted } = user;
  const keys = { emailKey: deleted ? null : emailKey(email), nameKey: nameKey(user) };
  return { ...codecs.user.toRow(user), ...keys };
}

/** E-mails are compared without case. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}

/** What a name is searched in; an account that has ended is not searched. */
export function nameKey({ username, deleted }: Pick<User, 'username' | 'deleted'>): string {
  return deleted ? '' : foldText(username);
}

/** What is looked at of a row of `chats`. */
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

/** Who is in which chat. */
export interface MemberName {
  readonly chatId: number;
  readonly userId: number;
}

/** One text for several numbers, by which reads that come together are told apart, and the numbers again. */
export function keyOfNumbers(...numbers: readonly number[]): string {
  return numbers.join(' ');
}

export function columnsOf(keys: readonly string[]): number[][] {
  const numbers = keys.map((key) => key.split(' ').map(Number));
  return (numbers[0] ?? []).map((_, column) => numbers.map((row) => row[column] ?? 0));
}
