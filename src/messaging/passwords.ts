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

/** What a user does who knows the password, or has a code in its place. */
export function createPasswords(options: PasswordOptions) {
  const { store, tokens, hasher, clock, encryptionSecret } = options;
  const { users } = store;

  /** `forbidden` for a wrong password: whoever has found a token does not own the account. */
  async function assertPassword({ passwordHash }: User, password: string): Promise<void> {
    const hash = isHashable(password) ? passwordHash : undefined;
    if (await hasher.matches(password, hash, await users.highestCost())) return;
    throw new AppError('forbidden', 'The current password is wrong.');
  }

  return {
    /** Gives a user another password, and a token in place of all there were. `forbidden` for a wrong one. */
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
          hint: 'Sign in with the password that counts now.',
        });
      }
      return { user: changed, token: tokens.issue(changed) };
    },
    /**
     * Gives a user another password for a code of the operator, once. `unauthorized` for a wrong or old code and an
     * unknown e-mail alike.
     */
    async reset({ email, code, newPassword }: PasswordReset) {
      assertHashable(newPassword, '/newPassword');
      const user = await users.findByEmail(email);
      if (!isResetCode(code, user?.reset, clock.now()) || !user?.reset) throw wrongCode();
      const proof = { resetHash: user.reset.hash };
      const changed = await users.replacePassword(user.id, proof, await hasher.hash(newPassword));
      // Somebody was faster with it, or there is another code by now.
      if (!changed) throw wrongCode();
      return { user: changed, token: tokens.issue(changed) };
    },
    /** Ends an account for good. `forbidden` for a wrong password. */
    async endAccount(user: User, { password }: AccountEnd): Promise<void> {
      await assertPassword(user, password);
      await store.endAccount(user.id, endOf(user, clock.now(), encryptionSecret));
    },
  };
}

function wrongCode(): AppError {
  return new AppError(
    'unauthorized',
    'The e-mail address or the code is wrong, or the code is old.',
    {
      hint: 'A code counts once and for one hour; ask the operator for another one.',
    },
  );
}

/** Letters and digits that nobody takes for one another: without 0, O, 1, I and L. */
const characters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

/** 31 to the power of this is about 2 to the power of 59: far more than an hour of guesses. */
const length = 12;

/** Milliseconds for which a reset code is valid. @bound */
export const resetCodeLife = 3_600_000;

/** A new code for one use: 12 letters and digits. */
export function makeResetCode(): string {
  return Array.from({ length }, () => characters[randomInt(characters.length)]).join('');
}

/** What is stored of a code. Its case, blanks and hyphens do not matter. */
export function hashResetCode(code: string): string {
  const bare = code.replace(/[\s\p{Pd}]/gu, '').toUpperCase();
  return createHash('sha256').update(bare).digest('hex');
}

/** Whether this is the code of a user that counts at a time (milliseconds); in the same time for every other one. */
export function isResetCode(code: string, reset: User['reset'], now: number): boolean {
  const given = Buffer.from(hashResetCode(code));
  // Always compares with something, so that the time does not reveal whether a code exists.
  const expected = Buffer.from(reset?.hash.padEnd(given.length).slice(0, given.length) ?? noCode);
  return timingSafeEqual(given, expected) && reset !== undefined && reset.expires > now;
}

/** As long as a hash, and the hash of nothing. */
const noCode = '-'.repeat(64);
