import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../base/package-files.js';
import type { Migration } from '../storage/postgres/migrations.js';

/**
 * The migration steps that create the structure of a database, in order. The files of a step are executed in order, and
 * a table follows the tables to which it refers. A database stores the checksum of every step. To change the structure,
 * add a step (`0002-…`, with files next to the schemas that they change), and never edit an existing one.
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
  '0002-order-items': ['orders/store-postgres/0002-items.sql'],
};

/** Returns the migration steps of this version, in order. */
export function readDatabaseSchema(): Promise<Migration[]> {
  return Promise.all(
    Object.entries(steps).map(async ([name, files]) => {
      const texts = await Promise.all(files.map(readSql));
      return { number: Number.parseInt(name, 10), name, sql: texts.join('\n') };
    }),
  );
}

/** Reads the copy that the build creates. Its path is the same for sources and bundles. */
function readSql(file: string): Promise<string> {
  return readFile(join(packageFolder, 'dist/src', file), 'utf8');
}
