import type { AccountEnd, PasswordChange, PasswordReset } from '#validators/messaging';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import { endOf } from './ended-account.js';
import type { User } from './model.js';
import { assertHashable, isHashable, type PasswordHasher } from './password-hasher.js';
import { isResetCode } from './reset-code.js';
import type { MessagingStore } from './store.js';
import type { Tokens } from './tokens.js';

export interface PasswordOptions {
  readonly store: Pick<MessagingStore, 'users' | 'endAccount'>;
  readonly tokens: Tokens;
  readonly hasher: PasswordHasher;
  readonly clock: Pick<Clock, 'now'>;
  readonly encryptionSecret?: string | undefined;
}

export type Passwords = ReturnType<typeof createPasswords>;

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
