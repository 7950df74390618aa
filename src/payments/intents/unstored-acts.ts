import type { ProviderAnswer } from '../providers/provider.js';
import type { Intent } from './intent.js';

/** Stores what is known of an act; gives the answer of one that made something. May be repeated. */
export type Store = () => Promise<ProviderAnswer | undefined>;

/** An act of which it is known what came of it, and that is not stored. */
export interface UnstoredAct {
  readonly intent: Intent;
  readonly store: Store;
}

export type UnstoredActs = ReturnType<typeof createUnstoredActs>;

/** What is known of acts but could not be stored yet, by intent. */
export function createUnstoredActs() {
  const acts = new Map<string, UnstoredAct>();
  return {
    /** Stores what is known of an act, which is remembered until that succeeds. */
    async store(intent: Intent, store: Store): Promise<ProviderAnswer | undefined> {
      acts.set(intent.id, { intent, store });
      const answer = await store();
      acts.delete(intent.id);
      return answer;
    },
    find: (id: string): UnstoredAct | undefined => acts.get(id),
    all: (): readonly UnstoredAct[] => [...acts.values()],
  };
}
