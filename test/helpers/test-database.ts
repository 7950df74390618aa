import { randomBytes } from 'node:crypto';
import { inject, onTestFinished } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { AppError } from '../../src/base/errors.js';
import { silentLog } from '../../src/base/log.js';
import {
  type Database,
  type DatabaseOptions,
  openDatabase,
} from '../../src/storage/postgres/database.js';
import { createDatabase, template } from './postgres-server.js';

export type TestDatabase = Database & { readonly url: string };

/** Creates an empty database, without any structure, on the test run's server. */
export async function createEmptyDatabase(server = inject('postgres')): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await createDatabase(server, name);
  return `${server}/${name}`;
}

/** Creates a database with the program's structure and no content. */
export async function createTestDatabase(): Promise<string> {
  const server = inject('postgres');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await createDatabase(server, name, template);
  return `${server}/${name}`;
}

/** Creates a copy of another database, which must have no connections. */
export async function copyTestDatabase(url: string): Promise<string> {
  const server = inject('postgres');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await createDatabase(server, name, new URL(url).pathname.slice(1));
  return `${server}/${name}`;
}

/** Opens a database with the program's structure. The caller closes it. */
export async function openTestDatabase(
  options: Partial<DatabaseOptions> = {},
): Promise<TestDatabase> {
  const url = options.url ?? (await createTestDatabase());
  const database = openDatabase({ url, log: silentLog(), clock: systemClock, ...options });
  return { ...database, url };
}

/** Opens a database like `openTestDatabase`, and closes it when the test ends. */
export async function useTestDatabase(
  options: Partial<DatabaseOptions> = {},
): Promise<TestDatabase> {
  const database = await openTestDatabase(options);
  onTestFinished(() => database.close());
  return database;
}

/**
 * Empties a database, which is faster than creating another one. It deletes rows because, for the few rows of a test,
 * that is faster than truncating two dozen tables.
 */
export async function emptyTestDatabase(database: Database): Promise<void> {
  await database.transaction('empty', async (sql) => {
    await sql.unsafe(`do $$
      declare name text;
      begin
        -- Ignores foreign keys and triggers, so that the order of the tables does not matter.
        set local session_replication_role = replica;
        for name in select tablename from pg_tables
          where schemaname = 'msgsite' and tablename not in ('migrations', 'site')
        loop execute format('delete from msgsite.%I', name); end loop;
        perform setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
          from pg_sequences where schemaname = 'msgsite' and last_value is not null;
        update msgsite.site set settings = null, shop = null, version = version + 1;
      end $$`);
  });
}

/** Returns a database whose connection breaks after a statement, so that the result is lost. */
export function losingAnswers(database: Database): Database & { lose(...names: string[]): void } {
  const lost: string[] = [];
  return {
    ...database,
    /** Selects statements by name, each of which fails after its next execution. */
    lose: (...names) => void lost.push(...names),
    async run(name, work) {
      const result = await database.run(name, work);
      const index = lost.indexOf(name);
      if (index < 0) return result;
      lost.splice(index, 1);
      throw new AppError('storage_unavailable', 'The result was lost.');
    },
  };
}
