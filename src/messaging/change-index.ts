import type { Change, Changes } from './store.js';

/** Receives the changes that concern it. */
export interface ChangeListener {
  onChange(): void;
}

/** The IDs that a listener follows: chats, people, and the user whose chat list it follows. */
export interface Concerns {
  readonly chats?: readonly number[];
  readonly people?: readonly number[];
  readonly list?: number;
}

/** Most IDs have only one listener. A set for each ID would double the memory of waiting requests. */
type Entry = ChangeListener | Set<ChangeListener>;
type Index = Map<number, Entry>;

/** Creates an index that finds the listeners of a change without checking all of them. */
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
    /** Removes a listener. `concerns` must be those that it was added with. */
    remove(listener: ChangeListener, concerns: Concerns): void {
      forEachConcern(concerns, (index, id) => removeFrom(index, id, listener));
    },
    /** Calls the listeners of a change. They may add and remove listeners. */
    call(change: Change): void {
      for (const listener of concerned(change)) listener.onChange();
    },
  };

  /** Returns a copy, because the listeners may change the index. */
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

/** Returns whether a change affects any of the IDs. */
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
export type Notify = (change: Change) => void;

/** Creates a set of change listeners, and a function that calls all of them. */
export function createChanges(): Changes & { readonly notify: Notify } {
  const listeners = new Set<Notify>();
  return {
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify(change) {
      for (const listener of [...listeners]) listener(change);
    },
  };
}
