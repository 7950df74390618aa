import type { Change } from './store.js';

/** The most changes that are kept for reads in progress; a read that misses some is repeated. */
const mostKeptChanges = 10_000;

/** A reading under way: how many changes there had been when it began. */
export interface Begun {
  readonly at: number;
}

/** What has changed since readings began that are still under way. */
export function createChangeLog() {
  /** In the order in which they began. */
  const underWay = new Set<Begun>();
  let changes: Change[] = [];
  /** How many changes there were before the first one that is kept. */
  let dropped = 0;

  return {
    begin(): Begun {
      const begun = { at: dropped + changes.length };
      underWay.add(begun);
      return begun;
    },
    note(change: Change): void {
      if (underWay.size === 0) return;
      changes.push(change);
      if (changes.length <= mostKeptChanges) return;
      dropped += changes.length;
      changes = [];
    },
    since({ at }: Begun): readonly Change[] {
      return at < dropped ? ['unknown'] : changes.slice(at - dropped);
    },
    /** To be called at the end of each reading, however it ends. */
    end(begun: Begun): void {
      underWay.delete(begun);
      const [first] = underWay;
      const needless = first ? first.at - dropped : changes.length;
      if (needless <= 0) return;
      changes = changes.slice(needless);
      dropped += needless;
    },
  };
}
