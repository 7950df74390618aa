import type { Row } from 'postgres';
import { createBatch } from './batch.js';
import type { Sql } from './connect.js';
import type { Database } from './database.js';

interface BatchedReadOptions<Key, From extends Row, Value> {
  readonly database: Database;
  /** What is read, for the log. */
  readonly name: string;
  /** The rows of all keys, none of which is there twice, in any order. */
  select(sql: Sql, keys: readonly Key[]): PromiseLike<readonly From[]>;
  /** The key that a row was found by. */
  keyOf(row: From): Key;
  toValue(row: From): Value;
}

/** Reads by key, joined into one statement where several callers ask at the same time. */
export function createBatchedRead<Key extends string | number, From extends Row, Value>(
  options: BatchedReadOptions<Key, From, Value>,
): (key: Key) => Promise<Value | undefined> {
  const { database, name, select, keyOf, toValue } = options;
  return createBatch<Key, Value | undefined>({
    most: 500,
    concurrency: 4,
    async run(keys) {
      const rows = await database.run(name, async (sql) => select(sql, [...new Set(keys)]));
      const found = new Map(rows.map((row) => [keyOf(row), toValue(row)]));
      return keys.map((key) => found.get(key));
    },
  });
}
