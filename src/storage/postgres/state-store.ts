import { AppError } from '../../base/errors.js';
import {
  assertState,
  faultOfState,
  type NamedFact,
  type StateName,
  type StateRecords,
  type StateStore,
} from '../../base/state.js';
import type { Database } from './database.js';
import { query } from './database.js';
import { type PostgresRecords, tableRecords } from './record-table.js';
import { json, type TransactionSql, valuesOf } from './sql.js';

interface StateRow {
  readonly record: object;
}

/** Returns a store of the facts in the table `state`. */
export function createPostgresStateStore(database: Database): StateStore {
  return {
    async find(name) {
      const [row] = await query<StateRow>(database, 'stored fact by name')`
        select record from msgsite.state where name = ${name}`;
      return row && checked(name, row.record);
    },
    change: (name, change) =>
      database.transaction('change a stored fact', async (sql) => {
        for (;;) {
          const [row] = await sql<StateRow[]>`
            select record from msgsite.state where name = ${name} for update`;
          const before = row && checked(name, row.record);
          const next = change(before);
          if (!next) return before;
          assertState(name, next);
          if (row) {
            await sql`
              update msgsite.state set record = ${json(next)} where name = ${name}`;
            return next;
          }
          const added = await sql`
            insert into msgsite.state ${valuesOf(stateRow({ name, record: next }))}
            on conflict (name) do nothing returning 1`;
          if (added.length > 0) return next;
          // Another process has just stored the fact for the first time, so change that one.
        }
      }),
  };
}

function checked<Name extends StateName>(name: Name, record: object): StateRecords[Name] {
  const fault = faultOfState(name, record);
  if (fault === undefined) return record as StateRecords[Name]; // It has just been validated.
  throw new AppError('data_damaged', `The row ${name} of the table msgsite.state: ${fault}.`, {
    hint: 'Restore the row from a backup, or delete it.',
  });
}

function stateRow({ name, record }: NamedFact) {
  return { name, record: json(record) };
}

/** The facts as records for exports and imports. */
export const postgresStateRecords: PostgresRecords = tableRecords<NamedFact, NamedFact>({
  kind: 'state',
  table: 'msgsite.state',
  select: (sql) => sql`select name, record from msgsite.state order by name collate "C"`,
  toRecord: ({ name, record }) => ({ name, record }),
  toRow: stateRow,
});

/** Returns the stored running time as of the transaction's snapshot. */
export async function storedRunningTime(sql: TransactionSql): Promise<number | undefined> {
  const [row] = await sql<StateRow[]>`select record from msgsite.state where name = 'clock'`;
  return row && checked('clock', row.record).ranFor;
}
