import { foldText } from '../base/fold-text.js';
import type { User } from './model.js';
import { existing } from './people.js';
import type { Page, UserStore } from './store.js';

/** Which users: a page of all, of those whose name has a part, or of those with certain ids. */
export interface DirectoryQuery extends Page {
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

export type Directory = ReturnType<typeof createDirectory>;
