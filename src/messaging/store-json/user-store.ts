import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTurns } from '../../base/turns.js';
import {
  type CollectionOptions,
  openCollection,
} from '../../storage/json/collection/collection.js';
import { foldText } from '../../words/fold-text.js';
import { emailTaken } from '../accounts.js';
import type { Tell } from '../change-index.js';
import { createIdList } from '../id-list.js';
import type { RevokedTokenRecord, User } from '../model.js';
import { costOf } from '../password-hasher.js';
import { placeholderOf, revokedBefore } from '../records.js';
import type { EndedAccount, PasswordProof, TokenStore, UserPage, UserStore } from '../store.js';
import type { MessagingCollections } from './collections.js';

export interface JsonStoreOptions
  extends Pick<CollectionOptions<object>, 'clock' | 'onFoldFailed' | 'mustExist'> {
  readonly collections: MessagingCollections;
  /** Called with every change that is stored. */
  readonly tell: Tell;
}

export type JsonUserStore = Awaited<ReturnType<typeof openJsonUserStore>>;

/** Users in memory, found by id, by e-mail and by a part of their name. */
export async function openJsonUserStore(options: JsonStoreOptions) {
  const { clock, tell } = options;
  const ids = createIdList();
  const byEmail = new Map<string, number>();
  const ended = new Set<number>();
  const inTurn = createTurns<string>();
  /** How many password hashes begin in the same way; read as costs when somebody asks for these. */
  const beginnings = new Map<string, number>();
  const count = (hash: string, change: 1 | -1) => {
    const beginning = beginningOf(hash);
    beginnings.set(beginning, (beginnings.get(beginning) ?? 0) + change);
  };
  const users = await openCollection<User>({
    ...options,
    ...options.collections.users,
    erases: ({ deleted }, previous) => deleted !== undefined && !previous.deleted,
    onPut({ id, email, passwordHash, deleted }, previous) {
      count(passwordHash, 1);
      if (previous) count(previous.passwordHash, -1);
      if (deleted && !ended.has(id)) {
        ended.add(id);
        if (!previous) return;
        ids.delete(id);
        byEmail.delete(nameOf(previous.email));
      } else if (!previous && !deleted) {
        ids.add(id);
        byEmail.set(nameOf(email), id);
      }
    },
  });
  const search = createNameSearch(ids, (id) => users.get(id));

  /** Changes an account that has not ended. */
  const update = (id: number, change: (user: User) => User | undefined) =>
    users.update(id, (user) => (user.deleted ? undefined : change(user)));

  /** The same, with which all its tokens end. */
  async function endTokens(id: number, change: (user: User) => User | undefined) {
    const changed = await update(id, (user) => {
      const next = change(user);
      return next && { ...next, sessions: nextSession(user) };
    });
    if (changed) tell({ list: id });
    return changed;
  }

  function isProven(user: User, proof: PasswordProof): boolean {
    if ('passwordHash' in proof) return proof.passwordHash === user.passwordHash;
    const { hash, expires = 0 } = user.reset ?? {};
    return proof.resetHash === hash && expires > clock.now();
  }

  const store = {
    create: (fields) =>
      inTurn(nameOf(fields.email), async () => {
        if (byEmail.has(nameOf(fields.email))) throw emailTaken();
        const user: User = { id: users.nextId(), ...fields };
        await users.put(user);
        return user;
      }),
    find: async (id) => users.get(id),
    async findByEmail(email) {
      const id = byEmail.get(nameOf(email));
      return id === undefined ? undefined : users.get(id);
    },
    async change(id, changes) {
      const changed = await update(id, (user) => ({ ...user, ...changes }));
      const isSeen = changes.username !== undefined || changes.avatar !== undefined;
      if (changed && isSeen) tell({ person: id });
      return changed;
    },
    async replaceHash(id, from, to) {
      await update(id, (user) =>
        user.passwordHash === from ? { ...user, passwordHash: to } : undefined,
      );
    },
    async highestCost() {
      const costs = [...beginnings].map(([beginning, count]) =>
        count > 0 ? (costOf(beginning.padEnd(hashLength, '.')) ?? 0) : 0,
      );
      return Math.max(0, ...costs);
    },
    replacePassword: (id, proof, passwordHash) =>
      endTokens(id, (user) => {
        if (!isProven(user, proof)) return undefined;
        const { reset: _, ...kept } = user;
        return { ...kept, passwordHash };
      }),
    endTokens: (id) => endTokens(id, (user) => user),
    setReset: (id, reset) => update(id, (user) => ({ ...user, reset })),
    list: (page) => search(page),
  } satisfies UserStore;

  return {
    ...store,
    /** Puts a placeholder in the place of an account; false where there is none. */
    async end(id: number, deleted: EndedAccount): Promise<boolean> {
      return (await update(id, (user) => placeholderOf(user, deleted))) !== undefined;
    },
    isEnded: (id: number): boolean => ended.has(id),
    /** The accounts that have ended. */
    ended: (): Iterable<number> => ended,
    close: () => users.close(),
  };
}

/** What the tokens are of that are issued once those before have ended. */
function nextSession({ sessions = 0 }: User): number {
  return sessions + 1;
}

/** Kind and cost of a hash. */
function beginningOf(hash: string): string {
  return hash.length === hashLength ? hash.slice(0, 7) : '';
}

/** Characters of a bcrypt hash. */
const hashLength = 60;

/** E-mails are compared without case. */
function nameOf(email: string): string {
  return email.toLowerCase();
}

/** Users that are looked at in one go: a few milliseconds, also where their names are folded first. */
const usersInOneGo = 4000;

/**
 * Gives what pages users by id, all or those whose folded name has a part. Names are folded when they are first
 * searched, so that opening a storage does not wait for it, and again when they have changed.
 */
function createNameSearch(
  ids: ReturnType<typeof createIdList>,
  find: (id: number) => User | undefined,
) {
  /** A user's record is another one after a change. */
  const folded = new WeakMap<User, string>();

  function nameOf(user: User): string {
    const known = folded.get(user);
    if (known !== undefined) return known;
    const name = foldText(user.username);
    folded.set(user, name);
    return name;
  }

  const usersAt = (page: { after: number; limit: number }) =>
    ids.page(page).flatMap((id) => find(id) ?? []);

  /** As they are now: somebody may have changed or gone meanwhile. */
  const present = (users: readonly User[]) =>
    users.flatMap(({ id }) => (ids.has(id) ? (find(id) ?? []) : []));

  return async function list({ part, after, limit }: UserPage): Promise<readonly User[]> {
    if (part === undefined) return usersAt({ after, limit });
    const wanted = foldText(part);
    const found: User[] = [];
    for (let last = after; ; await nextTurn()) {
      const some = usersAt({ after: last, limit: usersInOneGo });
      for (const user of some) {
        if (!nameOf(user).includes(wanted)) continue;
        found.push(user);
        if (found.length === limit) return present(found);
      }
      const end = some.at(-1);
      if (!end) return present(found);
      last = end.id;
    }
  };
}

interface JsonTokenStoreOptions extends Omit<JsonStoreOptions, 'tell'> {
  readonly findUser: UserStore['find'];
}

/** Revoked tokens in memory, until they expire. */
export async function openJsonTokenStore(options: JsonTokenStoreOptions) {
  const { clock, findUser } = options;
  const inTurn = createTurns<string>();
  /** Tokens issued before this time (ms) are all revoked. */
  let notBefore = 0;
  const revoked = await openCollection<RevokedTokenRecord>({
    ...options,
    ...options.collections.revokedTokens,
    isExpired: ({ expires }, now) => expires <= now,
    onPut: (record) => {
      notBefore = Math.max(notBefore, revokedBefore(record));
    },
  });
  /** Not a promise: every request asks. */
  function isRevoked(jti: string, issued: number): boolean {
    const { from = 0 } = revoked.get(jti) ?? { from: Number.POSITIVE_INFINITY };
    return from <= clock.now() || issued < notBefore;
  }
  const store = {
    revoke: (jti, expires, from = 0) =>
      inTurn(jti, async () => {
        const known = revoked.get(jti);
        if (known && (known.from ?? 0) <= from) return;
        await revoked.put({ jti, expires, ...(from === 0 ? {} : { from }) });
      }),
    isRevoked: async (jti, issued) => isRevoked(jti, issued),
    holderOf: async ({ jti, issued, userId }) =>
      isRevoked(jti, issued) ? undefined : findUser(userId),
  } satisfies TokenStore;
  return { ...store, close: () => revoked.close() };
}
