import type { Change, Changes } from '../store.js';

/** Called with a change that is stored. */
export type Tell = (change: Change) => void;

/** Tells those who listen of changes; only this process makes any in these files. */
export function createChanges(): Changes & { readonly tell: Tell } {
  const listeners = new Set<(change: Change) => void>();
  return {
    on(listener) {
      // The same function may listen twice.
      const own = (change: Change) => listener(change);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    tell(change) {
      for (const listener of listeners) listener(change);
    },
  };
}
