import { createTurns } from '../../base/turns.js';
import type { Closable } from '../../storage/json/close-parts.js';
import {
  type CollectionOptions,
  openCollection,
} from '../../storage/json/collection/collection.js';
import { emailTaken } from '../accounts.js';
import { createIdList } from '../id-list.js';
import type { User } from '../model.js';
import { costOf } from '../password-work.js';
import type { UserStore } from '../store.js';
import type { MessagingCollections } from './collections.js';

export interface JsonStoreOptions
  extends Pick<CollectionOptions<object>, 'clock' | 'onFoldFailed' | 'mustExist'> {
  readonly collections: MessagingCollections;
}

/** Users in memory, found by id and by e-mail. */
export async function openJsonUserStore(options: JsonStoreOptions): Promise<UserStore & Closable> {
  const ids = createIdList();
  const byEmail = new Map<string, number>();
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
    onPut({ id, email, passwordHash }, previous) {
      count(passwordHash, 1);
      if (previous) return count(previous.passwordHash, -1);
      ids.add(id);
      byEmail.set(nameOf(email), id);
    },
  });
  return {
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
    change: (id, changes) => users.update(id, (user) => ({ ...user, ...changes })),
    async replaceHash(id, from, to) {
      const replace = (user: User) =>
        user.passwordHash === from ? { ...user, passwordHash: to } : user;
      await users.update(id, replace);
    },
    async highestCost() {
      const costs = [...beginnings].map(([beginning, count]) =>
        count > 0 ? (costOf(beginning.padEnd(hashLength, '.')) ?? 0) : 0,
      );
      return Math.max(0, ...costs);
    },
    list: async (page) => ids.page(page).flatMap((id) => users.get(id) ?? []),
    close: () => users.close(),
  };
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
