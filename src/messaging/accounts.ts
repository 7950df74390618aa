import type { Credentials, ProfileChanges, Registration } from '#validators/messaging';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
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
  /** Called with a password hash that could not be renewed; the next sign-in tries again. */
  onNotRenewed(userId: number, error: unknown): void;
}

export function createAccounts(options: AccountOptions) {
  const { users, tokens, hasher, clock, onNotRenewed } = options;

  /** Hashes a right password at today's cost. The sign-in is good whether that succeeds or not. */
  async function renewHash({ id, passwordHash }: User, password: string): Promise<void> {
    if (!hasher.isOutdated(passwordHash)) return;
    try {
      await users.replaceHash(id, passwordHash, await hasher.hash(password));
    } catch (error) {
      onNotRenewed(id, error);
    }
  }

  return {
    /** `email_taken`, or `validation_failed` for a password longer than bcrypt can take. */
    async register({ username, email, password }: Registration) {
      assertHashable(password, '/password');
      // Refused before the work of hashing; the store decides in the end.
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
    /** `unauthorized` for a wrong e-mail and a wrong password alike, after the same time. */
    async signIn({ email, password }: Credentials) {
      const [user, dearest] = await Promise.all([users.findByEmail(email), users.highestCost()]);
      // bcrypt would take what is too long for the password that it begins with.
      const hash = isHashable(password) ? user?.passwordHash : undefined;
      const isRight = await hasher.matches(password, hash, dearest);
      if (!user || !isRight) {
        throw new AppError('unauthorized', 'The e-mail address or the password is wrong.');
      }
      await renewHash(user, password);
      return { user, token: tokens.issue(user) };
    },
    /** Ends all tokens of a user. */
    async signOutEverywhere({ id }: User): Promise<void> {
      await users.endTokens(id);
    },
    /** Another token for a valid one, which ends a minute later. */
    async renew(user: User, token: AccessToken) {
      await tokens.revokeSoon(token);
      return { user, token: tokens.issue(user) };
    },
    async changeProfile(id: number, changes: ProfileChanges): Promise<User> {
      return existing(id, await users.change(id, changes));
    },
  };
}

/** The refusal of an e-mail address that another account has. */
export function emailTaken(): AppError {
  return new AppError('email_taken', 'There is an account with this e-mail address already.', {
    details: [{ path: '/email', message: 'is taken' }],
  });
}
