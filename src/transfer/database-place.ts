import { rm } from 'node:fs/promises';
import type { RecordReader } from '../base/records.js';
import { postgresMessagingRecords } from '../messaging/store-postgres/transfer.js';
import { fillSandbox, readSandbox } from '../payments/store-json/transfer.js';
import { postgresPaymentRecords } from '../payments/store-postgres/transfer.js';
import { postgresSiteRecords } from '../site/store-postgres/transfer.js';
import { connect, type Sql, type TransactionSql } from '../storage/postgres/connect.js';
import { databaseError } from '../storage/postgres/database-errors.js';
import { takeDatabaseAlone } from '../storage/postgres/database-lock.js';
import { markedDatabase, readDatabaseMark } from '../storage/postgres/database-mark.js';
import {
  assertStructure,
  describeAddress,
  migrate,
  startError,
} from '../storage/postgres/migrations.js';
import type { PostgresRecords } from '../storage/postgres/records.js';
import { assertUnmarked } from '../storage/transfer-mark.js';
import { postgresDeliveryRecords } from '../webhooks/store-postgres/transfer.js';
import { assertEmpty } from './assert-empty.js';
import { sandboxIn } from './folder-records.js';
import { loadDatabase } from './load-database.js';
import type { ReadAll, Source, Target } from './place.js';

export interface DatabaseOptions {
  readonly url: string;
  /** Data folder of the processes that work on the database: the sandbox keeps its state there. */
  readonly data: string;
  /** What is done, for those who find the database in use: `msgsite data move`. */
  readonly command: string;
}

function recordsAt(now: number): readonly PostgresRecords[] {
  return [
    ...postgresSiteRecords,
    ...postgresMessagingRecords(now),
    ...postgresPaymentRecords(now),
    ...postgresDeliveryRecords,
  ];
}

/** One connection that lasts: locks end with it. Statements may take as long as there is data. */
function open(url: string, command: string): Sql {
  const applicationName = command;
  return connect({
    url,
    connections: 1,
    statementTimeout: 0,
    applicationName,
    isLasting: true,
  });
}

/** The data of a database. `alone`: nobody works on it while it is open here; else as of one moment. */
export async function openDatabaseSource(
  options: DatabaseOptions & { readonly alone: boolean },
): Promise<Source> {
  const { url, data, command, alone } = options;
  const name = describeAddress(url);
  const sql = open(url, command);
  try {
    await assertStructure({ run: (_, work) => work(sql) });
    if (alone) await takeDatabaseAlone(sql, name);
    const mark = await readDatabaseMark(sql);
    if (mark?.state === 'importing') assertUnmarked(mark, markedDatabase(name));
    return {
      name,
      storage: 'postgres',
      mark,
      secrets: await readFingerprints(sql),
      read: readAllOf(sql, data),
      async markMoved(to) {
        await sql`
          insert into msgsite.transfer (state, place) values ('moved', ${to})
          on conflict (only_row) do update set place = excluded.place, since = excluded.since`;
      },
      close: () => sql.end({ timeout: 1 }),
    };
  } catch (error) {
    await sql.end({ timeout: 1 });
    throw databaseError(startError(error, url));
  }
}

/**
 * An empty database, or one that an import which was cut off has left: that goes on. `from` tells people
 * where the data comes from; `sandbox` is false where the sandbox's state is in its place already.
 */
export async function openDatabaseTarget(
  options: DatabaseOptions & { readonly from: string; readonly sandbox: boolean },
): Promise<Target> {
  const { url, data, command, from, sandbox } = options;
  const name = describeAddress(url);
  await migrate(url);
  const sql = open(url, command);
  const sandboxFolder = sandboxIn(data);
  try {
    const session = await takeDatabaseAlone(sql, name);
    const mark = await readDatabaseMark(sql);
    if (mark?.state === 'moved') assertUnmarked(mark, markedDatabase(name));
    if (!mark) {
      await readAllOf(sql, data)(0, (readers) => {
        const own = sandbox ? readers : readers.filter(({ kind }) => !kind.startsWith('sandbox-'));
        return assertEmpty(name, own);
      });
      await sql`insert into msgsite.transfer (state, place) values ('importing', ${from})`;
      await removeData(sql);
    }
    return {
      name,
      storage: 'postgres',
      async load(stream) {
        await loadDatabase(stream, {
          sql,
          session,
          tables: recordsAt(0),
          files: sandbox ? fillSandbox(sandboxFolder) : [],
        });
      },
      async restart() {
        await removeData(sql);
        await sql`update msgsite.transfer set records = 0, digest = '', place = ${from}`;
        if (sandbox) await rm(sandboxFolder, { recursive: true, force: true });
      },
      read: readAllOf(sql, data),
      async release(secrets) {
        await sql.begin(async (inside) => {
          for (const secret of ['MSGSITE_JWT_SECRET', 'MSGSITE_GATEWAY_KEY']) {
            const fingerprint = secrets[secret];
            if (fingerprint === undefined) continue;
            await inside`
              insert into msgsite.secret_fingerprints (name, fingerprint)
              values (${secret}, ${fingerprint})
              on conflict (name) do update set fingerprint = excluded.fingerprint`;
          }
          await inside`delete from msgsite.transfer`;
        });
        // The planner knows nothing yet of tables that were filled just now.
        await sql`analyze`.catch(() => {});
      },
      close: () => sql.end({ timeout: 1 }),
    };
  } catch (error) {
    await sql.end({ timeout: 1 });
    throw databaseError(error);
  }
}

/** One snapshot, and beside it the sandbox's files. */
function readAllOf(sql: Sql, data: string): ReadAll {
  return async (now, work) => {
    let result: { readonly value: Awaited<ReturnType<typeof work>> } | undefined;
    await sql
      .begin('isolation level repeatable read read only', async (inside) => {
        result = {
          value: await work([...readersOf(inside, now), ...readSandbox(sandboxIn(data))]),
        };
      })
      .catch((error) => {
        throw databaseError(error);
      });
    if (!result) throw new Error('The transaction ended before its work.');
    return result.value;
  };
}

function readersOf(sql: TransactionSql, now: number): RecordReader[] {
  return recordsAt(now).map(({ kind, read }) => ({ kind, read: () => read(sql) }));
}

/** Tables that say something about the database itself. */
const ownTables = ['migrations', 'transfer', 'site', 'secret_fingerprints'];

async function removeData(sql: Sql): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select 'msgsite.' || quote_ident(tablename) as name from pg_tables
    where schemaname = 'msgsite' and tablename <> all(${ownTables}::text[])`;
  await sql.unsafe(`truncate ${tables.map(({ name }) => name)} restart identity cascade`);
  await sql`update msgsite.site set settings = null, version = version + 1`;
}

async function readFingerprints(sql: Sql): Promise<Readonly<Record<string, string>>> {
  const rows = await sql<{ name: string; fingerprint: string }[]>`
    select name, fingerprint from msgsite.secret_fingerprints order by name`;
  return Object.fromEntries(rows.map(({ name, fingerprint }) => [name, fingerprint]));
}
