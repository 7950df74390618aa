import { setImmediate as nextTurn } from 'node:timers/promises';
import { foldText } from '../../base/fold-text.js';
import type { createIdList } from '../id-list.js';
import type { User } from '../model.js';
import type { UserPage } from '../store.js';

/** Users that are looked at in one go: a few milliseconds, also where their names are folded first. */
const usersInOneGo = 4000;

/**
 * Gives what pages users by id, all or those whose folded name has a part. Names are folded when they are first
 * searched, so that opening a storage does not wait for it, and again when they have changed.
 */
export function createNameSearch(
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
