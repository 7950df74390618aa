import { randomUUID } from 'node:crypto';
import type { Act } from '#validators/audit';
import type { ActUnderWay, AuditLine, PendingAct } from '../../base/audit.js';
import { AppError } from '../../base/errors.js';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/database.js';
import {
  createRecordTable,
  type PostgresRecords,
  tableRecords,
} from '../../storage/postgres/record-table.js';
import { json, type Sql, valuesOf } from '../../storage/postgres/sql.js';
import { pagesOf } from '../../storage/postgres/sweep.js';
import type { Worker } from '../../storage/postgres/worker.js';
import type { AuditQuery, AuditStore } from '../store.js';

/** Number of entries that one statement reads. */
const batch = 1_000;

interface LineRow {
  readonly record: AuditLine;
}

/**
 * Stores the audit log in the tables `audit` and `pending_acts`. A pending action contains the name of its worker. The
 * caller must renew the worker's lease.
 */
export function createPostgresAuditStore(database: Database, worker: Worker): AuditStore {
  const lines = createRecordTable<AuditLine>({
    ...{ database, table: 'msgsite.audit', key: 'id' },
    toRow: lineRow,
  });
  /** The worker names of this process's unfinished actions, by action ID. */
  const own = new Map<string, string>();

  async function end(id: string, line: AuditLine): Promise<void> {
    await query(database, 'end an action')`
        with ended as (delete from msgsite.pending_acts where id = ${id})
        insert into msgsite.audit ${valuesOf(lineRow(line))} on conflict (id) do nothing`;
    own.delete(id);
  }

  /** Returns whether an action has no worker or a worker with an expired lease. */
  async function hasAbandoned(): Promise<boolean> {
    const rows = await query(database, 'find abandoned actions')`
      (select id from msgsite.pending_acts where worker is null order by id limit 1)
      union all
      (select acts.id from msgsite.workers
        join msgsite.pending_acts as acts on acts.worker = workers.id
        where workers.lease_until <= clock_timestamp() limit 1)`;
    return rows.length > 0;
  }

  /** Claims an action that has no worker and is not in `handled`. */
  function claim(handled: readonly string[]): Promise<Act | undefined> {
    return worker.claim(async (name) => {
      const [act] = await query<Act>(database, 'claim an action')`
        update msgsite.pending_acts set worker = ${name}
        where id = (
          select id from msgsite.pending_acts
          where worker is null and id <> all(${handled as string[]}::text[])
          order by id limit 1 for update skip locked)
        returning id, record`;
      return act;
    });
  }

  async function release(id: string): Promise<void> {
    await worker.claim(
      (name) => query(database, 'release an action')`
        update msgsite.pending_acts set worker = null where id = ${id} and worker = ${name}`,
    );
  }

  return {
    async add(line) {
      await lines.add(line);
    },
    async begin(act) {
      const token = randomUUID();
      const isNew = await worker.claim(async (name) => {
        try {
          const isBegun = await insertAct(database, act, { worker: name, token });
          if (isBegun) own.set(act.id, name);
          return isBegun;
        } catch (error) {
          // The action may have been stored even if the response was lost. It would then remain pending while this
          // process runs.
          worker.retryLater(
            () => query(database, 'delete an action')`
              delete from msgsite.pending_acts where id = ${act.id} and token = ${token}`,
          );
          throw error;
        }
      });
      if (!isNew) throw new AppError('conflict', `The action ${act.id} is already in progress.`);
    },
    async end({ id }, line) {
      try {
        await end(id, line);
      } catch (error) {
        worker.retryLater(() => end(id, line));
        throw error;
      }
    },
    async pending() {
      const rows = await query<Act & { worker: string; isHeld: boolean }>(
        database,
        'read pending actions',
      )`
        select acts.id, acts.record, acts.worker,
          coalesce(workers.lease_until > clock_timestamp(), false) as is_held
        from msgsite.pending_acts as acts
        left join msgsite.workers on workers.id = acts.worker
        order by acts.id collate "C"`;
      return rows.map(({ id, record, worker, isHeld }): ActUnderWay => {
        const owner = own.get(id) === worker ? 'here' : 'elsewhere';
        return { id, record, holder: isHeld ? owner : 'nobody' };
      });
    },
    hasAbandoned,
    async recover(conclude) {
      if (!(await hasAbandoned())) return;
      await worker.renew();
      const handled: string[] = [];
      const failures: unknown[] = [];
      for (let act = await claim(handled); act; act = await claim(handled)) {
        const { id } = act;
        handled.push(id);
        try {
          await end(id, await conclude(act));
        } catch (error) {
          failures.push(error);
          worker.retryLater(() => release(id));
        }
      }
      if (failures.length > 0) throw failures[0];
    },
    async *read(selection = {}) {
      const pages = pagesOf<LineRow>(batch, (last) =>
        database.run('read the audit log', (sql) => selectPage(sql, selection, last?.record)),
      );
      for await (const rows of pages) yield* rows.map(({ record }) => record);
    },
    async removeBefore(time) {
      await lines.remove({ column: 'happened_at', before: time });
    },
    close: () => worker.leave(),
  };
}

/** Returns whether the audit log contains any entries. */
export async function hasPostgresAudit(database: Pick<Database, 'run'>): Promise<boolean> {
  const [row] = await query<{ isThere: boolean }>(database, 'check for audit entries')`
    select exists (select from msgsite.audit) as is_there`;
  return row?.isThere ?? false;
}

/** Inserts an action. Returns false if it is already in progress. */
async function insertAct(database: Database, act: PendingAct, owner: ActOwner): Promise<boolean> {
  const rows = await query(database, 'start an action')`
    insert into msgsite.pending_acts ${valuesOf(actRow(act, owner))} on conflict (id) do nothing
    returning 1`;
  return rows.length > 0;
}

/** Selects the next entries after `last`, earliest first. */
function selectPage(sql: Sql, { since, until, kinds }: AuditQuery, last: AuditLine | undefined) {
  const from = since === undefined ? sql`` : sql`and happened_at >= ${new Date(since)}`;
  const to = until === undefined ? sql`` : sql`and happened_at < ${new Date(until)}`;
  const of = kinds === undefined ? sql`` : sql`and kind = any(${[...kinds]}::text[])`;
  const position = last
    ? sql`and (happened_at, id collate "C") > (${new Date(last.time)}, ${last.id})`
    : sql``;
  return sql<LineRow[]>`
    select record from msgsite.audit where true ${from} ${to} ${of} ${position}
    order by happened_at, id collate "C" limit ${batch}`;
}

/** Returns the row of an entry, with the columns that queries use. */
function lineRow(line: AuditLine) {
  const { id, time, kind } = line;
  return { id, happenedAt: new Date(time), kind, record: json(line) };
}

/** The owner of an action. */
interface ActOwner {
  /** Null if no process owns the action. */
  readonly worker: string | null;
  /** Distinguishes one start of an action from a later start with the same ID. */
  readonly token: string;
}

/** Returns the row of a pending action. */
function actRow({ id, record }: PendingAct | Act, owner: ActOwner) {
  return { id, ...owner, record: json(record) };
}

/**
 * The audit log as records of an export. Imported actions have no worker, so the next process that recovers actions
 * claims them.
 */
export const postgresAuditRecords: readonly PostgresRecords[] = [
  {
    ...tableRecords<{ record: AuditLine }, AuditLine>({
      kind: 'audit',
      table: 'msgsite.audit',
      select: (sql) => sql`
        select record from msgsite.audit order by happened_at, id collate "C"`,
      toRecord: ({ record }) => record,
      toRow: lineRow,
    }),
    // In files, an entry that was rewritten after a crash may occur twice.
    async insert(sql, lines) {
      if (lines.length === 0) return;
      const rows = (lines as readonly AuditLine[]).map((line) => lineRow(line));
      await sql`insert into msgsite.audit ${valuesOf(rows)} on conflict (id) do nothing`;
    },
  },
  tableRecords<Act, Act>({
    kind: 'pending-act',
    table: 'msgsite.pending_acts',
    select: (sql) => sql`
      select id, record from msgsite.pending_acts order by id collate "C"`,
    toRecord: ({ id, record }) => ({ id, record }),
    toRow: (act) => actRow(act, { worker: null, token: randomUUID() }),
  }),
];
