import { randomUUID } from 'node:crypto';
import type { AuditKind, AuditLog } from '../base/audit.js';
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
  /** Where what was done is written down before it is answered. */
  readonly audit: Pick<AuditLog, 'add'>;
  /** Who does it: the admin page, or a command. */
  readonly who: 'admin' | 'operator';
  /** Of the operator's scheme, where it is used: texts of accounts that end stay readable. */
  readonly encryptionSecret?: string | undefined;
}

/** Which people: a page of all of them, or of those that `q` finds. */
export interface PeopleQuery extends Page {
  /** A part of the name (letters folded), or a whole e-mail address. */
  readonly q?: string | undefined;
}

/** A code for a new password, as it is passed on; only its hash is kept. */
export interface IssuedResetCode {
  readonly code: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

export type People = ReturnType<typeof createPeople>;

/** What the operator does for people. Each of them: `not_found` where there is no such account (any more). */
export function createPeople(options: PeopleOptions) {
  const { store, clock, audit, who, encryptionSecret } = options;
  const { users } = store;

  function note(kind: AuditKind, id: number): Promise<void> {
    return audit.add({
      id: randomUUID(),
      time: clock.now(),
      kind,
      who,
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
    /** By id. */
    async list({ q, ...page }: PeopleQuery): Promise<readonly User[]> {
      const wanted = q?.trim() ?? '';
      if (wanted === '') return users.list(page);
      const [named, owner] = await Promise.all([
        users.list({ ...page, part: foldText(wanted) }),
        users.findByEmail(wanted),
      ]);
      const isMissing = owner && owner.id > page.after && !named.some(({ id }) => id === owner.id);
      const found = isMissing ? [...named, owner].sort((a, b) => a.id - b.id) : named;
      return found.slice(0, page.limit);
    },
    /** A code with which a new password is set within an hour; one that was made before ends. */
    async issueResetCode(id: number): Promise<IssuedResetCode> {
      const code = makeResetCode();
      const expires = clock.now() + resetCodeLife;
      existing(id, await users.setReset(id, { hash: hashResetCode(code), expires }));
      await note('reset-code', id);
      return { code, expiresAt: new Date(expires).toISOString() };
    },
    /** Ends all tokens of somebody. */
    async signOutEverywhere(id: number): Promise<User> {
      const user = existing(id, await users.endTokens(id));
      await note('sign-out', id);
      return user;
    },
    /** Ends an account; what is left is said in `endAccount` of the store. */
    async end(id: number): Promise<void> {
      const user = await find(id);
      const ended = await store.endAccount(id, endOf(user, clock.now(), encryptionSecret));
      if (!ended) throw noUser(id);
      await note('delete-account', id);
    },
  };
}

/** The user, unless there is none or the account has ended: `not_found`. */
export function existing(id: number, user: User | undefined): User {
  if (!user || user.deleted) throw noUser(id);
  return user;
}

function noUser(id: number): AppError {
  return new AppError('not_found', `There is no user ${id}.`);
}

/** Which users: a page of all, of those whose name has a part, or of those with certain ids. */
interface DirectoryQuery extends Page {
  readonly q?: string | undefined;
  readonly ids?: readonly number[] | undefined;
}

/** What users see of one another. Accounts that have ended are not among them. */
export function createDirectory(users: UserStore) {
  async function among(ids: readonly number[], { after, limit }: Page): Promise<readonly User[]> {
    const wanted = [...new Set(ids)].filter((id) => id > after).sort((a, b) => a - b);
    const found = await Promise.all(wanted.map((id) => users.find(id)));
    return found.flatMap((user) => (user && !user.deleted ? [user] : [])).slice(0, limit);
  }

  return {
    /** By id. */
    async list({ q, ids, ...page }: DirectoryQuery): Promise<readonly User[]> {
      if (ids) return among(ids, page);
      const part = foldText(q ?? '').trim();
      return users.list(part === '' ? page : { ...page, part });
    },
    /** `not_found` where there is no such user. */
    find: async (id: number): Promise<User> => existing(id, await users.find(id)),
  };
}
