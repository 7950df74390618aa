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

/** Lines that one statement reads. */
const batch = 1_000;

interface LineRow {
  readonly record: AuditLine;
}

/**
 * Stores the audit in the tables `audit` and `pending_acts`. An act under way has the name of its worker, whose lease the
 * caller must renew.
 */
export function createPostgresAuditStore(database: Database, worker: Worker): AuditStore {
  const lines = createRecordTable<AuditLine>({
    ...{ database, table: 'msgsite.audit', key: 'id' },
    toRow: lineRow,
  });
  /** Unfinished acts of this process, with the worker name of each. */
  const own = new Map<string, string>();

  async function end(id: string, line: AuditLine): Promise<void> {
    await query(database, 'end an act')`
        with ended as (delete from msgsite.pending_acts where id = ${id})
        insert into msgsite.audit ${valuesOf(lineRow(line))} on conflict (id) do nothing`;
    own.delete(id);
  }

  /** Returns whether an act has no worker, or one whose lease has expired. */
  async function hasAbandoned(): Promise<boolean> {
    const rows = await query(database, 'are acts left')`
      (select id from msgsite.pending_acts where worker is null order by id limit 1)
      union all
      (select acts.id from msgsite.workers
        join msgsite.pending_acts as acts on acts.worker = workers.id
        where workers.lease_until <= clock_timestamp() limit 1)`;
    return rows.length > 0;
  }

  /** Claims an act without a worker, except those in `given`. */
  function claim(given: readonly string[]): Promise<Act | undefined> {
    return worker.claim(async (name) => {
      const [act] = await query<Act>(database, 'take an act')`
        update msgsite.pending_acts set worker = ${name}
        where id = (
          select id from msgsite.pending_acts
          where worker is null and id <> all(${given as string[]}::text[])
          order by id limit 1 for update skip locked)
        returning id, record`;
      return act;
    });
  }

  async function release(id: string): Promise<void> {
    await worker.claim(
      (name) => query(database, 'give an act back')`
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
          // The act may be stored although the answer was lost, and this living process would keep it for ever.
          worker.retryLater(
            () => query(database, 'forget an act')`
              delete from msgsite.pending_acts where id = ${act.id} and token = ${token}`,
          );
          throw error;
        }
      });
      if (!isNew) throw new AppError('conflict', `The act ${act.id} is under way already.`);
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
      const rows = await query<Act & { worker: string; isHeld: boolean }>(database, 'read acts')`
        select acts.id, acts.record, acts.worker,
          coalesce(workers.lease_until > clock_timestamp(), false) as is_held
        from msgsite.pending_acts as acts
        left join msgsite.workers on workers.id = acts.worker
        order by acts.id collate "C"`;
      return rows.map(({ id, record, worker, isHeld }): ActUnderWay => {
        const held = own.get(id) === worker ? 'here' : 'elsewhere';
        return { id, record, holder: isHeld ? held : 'nobody' };
      });
    },
    hasAbandoned,
    async recover(conclude) {
      if (!(await hasAbandoned())) return;
      await worker.renew();
      const given: string[] = [];
      const failures: unknown[] = [];
      for (let act = await claim(given); act; act = await claim(given)) {
        const { id } = act;
        given.push(id);
        try {
          await end(id, await conclude(act));
        } catch (error) {
          failures.push(error);
          worker.retryLater(() => release(id));
        }
      }
      if (failures.length > 0) throw failures[0];
    },
    async *read(asked = {}) {
      const pages = pagesOf<LineRow>(batch, (last) =>
        database.run('read the audit', (sql) => selectPage(sql, asked, last?.record)),
      );
      for await (const rows of pages) yield* rows.map(({ record }) => record);
    },
    async removeBefore(time) {
      await lines.remove({ column: 'happened_at', before: time });
    },
    close: () => worker.leave(),
  };
}

/** Returns whether the audit contains any line. */
export async function hasPostgresAudit(database: Pick<Database, 'run'>): Promise<boolean> {
  const [row] = await query<{ isThere: boolean }>(database, 'whether there is an audit')`
    select exists (select from msgsite.audit) as is_there`;
  return row?.isThere ?? false;
}

/** Inserts an act. Returns false if it is under way already. */
async function insertAct(database: Database, act: PendingAct, owner: ActOwner): Promise<boolean> {
  const rows = await query(database, 'begin an act')`
    insert into msgsite.pending_acts ${valuesOf(actRow(act, owner))} on conflict (id) do nothing
    returning 1`;
  return rows.length > 0;
}

/** Selects the next lines after `last`, the earliest first. */
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

/** Returns the row of a line, with the columns by which it is found. */
function lineRow(line: AuditLine) {
  const { id, time, kind } = line;
  return { id, happenedAt: new Date(time), kind, record: json(line) };
}

/** The owner of an act. */
interface ActOwner {
  /** Null if no process has it. */
  readonly worker: string | null;
  /** Distinguishes one start of an act from a later one with the same ID. */
  readonly token: string;
}

/** Returns the row of an act under way. */
function actRow({ id, record }: PendingAct | Act, owner: ActOwner) {
  return { id, ...owner, record: json(record) };
}

/** The audit as records of an export. Imported acts have no worker, so the next process that recovers acts gets them. */
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
    // In files, a line that was rewritten after a crash may occur twice.
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
