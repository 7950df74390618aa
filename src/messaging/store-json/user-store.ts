import type { Clock } from '../../clock.js';
import { openCollection } from '../../storage/json/collection.js';
import type { FileLayer } from '../../storage/json/file-layer.js';
import { emailTaken } from '../accounts.js';
import type { User } from '../model.js';
import type { UserStore } from '../store.js';
import { createIdList } from './id-list.js';

export interface JsonStoreOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly files: FileLayer;
  onFoldFailed?(error: unknown): void;
}

/** Users in memory, found by id and by e-mail. */
export async function openJsonUserStore(
  options: JsonStoreOptions,
): Promise<UserStore & { close(): Promise<void> }> {
  const ids = createIdList();
  const byEmail = new Map<string, number>();
  /** E-mails of registrations that are on their way to the disk. */
  const reserved = new Set<string>();
  const users = await openCollection<User>({
    ...options,
    name: 'users',
    keyOf: ({ id }) => id,
    onPut({ id, email }, previous) {
      if (previous) return;
      ids.add(id);
      byEmail.set(nameOf(email), id);
    },
  });
  let lastId = ids.last();
  return {
    async create(fields) {
      const name = nameOf(fields.email);
      if (byEmail.has(name) || reserved.has(name)) throw emailTaken();
      reserved.add(name);
      try {
        lastId += 1;
        const user: User = { id: lastId, ...fields };
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
    list: async (page) => ids.page(page).flatMap((id) => users.get(id) ?? []),
    close: () => users.close(),
  };
}

/** E-mails are compared without case. */
function nameOf(email: string): string {
  return email.toLowerCase();
}
