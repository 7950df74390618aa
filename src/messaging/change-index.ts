import type { Change, Changes } from './store.js';

/** Is called with a change that concerns it. */
export interface ChangeListener {
  onChange(): void;
}

/** What a listener waits for changes of: ids of chats and people, and whose list. */
export interface Concerns {
  readonly chats?: readonly number[];
  readonly people?: readonly number[];
  readonly list?: number;
}

/** Most ids have one listener or a few; a set for each of them would be half of the memory that waiting takes. */
type Entry = ChangeListener | readonly ChangeListener[] | Set<ChangeListener>;
type Index = Map<number, Entry>;

/** Who is concerned by what, found without asking all of them. */
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
    /** With the concerns that it was added with. */
    remove(listener: ChangeListener, concerns: Concerns): void {
      forEachConcern(concerns, (index, id) => removeFrom(index, id, listener));
    },
    /** Calls those whom a change concerns. They may be removed and added meanwhile. */
    call(change: Change): void {
      for (const listener of concerned(change)) listener.onChange();
    },
  };

  function concerned(change: Change): ReadonlySet<ChangeListener> {
    if (change === 'unknown') {
      return new Set(
        [chats, people, lists].flatMap((index) => [...index.values()].flatMap(listOf)),
      );
    }
    if ('chat' in change) return setOf(chats.get(change.chat));
    if ('list' in change) return setOf(lists.get(change.list));
    return setOf(people.get(change.person));
  }
}

/** Whether a change is one of what is listed here. */
export function concerns(change: Change, { chats, people, list }: Concerns): boolean {
  if (change === 'unknown') return true;
  if ('chat' in change) return chats?.includes(change.chat) ?? false;
  if ('list' in change) return change.list === list;
  return people?.includes(change.person) ?? false;
}

/** Listeners of one id that are kept in a list, which is copied for each that comes and goes. */
const few = 8;

function isList(entry: Entry): entry is readonly ChangeListener[] {
  return Array.isArray(entry);
}

function listOf(entry: Entry | undefined): readonly ChangeListener[] {
  if (!entry) return [];
  if (isList(entry)) return entry;
  return entry instanceof Set ? [...entry] : [entry];
}

const nobody: ReadonlySet<ChangeListener> = new Set();

/** A set of its own: listeners come and go while they are called. */
function setOf(entry: Entry | undefined): ReadonlySet<ChangeListener> {
  return entry ? new Set(listOf(entry)) : nobody;
}

function addTo(index: Index, id: number, listener: ChangeListener): void {
  const there = index.get(id);
  if (there instanceof Set) {
    there.add(listener);
    return;
  }
  // Not spread: what is put together by spreading has room for sixteen more.
  const all = listOf(there).concat(listener);
  if (all.length > few) index.set(id, new Set(all));
  else index.set(id, there ? all : listener);
}

function removeFrom(index: Index, id: number, listener: ChangeListener): void {
  const there = index.get(id);
  if (there instanceof Set) {
    there.delete(listener);
    if (there.size === 0) index.delete(id);
    return;
  }
  const left = listOf(there).filter((each) => each !== listener);
  if (left.length > 1) index.set(id, left);
  else if (left[0]) index.set(id, left[0]);
  else index.delete(id);
}

/** Called with a change that is stored. */
export type Tell = (change: Change) => void;

/** Returns listeners to changes, and a way to call them all. */
export function createChanges(): Changes & { readonly tell: Tell } {
  const listeners = new Set<Tell>();
  return {
    on(listener) {
      // The same function may listen twice.
      const own = (change: Change) => listener(change);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    tell(change) {
      for (const listener of [...listeners]) listener(change);
    },
  };
}
