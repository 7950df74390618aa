import type { Database } from './database.js';
import type { Sql } from './sql.js';
export interface BatchOptions<Item, Result> {
  /** Processes the items of several callers together. Returns a result for each item, in the same order. */
  run(items: readonly Item[]): Promise<readonly Result[]>;
  /** Maximum number of items in a batch. */
  readonly most: number;
  /** Maximum number of concurrent batches. Items that arrive in the meantime form the next batch. */
  readonly concurrency: number;
}

interface BatchItem<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Returns a function that combines simultaneous requests of many callers into few statements. The first batch starts at
 * the end of the event loop's turn. While the maximum number of batches is running, further items are collected for the
 * next one. A single caller never waits for others.
 */
export function createBatch<Item, Result>(
  options: BatchOptions<Item, Result>,
): (item: Item) => Promise<Result> {
  const { run, most, concurrency } = options;
  const queue: BatchItem<Item, Result>[] = [];
  let running = 0;
  let isPlanned = false;

  function plan(): void {
    if (isPlanned || running >= concurrency || queue.length === 0) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      void start();
      plan();
    });
  }

  async function start(): Promise<void> {
    const batch = queue.splice(0, most);
    running += 1;
    try {
      const results = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve, reject }, index) => {
        // A result may be undefined, but each item must have one.
        if (index < results.length) resolve(results[index] as Result);
        else reject(new Error('A batch returned too few results.'));
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      running -= 1;
      plan();
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      plan();
    });
}

interface ReadOptions<Key, From extends object, Value> {
  readonly database: Database;
  /** Name of the statement in the log. */
  readonly name: string;
  /** Selects the rows of distinct keys, in any order. */
  select(sql: Sql, keys: readonly Key[]): PromiseLike<readonly From[]>;
  /** Returns the key that a row was found by. */
  keyOf(row: NoInfer<From>): Key;
  toValue(row: NoInfer<From>): Value;
  /** Maximum number of keys in one statement; 500 by default. */
  readonly most?: number;
}

/** Maximum number of concurrent statements of one kind. */
const concurrency = 4;
/** Maximum number of keys in one statement. @internal */
const maxKeys = 500;

/** Returns a function that reads by key and combines simultaneous reads into one statement. */
export function createBatchedRead<Key extends string | number, From extends object, Value>(
  options: ReadOptions<Key, From, Value>,
): (key: Key) => Promise<Value | undefined> {
  const read = createBatchedLists(options);
  return async (key) => (await read(key))[0];
}

/** Returns the same function for keys with any number of rows. The rows of a key are in the selected order. */
export function createBatchedLists<Key extends string | number, From extends object, Value>(
  options: ReadOptions<Key, From, Value>,
): (key: Key) => Promise<readonly Value[]> {
  const { database, name, select, keyOf, toValue } = options;
  return createBatch<Key, readonly Value[]>({
    most: options.most ?? maxKeys,
    concurrency,
    async run(keys) {
      const rows = await database.run(name, async (sql) => select(sql, [...new Set(keys)]));
      const found = new Map<Key, Value[]>();
      for (const row of rows) {
        const values = found.get(keyOf(row));
        if (values) values.push(toValue(row));
        else found.set(keyOf(row), [toValue(row)]);
      }
      return keys.map((key) => found.get(key) ?? []);
    },
  });
}
