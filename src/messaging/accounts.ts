import type { Credentials, ProfileChanges, Registration } from '#validators/messaging';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import type { Logger } from '../base/log.js';
import type { User } from './model.js';
import { assertHashable, isHashable, type PasswordHasher } from './password-hasher.js';
import { existing } from './people.js';
import type { UserStore } from './store.js';
import type { AccessToken, Tokens } from './tokens.js';

export interface AccountOptions {
  readonly users: UserStore;
  readonly tokens: Tokens;
  readonly hasher: PasswordHasher;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Logger, 'warn'>;
}

export function createAccounts(options: AccountOptions) {
  const { users, tokens, hasher, clock, log } = options;

  /** Hashes a verified password again at the current cost. The sign-in succeeds even if this fails. */
  async function renewHash({ id, passwordHash }: User, password: string): Promise<void> {
    if (!hasher.isOutdated(passwordHash)) return;
    try {
      await users.replaceHash(id, passwordHash, await hasher.hash(password));
    } catch (err) {
      const message = 'A password hash could not be updated. The next sign-in retries it.';
      log.warn({ user: id, err }, message);
    }
  }

  return {
    /**
     * Creates an account and signs in. Throws `email_taken`, or `validation_failed` for a password that bcrypt cannot
     * hash.
     */
    async register({ username, email, password }: Registration) {
      assertHashable(password, '/password');
      // Avoids hashing for a duplicate address. The store enforces uniqueness.
      if (await users.findByEmail(email)) throw emailTaken();
      const passwordHash = await hasher.hash(password);
      const user = await users.create({
        username,
        email,
        passwordHash,
        avatar: null,
        bio: '',
        createdAt: new Date(clock.now()).toISOString(),
      });
      return { user, token: tokens.issue(user) };
    },
    /** Throws `unauthorized` for an unknown e-mail address or a wrong password. Both cases take the same time. */
    async signIn({ email, password }: Credentials) {
      const [user, highestCost] = await Promise.all([users.findByEmail(email), users.maxCost()]);
      // bcrypt would compare only the beginning of a password that is too long.
      const hash = isHashable(password) ? user?.passwordHash : undefined;
      const isRight = await hasher.matches(password, hash, highestCost);
      if (!user || !isRight) {
        throw new AppError('unauthorized', 'The e-mail address or the password is wrong.');
      }
      await renewHash(user, password);
      return { user, token: tokens.issue(user) };
    },
    /** Revokes all of a user's tokens. */
    async signOutEverywhere({ id }: User): Promise<void> {
      await users.endTokens(id);
    },
    /** Issues a new token in exchange for a valid one, which expires a minute later. */
    async renew(user: User, token: AccessToken) {
      await tokens.revokeSoon(token);
      return { user, token: tokens.issue(user) };
    },
    async changeProfile(id: number, changes: ProfileChanges): Promise<User> {
      return existing(id, await users.change(id, changes));
    },
  };
}

/** Returns the error for an e-mail address that another account uses. */
export function emailTaken(): AppError {
  return new AppError('email_taken', 'An account with this e-mail address already exists.', {
    details: [{ path: '/email', message: 'is already in use' }],
  });
}
