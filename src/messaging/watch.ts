import { type ChangeListener, type Concerns, concerns, createChangeIndex } from './change-index.js';
import type { Change, Changes } from './store.js';

/** A reading of a user's list: a tag that identifies its content, and the IDs that it depends on. */
export interface ListReading {
  readonly tag: string;
  readonly chats: readonly number[];
  /** People whose name or picture is shown. */
  readonly people: readonly number[];
}

/** A list that has not changed since it was read. */
export interface CurrentList {
  readonly tag: string;
  /** Calls `wake` once after a change to the list, unless the returned function is called first. */
  onChange(wake: () => void): () => void;
}

/**
 * Maximum number of tracked chat lists, including those that no request is waiting for. It equals the maximum number of
 * waiting requests, which often end and return together. Each list takes a few kilobytes.
 */
export const maxLists = 10_000;

/** Maximum number of changes that are recorded during a reading. A list with more changes is not tracked. */
const maxKeptChanges = 10_000;

export type Watch = ReturnType<typeof createWatch>;

/**
 * Creates a watch that wakes requests when a chat or a list changes. It has a single listener for all changes of a
 * storage.
 */
export function createWatch(changes: Changes) {
  const index = createChangeIndex();
  /** The changes since the beginning of each reading in progress. */
  const pending = new Set<Change[]>();
  const lists = new Map<number, WatchedList>();
  const idle = new Set<WatchedList>();
  let readings = 0;
  const stop = changes.on((change) => {
    for (const changed of pending) {
      if (changed.length < maxKeptChanges) changed.push(change);
      else changed.splice(0, changed.length, 'unknown');
    }
    index.call(change);
  });

  function forget(list: WatchedList): void {
    index.remove(list, list.concerns);
    idle.delete(list);
    if (lists.get(list.userId) === list) lists.delete(list.userId);
  }

  function keep(userId: number, { tag, chats, people }: ListReading): void {
    const before = lists.get(userId);
    if (before?.tag === tag) return;
    const list = new WatchedList(userId, tag, { chats, people, list: userId }, { forget, rest });
    index.add(list, list.concerns);
    lists.set(userId, list);
    rest(list);
    if (before && !before.isAwaited) forget(before);
  }

  /** Keeps a list that no request is waiting for, unless the user has a newer list. */
  function rest(list: WatchedList): void {
    if (lists.get(list.userId) === list) idle.add(list);
    else forget(list);
    const [oldest] = idle;
    if (oldest && lists.size > maxLists) forget(oldest);
  }

  return {
    /** Calls `wake` after every change to a chat, until the returned function is called. */
    onChat(chatId: number, wake: () => void): () => void {
      const listener: ChangeListener = { onChange: wake };
      const concern = { chats: [chatId] };
      index.add(listener, concern);
      return () => index.remove(listener, concern);
    },
    /** Returns the user's list if it was read and has not changed since. */
    current(userId: number): CurrentList | undefined {
      const list = lists.get(userId);
      return list && { tag: list.tag, onChange: (wake) => wait(list, wake) };
    },
    /** Reads a user's list, and tracks it unless it changes during the reading. */
    async read<Reading extends ListReading>(
      userId: number,
      read: () => Promise<Reading>,
    ): Promise<Reading> {
      readings += 1;
      const changed: Change[] = [];
      pending.add(changed);
      try {
        const reading = await read();
        const { chats, people } = reading;
        const dependencies = { chats, people, list: userId };
        if (!changed.some((change) => concerns(change, dependencies))) keep(userId, reading);
        return reading;
      } finally {
        pending.delete(changed);
      }
    },
    /** The number of lists that have been read, and the number that are tracked. */
    get counts() {
      return { readings, remembered: lists.size };
    },
    close: stop,
  };

  function wait(list: WatchedList, wake: () => void): () => void {
    idle.delete(list);
    return list.wait(wake);
  }
}

/** Called when a list changes, and when no request is waiting for it any more. */
interface Ends {
  forget(list: WatchedList): void;
  rest(list: WatchedList): void;
}

/** A class, so that thousands of lists share their functions. */
class WatchedList implements ChangeListener {
  readonly userId: number;
  readonly tag: string;
  readonly concerns: Concerns;
  readonly #waiting = new Set<() => void>();
  readonly #ends: Ends;
  #isOver = false;

  constructor(userId: number, tag: string, concerns: Concerns, ends: Ends) {
    this.userId = userId;
    this.tag = tag;
    this.concerns = concerns;
    this.#ends = ends;
  }

  get isAwaited(): boolean {
    return this.#waiting.size > 0;
  }

  onChange(): void {
    this.#isOver = true;
    this.#ends.forget(this);
    for (const wake of [...this.#waiting]) wake();
  }

  wait(wake: () => void): () => void {
    if (this.#isOver) wake();
    this.#waiting.add(wake);
    return () => {
      if (this.#waiting.delete(wake) && !this.isAwaited && !this.#isOver) this.#ends.rest(this);
    };
  }
}
