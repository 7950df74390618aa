import type { Database } from './database.js';
import { pagesOf } from './pages.js';
import { query } from './query.js';
import { assignments, type Fragment, identifier, valuesOf } from './sql.js';

interface RecordTableOptions<Kept> {
  readonly database: Database;
  /** Has a column `record` of the type `json`, and columns by which records are found. */
  readonly table: string;
  /** The column that identifies a record. */
  readonly key: string;
  toRow(record: Kept): object;
}

interface Removal {
  /** The column whose time decides, which has an index. */
  readonly column: string;
  /** Milliseconds since the epoch, or a day in UTC. */
  readonly before: number | string;
  /** A further condition. */
  readonly where?: Fragment;
}

/** Records removed by one statement, so that none holds locks for long. */
const batch = 500;

/** Returns the operations that all tables of records share. */
export function createRecordTable<Kept extends object>(options: RecordTableOptions<Kept>) {
  const { database, toRow } = options;
  const table = identifier(options.table);
  const key = identifier(options.key);

  return {
    /** Stores a record unless its key is taken. Returns whether it was stored. */
    async add(record: Kept): Promise<boolean> {
      const added = await query(database, `add to ${options.table}`)`
        insert into ${table} ${valuesOf(toRow(record))} on conflict (${key}) do nothing returning 1`;
      return added.length > 0;
    },
    async find(id: string): Promise<Kept | undefined> {
      const [row] = await query<{ record: Kept }>(database, `find in ${options.table}`)`
        select record from ${table} where ${key} = ${id}`;
      return row?.record;
    },
    /**
     * Locks a record and stores what `change` returns for it; undefined leaves it unchanged. Returns the stored record.
     */
    change: (
      id: string,
      change: (record: Kept) => Kept | undefined | Promise<Kept | undefined>,
    ): Promise<Kept | undefined> =>
      database.transaction(`change in ${options.table}`, async (sql) => {
        const [row] = await sql<{ record: Kept }[]>`
          select record from ${table} where ${key} = ${id} for update`;
        const next = row && (await change(row.record));
        if (next) await sql`update ${table} set ${assignments(toRow(next))} where ${key} = ${id}`;
        return next ?? row?.record;
      }),
    /** Removes old records in batches. Returns the number of records, and of the days (UTC) that they were from. */
    async remove({ column: name, before, where = nothing }: Removal) {
      const until = typeof before === 'number' ? new Date(before) : new Date(`${before}T00:00:00Z`);
      const column = identifier(name);
      const pages = pagesOf(
        batch,
        () => query<{ time: string }>(database, `remove old rows of ${options.table}`)`
          delete from ${table} where ctid = any(array(
            select ctid from ${table} where ${column} < ${until} ${where}
            order by ${column} limit ${batch} for update skip locked))
            and ${column} < ${until} ${where}
          returning ${column} as time`,
      );
      const days = new Set<string>();
      let removed = 0;
      for await (const rows of pages) {
        for (const { time } of rows) days.add(time.slice(0, 10));
        removed += rows.length;
      }
      return { removed, days: days.size };
    },
  };
}

const nothing: Fragment = { appendTo() {} };
