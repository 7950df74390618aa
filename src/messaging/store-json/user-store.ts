import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTurns } from '../../base/turns.js';
import {
  type CollectionOptions,
  openCollection,
} from '../../storage/json/collection/collection.js';
import { foldText } from '../../words/fold-text.js';
import { emailTaken } from '../accounts.js';
import type { Notify } from '../change-index.js';
import { createIdList } from '../id-list.js';
import type { RevokedTokenRecord, User } from '../model.js';
import { costOf } from '../password-hasher.js';
import { placeholderOf, revokedBefore } from '../records.js';
import type { EndedAccount, PasswordProof, TokenStore, UserPage, UserStore } from '../store.js';
import type { MessagingCollections } from './collections.js';

export interface JsonStoreOptions
  extends Pick<CollectionOptions<object>, 'clock' | 'onFoldFailed' | 'mustExist'> {
  readonly collections: MessagingCollections;
  /** Called after every stored change. */
  readonly notify: Notify;
}

export type JsonUserStore = Awaited<ReturnType<typeof openJsonUserStore>>;

/** Opens the store of users. All users are kept in memory and found by ID, e-mail address or part of their name. */
export async function openJsonUserStore(options: JsonStoreOptions) {
  const { clock, notify } = options;
  const ids = createIdList();
  const byEmail = new Map<string, number>();
  const ended = new Set<number>();
  const inTurn = createTurns<string>();
  /** The number of password hashes by cost. */
  const costs = new Map<number, number>();
  const count = (hash: string, change: 1 | -1) => {
    const cost = costOf(hash) ?? 0;
    costs.set(cost, (costs.get(cost) ?? 0) + change);
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

  /** Changes an account unless it is deleted. */
  const update = (id: number, change: (user: User) => User | undefined) =>
    users.update(id, (user) => (user.deleted ? undefined : change(user)));

  /** Changes an account, and revokes all its tokens. */
  async function endTokens(id: number, change: (user: User) => User | undefined) {
    const changed = await update(id, (user) => {
      const next = change(user);
      return next && { ...next, sessions: (user.sessions ?? 0) + 1 };
    });
    if (changed) notify({ list: id });
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
      if (changed && isSeen) notify({ person: id });
      return changed;
    },
    async replaceHash(id, from, to) {
      await update(id, (user) =>
        user.passwordHash === from ? { ...user, passwordHash: to } : undefined,
      );
    },
    maxCost: async () =>
      Math.max(0, ...[...costs].flatMap(([cost, number]) => (number > 0 ? cost : []))),
    replacePassword: (id, proof, passwordHash) =>
      endTokens(id, (user) => {
        if (!isProven(user, proof)) return undefined;
        const { reset: _, ...kept } = user;
        return { ...kept, passwordHash };
      }),
    endTokens: (id) => endTokens(id, (user) => user),
    setReset: (id, reset) => update(id, (user) => ({ ...user, reset })),
    list: createNameSearch(ids, (id) => users.get(id)),
  } satisfies UserStore;

  return {
    ...store,
    /** Replaces an account with a placeholder. Returns false for an unknown account. */
    async end(id: number, deleted: EndedAccount): Promise<boolean> {
      return (await update(id, (user) => placeholderOf(user, deleted))) !== undefined;
    },
    isEnded: (id: number): boolean => ended.has(id),
    /** Returns the deleted accounts. */
    ended: (): Iterable<number> => ended,
    close: () => users.close(),
  };
}

/** Returns a key for comparing e-mail addresses, which ignores case. */
function nameOf(email: string): string {
  return email.toLowerCase();
}

/**
 * Number of users whose names are compared before other work runs. It takes a few milliseconds, even if names are
 * folded.
 */
const usersPerTurn = 4000;

/**
 * Returns a function that pages users by ID: all of them, or those whose folded name contains a text. Names are folded
 * in the first search, so that this does not delay opening a storage.
 */
function createNameSearch(
  ids: ReturnType<typeof createIdList>,
  find: (id: number) => User | undefined,
) {
  /** Folded names by record. Every change to a user creates a new record. */
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

  /** Returns the current records, without accounts that were deleted in the meantime. */
  const present = (users: readonly User[]) =>
    users.flatMap(({ id }) => (ids.has(id) ? (find(id) ?? []) : []));

  return async function list({ part, after, limit }: UserPage): Promise<readonly User[]> {
    if (part === undefined) return usersAt({ after, limit });
    const search = foldText(part);
    const found: User[] = [];
    for (let last = after; ; await nextTurn()) {
      const some = usersAt({ after: last, limit: usersPerTurn });
      for (const user of some) {
        if (!nameOf(user).includes(search)) continue;
        found.push(user);
        if (found.length === limit) return present(found);
      }
      const end = some.at(-1);
      if (!end) return present(found);
      last = end.id;
    }
  };
}

interface JsonTokenStoreOptions extends Omit<JsonStoreOptions, 'notify'> {
  readonly findUser: UserStore['find'];
}

/** Opens the store of revoked tokens. They are kept in memory until they expire. */
export async function openJsonTokenStore(options: JsonTokenStoreOptions) {
  const { clock, findUser } = options;
  const inTurn = createTurns<string>();
  /** All tokens issued before this time (milliseconds) are revoked. */
  let notBefore = 0;
  const revoked = await openCollection<RevokedTokenRecord>({
    ...options,
    ...options.collections.revokedTokens,
    isExpired: ({ expires }, now) => expires <= now,
    onPut: (record) => {
      notBefore = Math.max(notBefore, revokedBefore(record));
    },
  });
  const store = {
    revoke: (jti, expires, from = 0) =>
      inTurn(jti, async () => {
        const known = revoked.get(jti);
        if (known && (known.from ?? 0) <= from) return;
        await revoked.put({ jti, expires, ...(from === 0 ? {} : { from }) });
      }),
    async holderOf({ jti, issued, userId }) {
      const { from = 0 } = revoked.get(jti) ?? { from: Number.POSITIVE_INFINITY };
      return from <= clock.now() || issued < notBefore ? undefined : findUser(userId);
    },
  } satisfies TokenStore;
  return { ...store, close: () => revoked.close() };
}
