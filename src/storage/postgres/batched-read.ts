import { createBatch } from './batch.js';
import type { Database } from './database.js';
import type { Sql } from './sql.js';

interface ReadOptions<Key, From extends object, Value> {
  readonly database: Database;
  /** What is read, for the log. */
  readonly name: string;
  /** The rows of all keys, none of which is there twice, in any order. */
  select(sql: Sql, keys: readonly Key[]): PromiseLike<readonly From[]>;
  /** The key that a row was found by. */
  keyOf(row: From): Key;
  toValue(row: From): Value;
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
