import { foldText } from '../../base/fold-text.js';
import { hexBytes } from '../../storage/postgres/sql.js';
import type { User } from '../model.js';
import { userRecord } from '../records.js';

/** A row of `users`. */
export interface UserRow extends Omit<User, 'sessions' | 'reset' | 'deleted'> {
  /** The e-mail as it is compared: without case; null for an account that has ended. */
  readonly emailKey: string | null;
  readonly sessions: number;
  readonly resetHash: string | null;
  /** Milliseconds since the epoch. */
  readonly resetExpires: number | null;
  readonly deletedAt: string | null;
  /** Hex digits. */
  readonly deletedKey: string | null;
}

export function toUser(row: UserRow): User {
  const { resetHash, resetExpires, deletedAt: at, deletedKey: key } = row;
  return userRecord({
    ...row,
    ...(resetHash === null ? {} : { reset: { hash: resetHash, expires: resetExpires ?? 0 } }),
    ...(at === null ? {} : { deleted: { at, ...(key === null ? {} : { key }) } }),
  });
}

/** Every column of a user but the id. */
export function toUserColumns(user: Omit<User, 'id'>) {
  const { username, email, passwordHash, avatar, bio, createdAt } = user;
  const { sessions = 0, reset, deleted } = user;
  return {
    ...{ username, email, passwordHash, avatar, bio, createdAt, sessions },
    emailKey: deleted ? null : emailKey(email),
    nameKey: nameKey(user),
    resetHash: reset?.hash ?? null,
    resetExpires: reset?.expires ?? null,
    deletedAt: deleted?.at ?? null,
    deletedKey: deleted?.key === undefined ? null : hexBytes(deleted.key),
  };
}

/** E-mails are compared without case. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}

/** What a name is searched in; an account that has ended is not searched. */
export function nameKey({ username, deleted }: Pick<User, 'username' | 'deleted'>): string {
  return deleted ? '' : foldText(username);
}
