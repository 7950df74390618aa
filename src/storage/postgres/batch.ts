import type { Database } from './database.js';
import type { Sql } from './sql.js';
export interface BatchOptions<Item, Result> {
  /** Does the work of several callers at once; gives a result for each, in their order. */
  run(items: readonly Item[]): Promise<readonly Result[]>;
  /** Most items at once. */
  readonly most: number;
  /** Most batches under way; items that come meanwhile form the next one. */
  readonly concurrency: number;
}

interface BatchItem<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Joins what many callers ask for at the same time into few statements: the first one goes at the end
 * of the event loop's turn, and while batches are under way the next one gathers. Under load the
 * database is asked less often, the more callers there are; alone, a caller waits for nobody.
 */
export function createBatch<Item, Result>(
  options: BatchOptions<Item, Result>,
): (item: Item) => Promise<Result> {
  const { run, most, concurrency } = options;
  const queue: BatchItem<Item, Result>[] = [];
  let underWay = 0;
  let isPlanned = false;

  function plan(): void {
    if (isPlanned || underWay >= concurrency || queue.length === 0) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      void start();
      plan();
    });
  }

  async function start(): Promise<void> {
    const batch = queue.splice(0, most);
    underWay += 1;
    try {
      const results = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve, reject }, index) => {
        // Results may be undefined, but there must be one for each.
        if (index < results.length) resolve(results[index] as Result);
        else reject(new Error('A batch gave too few results.'));
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      underWay -= 1;
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
  /** What is read, for the log. */
  readonly name: string;
  /** The rows of all keys, none of which is there twice, in any order. */
  select(sql: Sql, keys: readonly Key[]): PromiseLike<readonly From[]>;
  /** The key that a row was found by. */
  keyOf(row: NoInfer<From>): Key;
  toValue(row: NoInfer<From>): Value;
  /** Most keys in one statement; 500 by default. */
  readonly most?: number;
}

/** Statements of one kind that are under way at the same time. */
const concurrency = 4;
/** The most keys in one statement. @internal */
const mostKeys = 500;

/** Reads by key, joined into one statement where several callers ask at the same time. */
export function createBatchedRead<Key extends string | number, From extends object, Value>(
  options: ReadOptions<Key, From, Value>,
): (key: Key) => Promise<Value | undefined> {
  const read = createBatchedLists(options);
  return async (key) => (await read(key))[0];
}

/** The same where a key has any number of rows, given in the order in which they were selected. */
export function createBatchedLists<Key extends string | number, From extends object, Value>(
  options: ReadOptions<Key, From, Value>,
): (key: Key) => Promise<readonly Value[]> {
  const { database, name, select, keyOf, toValue } = options;
  return createBatch<Key, readonly Value[]>({
    most: options.most ?? mostKeys,
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
