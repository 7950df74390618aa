import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../base/package-files.js';
import type { Migration } from '../storage/postgres/migrations.js';

/**
 * The steps that create the structure of a database, in order. The files of a step are executed in order; a table comes
 * after those that it refers to. A database stores the checksum of every step, so a change of the structure adds a step
 * (`0002-…`, with files next to the schemas that they change) and never edits one.
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

/** Reads the copy made by the build, which sources and bundles find at the same path. */
function readSql(file: string): Promise<string> {
  return readFile(join(packageFolder, 'dist/src', file), 'utf8');
}
