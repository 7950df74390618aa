import { type ChangeListener, type Concerns, concerns, createChangeIndex } from './change-index.js';
import type { Change, Changes } from './store.js';

/** A reading of a user's list: what names its content, and what it depends on. */
export interface ListReading {
  readonly tag: string;
  readonly chats: readonly number[];
  /** Whoever is shown by name or picture. */
  readonly people: readonly number[];
}

/** A list as it was read and is still. */
export interface CurrentList {
  readonly tag: string;
  /** Calls `wake` once when something that the list depends on changes, until the returned function is called. */
  onChange(wake: () => void): () => void;
}

/**
 * The most chat lists that are remembered, also those that no request waits for at this moment. As many as requests
 * may wait, which often end and come again together; each is some KB.
 */
export const mostLists = 10_000;

export type Watch = ReturnType<typeof createWatch>;

/** Wakes those who wait for a chat or a list, and nobody else, with one listener to all changes of a storage. */
export function createWatch(changes: Changes) {
  const index = createChangeIndex();
  const log = createChangeLog();
  const lists = new Map<number, WatchedList>();
  const idle = new Set<WatchedList>();
  let readings = 0;
  const stop = changes.on((change) => {
    log.note(change);
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

  /** A list that nobody waits for stays for a while, unless there is a newer one of the same user. */
  function rest(list: WatchedList): void {
    if (lists.get(list.userId) === list) idle.add(list);
    else forget(list);
    const [oldest] = idle;
    if (oldest && lists.size > mostLists) forget(oldest);
  }

  return {
    /** Calls `wake` after every change of a chat, until the returned function is called. */
    onChat(chatId: number, wake: () => void): () => void {
      const listener: ChangeListener = { onChange: wake };
      const concern = { chats: [chatId] };
      index.add(listener, concern);
      return () => index.remove(listener, concern);
    },
    /** The user's list where it has been read and nothing of it has changed since. */
    current(userId: number): CurrentList | undefined {
      const list = lists.get(userId);
      return list && { tag: list.tag, onChange: (wake) => wait(list, wake) };
    },
    /** Has a user's list read, and remembers it unless something of it changes meanwhile. */
    async read<Reading extends ListReading>(
      userId: number,
      read: () => Promise<Reading>,
    ): Promise<Reading> {
      readings += 1;
      const begun = log.begin();
      try {
        const reading = await read();
        const { chats, people } = reading;
        const own = { chats, people, list: userId };
        if (!log.since(begun).some((change) => concerns(change, own))) keep(userId, reading);
        return reading;
      } finally {
        log.end(begun);
      }
    },
    /** How many lists were read so far, and how many are remembered. */
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

/** What becomes of a list when it changes, and when nobody waits for it any more. */
interface Ends {
  forget(list: WatchedList): void;
  rest(list: WatchedList): void;
}

/** Thousands of these are alive at a time, so that they share their functions. */
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

/** The most changes that are kept for reads in progress; a read that misses some is repeated. */
const mostKeptChanges = 10_000;

/** A reading under way: how many changes there had been when it began. */
interface Begun {
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
