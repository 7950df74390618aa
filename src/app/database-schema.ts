import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../base/package-files.js';
import type { Migration } from '../storage/postgres/migrations.js';

/**
 * The steps that make the structure of a database, in order, each with its files in the order in which they are executed:
 * a table comes after those that it refers to. A database keeps the checksum of every step, so that a change of the
 * structure adds one step (`0002-…`, of files beside the schemas that they change) and edits none.
 */
const steps: Readonly<Record<string, readonly string[]>> = {
  '0001-baseline': [
    'storage/postgres/schema.sql',
    'site/store-postgres/schema.sql',
    'images/store-postgres/schema.sql',
    'messaging/store-postgres/schema.sql',
    'payments/store-postgres/schema.sql',
    'orders/store-postgres/schema.sql',
    'events/store-postgres/schema.sql',
    'audit/store-postgres/schema.sql',
  ],
};

/** Returns the steps that this program knows, in order. */
export function readDatabaseSchema(): Promise<Migration[]> {
  return Promise.all(
    Object.entries(steps).map(async ([name, files]) => {
      const texts = await Promise.all(files.map(readSql));
      return { number: Number.parseInt(name, 10), name, sql: texts.join('\n') };
    }),
  );
}

/** Reads the copy that the build makes, which is in the same place for sources and bundles. */
function readSql(file: string): Promise<string> {
  return readFile(join(packageFolder, 'dist/src', file), 'utf8');
}
