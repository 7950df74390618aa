import { createHash } from 'node:crypto';
import { describeDatabaseAddress } from '../../base/database-address.js';
import { AppError } from '../../base/errors.js';
import { connect } from './connect.js';
import type { Database } from './database.js';
import { isDatabaseAway, isPermanent, lacksRights, rightsHint } from './database-errors.js';
import type { Sql, TransactionSql } from './sql.js';

/** A step that creates or changes the database's structure. */
export interface Migration {
  readonly number: number;
  /** `<number>-<words>` */
  readonly name: string;
  readonly sql: string;
}

interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

/** The result of `migrate`. */
export interface MigrationReport {
  readonly applied: readonly string[];
  /** Number of the database's last step. */
  readonly version: number;
}

/** Key of an advisory lock, the same in all versions of msgsite, so that two never migrate concurrently. */
const lockNumber = 7_296_001;
/** The oldest supported version of PostgreSQL. */
const oldestServer = 140_000;

/**
 * Applies the steps that a database lacks. Processes that start concurrently wait for each other. Rejects a database
 * that does not match the steps. An error leaves the database unchanged.
 */
export async function migrate(url: string, steps: readonly Migration[]): Promise<MigrationReport> {
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
      return applyMissing(inside, steps);
    });
  } catch (error) {
    throw startError(error, url);
  } finally {
    await sql.end(1_000);
  }
}

/** Throws `configuration` unless a database has exactly the structure of these steps. Takes no lock. */
export async function assertStructure(
  database: Pick<Database, 'run'>,
  steps: readonly Migration[],
): Promise<void> {
  const done = await database.run('read the structure', readApplied);
  const missing = missingMigrations(steps, done);
  if (missing.length === 0) return;
  throw new AppError(
    'configuration',
    done === undefined
      ? 'The database does not have the structure of msgsite.'
      : `The database was created by an older version of msgsite. It lacks ${missing.map(({ name }) => name).join(', ')}.`,
    { hint: 'Run msgsite data migrate, or start msgsite serve, with the same --database.' },
  );
}

/** Returns the steps that were applied to a database; undefined if it has no schema msgsite. */
async function readApplied(sql: Sql): Promise<AppliedMigration[] | undefined> {
  const [found] = await sql<{ hasSchema: boolean; hasTable: boolean }[]>`
    select to_regnamespace('msgsite') is not null as has_schema,
      to_regclass('msgsite.migrations') is not null as has_table`;
  if (!found?.hasSchema) return undefined;
  if (!found.hasTable) return [];
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
  steps: readonly Migration[],
): Promise<MigrationReport> {
  const done = await readApplied(sql);
  const missing = missingMigrations(steps, done);
  if (done === undefined) {
    await sql`create schema msgsite`;
    await sql`
      create table msgsite.migrations (
        number integer primary key,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`;
  }
  for (const { number, name, sql: text } of missing) {
    await sql.unsafe(text);
    await sql`
      insert into msgsite.migrations (number, name, checksum)
      values (${number}, ${name}, ${checksumOf(text)})`;
  }
  return { applied: missing.map(({ name }) => name), version: steps.at(-1)?.number ?? 0 };
}

/**
 * Returns the steps that a database lacks. `done` is undefined if it has no schema msgsite. Rejects a database that
 * does not match the steps.
 */
export function missingMigrations(
  steps: readonly Migration[],
  done: readonly AppliedMigration[] | undefined,
): readonly Migration[] {
  if (done === undefined) return steps;
  const last = steps.at(-1)?.number ?? 0;
  const newest = done.at(-1);
  if (newest === undefined || done[0]?.name !== steps[0]?.name) {
    throw new AppError(
      'configuration',
      'The database was created by an unreleased version of msgsite. Its structure is not supported.',
      { hint: 'Use another database. This one cannot be converted.' },
    );
  }
  if (newest.number > last) {
    throw new AppError(
      'configuration',
      `The database was changed by a newer version of msgsite (${newest.name}). This version has steps up to ${last}.`,
      { hint: 'Update msgsite, or use another database.' },
    );
  }
  const byNumber = new Map(done.map((step) => [step.number, step]));
  for (const { number, name, sql } of steps) {
    const step = byNumber.get(number);
    if (step && step.checksum !== checksumOf(sql)) {
      throw new AppError(
        'configuration',
        `Step ${name} in the database differs from the same step in this version of msgsite.`,
        { hint: 'Use the release that created the database, or restore it from a backup.' },
      );
    }
  }
  return steps.filter(({ number }) => !byNumber.has(number));
}

export function checksumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Returns the error of a failed start. It is `configuration` (exit code 2) if the database's name or the password is
 * wrong or privileges are missing, and `storage_unavailable` (1) if the database is unavailable. Other errors are
 * returned unchanged.
 */
export function startError(failure: unknown, url: string): unknown {
  const isKnown = failure instanceof AppError && failure.code === 'storage_unavailable';
  const error = isKnown ? failure.cause : failure;
  const isFatal = isPermanent(error);
  if (!isDatabaseAway(error) && !isFatal) return failure;
  const reason = error instanceof Error ? error.message : String(error);
  return new AppError(
    isFatal ? 'configuration' : 'storage_unavailable',
    `The database ${describeDatabaseAddress(url)} cannot be used: ${reason || 'no connection'}.`,
    {
      hint: lacksRights(error)
        ? `${rightsHint}.`
        : 'Check --database (or MSGSITE_DATABASE) and that PostgreSQL is running there.',
      cause: error,
    },
  );
}
