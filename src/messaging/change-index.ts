import type { Change, Changes } from './store.js';

/** Called after a change that concerns it. */
export interface ChangeListener {
  onChange(): void;
}

/** The changes that a listener waits for: of chats and people (by ID), and of one user's list. */
export interface Concerns {
  readonly chats?: readonly number[];
  readonly people?: readonly number[];
  readonly list?: number;
}

/** Most IDs have one listener: a set for each of them would double the memory that waiting takes. */
type Entry = ChangeListener | Set<ChangeListener>;
type Index = Map<number, Entry>;

/** Finds the listeners that a change concerns without asking each of them. */
export function createChangeIndex() {
  const chats: Index = new Map();
  const people: Index = new Map();
  const lists: Index = new Map();

  function forEachConcern(concerns: Concerns, visit: (index: Index, id: number) => void): void {
    for (const id of concerns.chats ?? []) visit(chats, id);
    for (const id of concerns.people ?? []) visit(people, id);
    if (concerns.list !== undefined) visit(lists, concerns.list);
  }

  return {
    add(listener: ChangeListener, concerns: Concerns): void {
      forEachConcern(concerns, (index, id) => addTo(index, id, listener));
    },
    /** Call it with the concerns that the listener was added with. */
    remove(listener: ChangeListener, concerns: Concerns): void {
      forEachConcern(concerns, (index, id) => removeFrom(index, id, listener));
    },
    /** Calls the listeners that a change concerns. They may be added and removed while this runs. */
    call(change: Change): void {
      for (const listener of concerned(change)) listener.onChange();
    },
  };

  /** Returns a copy, because listeners come and go while they are called. */
  function concerned(change: Change): ReadonlySet<ChangeListener> {
    if (change === 'unknown') {
      return new Set(
        [chats, people, lists].flatMap((index) => [...index.values()].flatMap(listOf)),
      );
    }
    if ('chat' in change) return new Set(listOf(chats.get(change.chat)));
    if ('list' in change) return new Set(listOf(lists.get(change.list)));
    return new Set(listOf(people.get(change.person)));
  }
}

/** Returns whether a change is among the concerns. */
export function concerns(change: Change, { chats, people, list }: Concerns): boolean {
  if (change === 'unknown') return true;
  if ('chat' in change) return chats?.includes(change.chat) ?? false;
  if ('list' in change) return change.list === list;
  return people?.includes(change.person) ?? false;
}

function listOf(entry: Entry | undefined): readonly ChangeListener[] {
  if (!entry) return [];
  return entry instanceof Set ? [...entry] : [entry];
}

function addTo(index: Index, id: number, listener: ChangeListener): void {
  const known = index.get(id);
  if (known instanceof Set) known.add(listener);
  else index.set(id, known ? new Set([known, listener]) : listener);
}

function removeFrom(index: Index, id: number, listener: ChangeListener): void {
  const known = index.get(id);
  if (known instanceof Set) {
    known.delete(listener);
    const [last] = known;
    if (known.size === 1 && last) index.set(id, last);
  } else if (known === listener) index.delete(id);
}

/** Called after a change has been stored. */
export type Tell = (change: Change) => void;

/** Creates a list of listeners to changes, and a function that calls all of them. */
export function createChanges(): Changes & { readonly tell: Tell } {
  const listeners = new Set<Tell>();
  return {
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell(change) {
      for (const listener of [...listeners]) listener(change);
    },
  };
}
