import { type CollectionOptions, openCollection } from '../../storage/json/collection.js';
import { emailTaken } from '../accounts.js';
import type { User } from '../model.js';
import { costOf } from '../password-work.js';
import type { UserStore } from '../store.js';
import type { MessagingCollections } from './collections.js';
import { createIdList } from './id-list.js';

export interface JsonStoreOptions
  extends Pick<CollectionOptions<object>, 'clock' | 'onFoldFailed' | 'mustExist'> {
  readonly collections: MessagingCollections;
}

/** Users in memory, found by id and by e-mail. */
export async function openJsonUserStore(
  options: JsonStoreOptions,
): Promise<UserStore & { close(): Promise<void> }> {
  const ids = createIdList();
  const byEmail = new Map<string, number>();
  /** E-mails of registrations that are on their way to the disk. */
  const reserved = new Set<string>();
  const costs = createCostCount();
  const users = await openCollection<User>({
    ...options,
    ...options.collections.users,
    onPut({ id, email, passwordHash }, previous) {
      costs.put(passwordHash, previous?.passwordHash);
      if (previous) return;
      ids.add(id);
      byEmail.set(nameOf(email), id);
    },
  });
  return {
    async create(fields) {
      const name = nameOf(fields.email);
      if (byEmail.has(name) || reserved.has(name)) throw emailTaken();
      reserved.add(name);
      try {
        const user: User = { id: users.nextId(), ...fields };
        await users.put(user);
        return user;
      } finally {
        reserved.delete(name);
      }
    },
    find: async (id) => users.get(id),
    async findByEmail(email) {
      const id = byEmail.get(nameOf(email));
      return id === undefined ? undefined : users.get(id);
    },
    change: (id, changes) => users.update(id, (user) => ({ ...user, ...changes })),
    async replaceHash(id, from, to) {
      const replace = (user: User) =>
        user.passwordHash === from ? { ...user, passwordHash: to } : user;
      await users.update(id, replace);
    },
    highestCost: async () => costs.highest(),
    list: async (page) => ids.page(page).flatMap((id) => users.get(id) ?? []),
    close: () => users.close(),
  };
}

/** E-mails are compared without case. */
function nameOf(email: string): string {
  return email.toLowerCase();
}

/** How many password hashes there are of each cost. */
function createCostCount() {
  const counts = new Map<number, number>();
  const add = (hash: string, change: number) => {
    const cost = costOf(hash);
    if (cost !== undefined) counts.set(cost, (counts.get(cost) ?? 0) + change);
  };
  return {
    /** A user's hash, and the one that it takes the place of. */
    put(hash: string, previous: string | undefined): void {
      if (hash === previous) return;
      add(hash, 1);
      if (previous !== undefined) add(previous, -1);
    },
    highest: () => Math.max(0, ...[...counts].flatMap(([cost, count]) => (count > 0 ? cost : []))),
  };
}
