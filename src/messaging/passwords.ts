import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { AccountEnd, PasswordChange, PasswordReset } from '#validators/messaging';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import { endOf } from './cipher.js';
import type { User } from './model.js';
import { assertHashable, isHashable, type PasswordHasher } from './password-hasher.js';
import type { MessagingStore } from './store.js';
import type { Tokens } from './tokens.js';

export interface PasswordOptions {
  readonly store: Pick<MessagingStore, 'users' | 'endAccount'>;
  readonly tokens: Tokens;
  readonly hasher: PasswordHasher;
  readonly clock: Pick<Clock, 'now'>;
  readonly encryptionSecret?: string | undefined;
}

/** Changes passwords and deletes accounts for users who prove their identity with a password or a reset code. */
export function createPasswords(options: PasswordOptions) {
  const { store, tokens, hasher, clock, encryptionSecret } = options;
  const { users } = store;

  /** Throws `forbidden` for a wrong password. A token alone does not prove ownership of the account. */
  async function assertPassword({ passwordHash }: User, password: string): Promise<void> {
    const hash = isHashable(password) ? passwordHash : undefined;
    if (await hasher.matches(password, hash, await users.maxCost())) return;
    throw new AppError('forbidden', 'The current password is wrong.');
  }

  return {
    /** Changes a user's password, revokes all tokens and issues a new one. Throws `forbidden` for a wrong password. */
    async change(user: User, { currentPassword, newPassword }: PasswordChange) {
      assertHashable(newPassword, '/newPassword');
      await assertPassword(user, currentPassword);
      const { id, passwordHash } = user;
      const changed = await users.replacePassword(
        id,
        { passwordHash },
        await hasher.hash(newPassword),
      );
      if (!changed) {
        throw new AppError('conflict', 'The password was changed at the same time.', {
          hint: 'Sign in with the new password.',
        });
      }
      return { user: changed, token: tokens.issue(changed) };
    },
    /**
     * Sets a new password with a single-use reset code from the operator. Throws `unauthorized` for a wrong or expired
     * code and for an unknown e-mail address.
     */
    async reset({ email, code, newPassword }: PasswordReset) {
      assertHashable(newPassword, '/newPassword');
      const user = await users.findByEmail(email);
      if (!isResetCode(code, user?.reset, clock.now()) || !user?.reset) throw wrongCode();
      const proof = { resetHash: user.reset.hash };
      const changed = await users.replacePassword(user.id, proof, await hasher.hash(newPassword));
      // The code was used or replaced in the meantime.
      if (!changed) throw wrongCode();
      return { user: changed, token: tokens.issue(changed) };
    },
    /** Deletes an account permanently. Throws `forbidden` for a wrong password. */
    async endAccount(user: User, { password }: AccountEnd): Promise<void> {
      await assertPassword(user, password);
      await store.endAccount(user.id, endOf(user, clock.now(), encryptionSecret));
    },
  };
}

function wrongCode(): AppError {
  return new AppError(
    'unauthorized',
    'The e-mail address or the code is wrong, or the code has expired.',
    {
      hint: 'A code can be used once, within one hour. Ask the operator for a new one.',
    },
  );
}

/** Letters and digits without 0, O, 1, I and L, which are easily confused. */
const characters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

/** Length of a reset code, in characters. 31^12 is about 2^59, which is far too many to guess within an hour. */
const length = 12;

/** Time after which a reset code expires, in milliseconds. @bound */
export const resetCodeLife = 3_600_000;

/** Returns a new random code: 12 letters and digits. */
export function makeResetCode(): string {
  return Array.from({ length }, () => characters[randomInt(characters.length)]).join('');
}

/** Returns the hash of a code. Case, white space and hyphens do not matter. */
export function hashResetCode(code: string): string {
  const bare = code.replace(/[\s\p{Pd}]/gu, '').toUpperCase();
  return createHash('sha256').update(bare).digest('hex');
}

/** Returns whether a code is the user's reset code and valid at `now` (milliseconds). Compares in constant time. */
export function isResetCode(code: string, reset: User['reset'], now: number): boolean {
  const given = Buffer.from(hashResetCode(code));
  // Always compares, so that the time does not reveal whether a code exists.
  const expected = Buffer.from(reset?.hash.padEnd(given.length).slice(0, given.length) ?? noCode);
  return timingSafeEqual(given, expected) && reset !== undefined && reset.expires > now;
}

/** Has the length of a hash, but matches no code. */
const noCode = '-'.repeat(64);
