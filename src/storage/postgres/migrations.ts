import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { describeDatabaseAddress } from '../../base/database-address.js';
import { AppError } from '../../base/errors.js';
import { packageFolder } from '../../base/package-files.js';
import { type AnySql, connect, type TransactionSql } from './connect.js';
import type { Database } from './database.js';
import { isDatabaseAway, isRefusedForGood, lacksRights, rightsHint } from './database-errors.js';

/** One step of the database's structure: the file `migrations/<number>-<name>.sql`. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

/** What `migrate` found and did. */
export interface MigrationReport {
  readonly applied: readonly string[];
  /** Number of the last step the database has now. */
  readonly version: number;
}

/** The steps that this program knows, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const folder = migrationsFolder();
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => {
      const name = file.replace(/\.sql$/, '');
      const sql = await readFile(new URL(file, folder), 'utf8');
      return { number: Number.parseInt(name, 10), name, sql };
    }),
  );
}

/** Beside this file, or where the build puts them when this file has become part of a bundle. */
function migrationsFolder(): URL {
  const beside = new URL('./migrations/', import.meta.url);
  if (existsSync(beside)) return beside;
  return new URL('dist/src/storage/postgres/migrations/', pathToFileURL(packageFolder));
}

/** Any number; the same in every version of the program, so that two never migrate at once. */
const lockNumber = 7_296_001;
/** The oldest PostgreSQL that the statements are written for. */
const oldestServer = 140_000;

/**
 * Brings the database to the structure that this program works with. Processes that start together
 * wait for each other. A database that a newer program has changed is refused, one whose steps were
 * edited afterwards too; an error leaves it as it was.
 */
export async function migrate(url: string): Promise<MigrationReport> {
  const known = await readMigrations();
  const sql = connect({
    url,
    connections: 1,
    statementTimeout: 0,
    applicationName: 'msgsite migrate',
  });
  try {
    return await sql.begin(async (inside) => {
      await inside`select pg_advisory_xact_lock(${lockNumber})`;
      await assertUsable(inside);
      return applyMissing(inside, known);
    });
  } catch (error) {
    throw startError(error, url);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/**
 * Refuses a database that does not have exactly the structure that this program works with; changes
 * nothing and waits for nobody.
 */
export async function assertStructure(database: Pick<Database, 'run'>): Promise<void> {
  const [known, done] = await Promise.all([
    readMigrations(),
    database.run('read the structure', readApplied),
  ]);
  const missing = missingMigrations(known, done);
  if (missing.length === 0) return;
  throw new AppError(
    'configuration',
    done.length === 0
      ? 'The database does not have the structure of msgsite.'
      : `The database was made by an older msgsite: it lacks ${missing.map(({ name }) => name).join(', ')}.`,
    { hint: 'Run msgsite data migrate, or start msgsite serve, with the same --database.' },
  );
}

/** The steps a database has had; none where it is not ours yet. */
async function readApplied(sql: AnySql): Promise<AppliedMigration[]> {
  const [table] = await sql<{ isThere: boolean }[]>`
    select to_regclass('msgsite.migrations') is not null as is_there`;
  if (!table?.isThere) return [];
  return sql<AppliedMigration[]>`
    select number, name, checksum from msgsite.migrations order by number`;
}

async function assertUsable(sql: TransactionSql): Promise<void> {
  const [server] = await sql<{ version: number; encoding: string }[]>`
    select current_setting('server_version_num')::int as version,
      current_setting('server_encoding') as encoding`;
  if (server && server.version >= oldestServer && server.encoding === 'UTF8') return;
  throw new AppError(
    'configuration',
    `The database must be PostgreSQL 14 or newer with the encoding UTF8 (it is ${server?.version}, ${server?.encoding}).`,
    { hint: 'Create it with: createdb --encoding UTF8 --template template0 NAME' },
  );
}

async function applyMissing(
  sql: TransactionSql,
  known: readonly Migration[],
): Promise<MigrationReport> {
  await sql`create schema if not exists msgsite`;
  await sql`
    create table if not exists msgsite.migrations (
      number integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`;
  const missing = missingMigrations(known, await readApplied(sql));
  for (const { number, name, sql: text } of missing) {
    await sql.unsafe(text);
    await sql`
      insert into msgsite.migrations (number, name, checksum)
      values (${number}, ${name}, ${checksumOf(text)})`;
  }
  return { applied: missing.map(({ name }) => name), version: known.at(-1)?.number ?? 0 };
}

/** The steps to take from what was done; refuses a database that does not fit the program. */
export function missingMigrations(
  known: readonly Migration[],
  done: readonly AppliedMigration[],
): readonly Migration[] {
  const newest = done.at(-1);
  const last = known.at(-1)?.number ?? 0;
  if (newest && newest.number > last) {
    throw new AppError(
      'configuration',
      `The database was changed by a newer msgsite (${newest.name}); this one knows steps up to ${last}.`,
      { hint: 'Update this msgsite, or use another database.' },
    );
  }
  const byNumber = new Map(done.map((step) => [step.number, step]));
  for (const { number, name, sql } of known) {
    const step = byNumber.get(number);
    if (step && step.checksum !== checksumOf(sql)) {
      throw new AppError(
        'configuration',
        `Step ${name} was applied to the database with other statements than this msgsite has.`,
        { hint: 'Use the release that made the database, or restore it from a backup.' },
      );
    }
  }
  return known.filter(({ number }) => !byNumber.has(number));
}

export function checksumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Why work on a database cannot be begun: `configuration` (exit code 2) where its name or the password is
 * wrong or rights are missing, `storage_unavailable` (1) where it is away. Other errors are given back unchanged.
 */
export function startError(failure: unknown, url: string): unknown {
  const isKnown = failure instanceof AppError && failure.code === 'storage_unavailable';
  const error = isKnown ? failure.cause : failure;
  const isForGood = isRefusedForGood(error);
  if (!isDatabaseAway(error) && !isForGood) return failure;
  const reason = error instanceof Error ? error.message : String(error);
  return new AppError(
    isForGood ? 'configuration' : 'storage_unavailable',
    `The database ${describeDatabaseAddress(url)} cannot be used: ${reason || 'no connection'}.`,
    {
      hint: lacksRights(error)
        ? `${rightsHint}.`
        : 'Check --database (or MSGSITE_DATABASE) and that PostgreSQL runs there.',
      cause: error,
    },
  );
}
