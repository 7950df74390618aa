import { randomUUID } from 'node:crypto';
import type { Actor, AuditKind, AuditLog } from '../base/audit.js';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import { foldText } from '../words/fold-text.js';
import { endOf } from './cipher.js';
import type { User } from './model.js';
import { hashResetCode, makeResetCode, resetCodeLife } from './passwords.js';
import type { MessagingStore, Page, UserStore } from './store.js';

export interface PeopleOptions {
  readonly store: Pick<MessagingStore, 'users' | 'endAccount'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Records each action before the response is sent. */
  readonly audit: Pick<AuditLog, 'add'>;
  /** The operator's encryption secret, if it is set. With it, texts of deleted accounts remain readable. */
  readonly encryptionSecret?: string | undefined;
}

/** Selects a page of all people, or of those who match `q`. */
export interface PeopleQuery extends Page {
  /** Part of the name (compared after folding), or a whole e-mail address. */
  readonly q?: string | undefined;
}

/** A reset code to pass on to its user. Only its hash is stored. */
export interface IssuedResetCode {
  readonly code: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

export type People = ReturnType<typeof createPeople>;

/** Manages accounts for the operator. Each method throws `not_found` for an unknown or deleted account. */
export function createPeople(options: PeopleOptions) {
  const { store, clock, audit, encryptionSecret } = options;
  const { users } = store;

  function record(kind: AuditKind, who: Actor, id: number): Promise<void> {
    return audit.add({
      id: randomUUID(),
      time: clock.now(),
      kind,
      who: who.name,
      amount: null,
      ids: { user: String(id) },
      outcome: 'success',
    });
  }

  async function find(id: number): Promise<User> {
    return existing(id, await users.find(id));
  }

  return {
    find,
    /** Returns a page of accounts in ascending order of IDs. */
    async list({ q, ...page }: PeopleQuery): Promise<readonly User[]> {
      const search = q?.trim() ?? '';
      if (search === '') return users.list(page);
      const [named, owner] = await Promise.all([
        users.list({ ...page, part: foldText(search) }),
        users.findByEmail(search),
      ]);
      const isMissing = owner && owner.id > page.after && !named.some(({ id }) => id === owner.id);
      const found = isMissing ? [...named, owner].sort((a, b) => a.id - b.id) : named;
      return found.slice(0, page.limit);
    },
    /** Issues a reset code that is valid for one hour. It replaces any earlier code. */
    async issueResetCode(who: Actor, id: number): Promise<IssuedResetCode> {
      const code = makeResetCode();
      const expires = clock.now() + resetCodeLife;
      existing(id, await users.setReset(id, { hash: hashResetCode(code), expires }));
      await record('reset-code', who, id);
      return { code, expiresAt: new Date(expires).toISOString() };
    },
    /** Revokes all of a user's tokens. */
    async signOutEverywhere(who: Actor, id: number): Promise<User> {
      const user = existing(id, await users.endTokens(id));
      await record('sign-out', who, id);
      return user;
    },
    /** Deletes an account. The store's `endAccount` describes what remains. */
    async end(who: Actor, id: number): Promise<void> {
      const user = await find(id);
      const ended = await store.endAccount(id, endOf(user, clock.now(), encryptionSecret));
      if (!ended) throw noUser(id);
      await record('delete-account', who, id);
    },
  };
}

/** Returns the user. Throws `not_found` if the user is unknown or the account is deleted. */
export function existing(id: number, user: User | undefined): User {
  if (!user || user.deleted) throw noUser(id);
  return user;
}

export function noUser(id: number): AppError {
  return new AppError('not_found', `There is no user with ID ${id}.`);
}

/** Selects a page of all users, of those whose name contains `q`, or of those with the given IDs. */
interface DirectoryQuery extends Page {
  readonly q?: string | undefined;
  readonly ids?: readonly number[] | undefined;
}

/** Lists and finds users for other users. Omits deleted accounts. */
export function createDirectory(users: UserStore) {
  async function among(ids: readonly number[], { after, limit }: Page): Promise<readonly User[]> {
    const listed = [...new Set(ids)].filter((id) => id > after).sort((a, b) => a - b);
    const found = await Promise.all(listed.map((id) => users.find(id)));
    return found.flatMap((user) => (user && !user.deleted ? [user] : [])).slice(0, limit);
  }

  return {
    /** Returns a page of users in ascending order of IDs. */
    async list({ q, ids, ...page }: DirectoryQuery): Promise<readonly User[]> {
      if (ids) return among(ids, page);
      return users.list({ ...page, part: foldText(q ?? '').trim() || undefined });
    },
    /** Throws `not_found` for an unknown or deleted user. */
    find: async (id: number): Promise<User> => existing(id, await users.find(id)),
  };
}
