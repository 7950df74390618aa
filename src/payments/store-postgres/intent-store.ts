import type { Intent } from '#validators/payment-records';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/database.js';
import { createRecordTable } from '../../storage/postgres/record-table.js';
import { json, part, valuesOf } from '../../storage/postgres/sql.js';
import { pagesOf } from '../../storage/postgres/sweep.js';
import type { IntentStore } from '../store.js';

interface IntentRow {
  readonly id: string;
  readonly record: Intent;
}

/** Intents listed by one statement. */
const batch = 500;

/** Intents in the table `intents`. */
export function createPostgresIntentStore(database: Database): IntentStore {
  const table = createRecordTable<Intent>({
    ...{ database, table: 'msgsite.intents', key: 'id' },
    toRow: intentRow,
  });
  return {
    async add(intent) {
      await query(database, 'store an intent')`
        insert into msgsite.intents ${valuesOf(intentRow(intent))}
        on conflict (id) do update set state = excluded.state, closed_at = excluded.closed_at,
          record = excluded.record
        where intents.state <> 'in_doubt'`;
    },
    find: table.find,
    async *list(state) {
      const pages = pagesOf<IntentRow>(
        batch,
        (last) =>
          query<IntentRow>(database, 'list intents')`
            select id, record from msgsite.intents
            where state = ${state} and id > ${last?.id ?? ''} order by id limit ${batch}`,
      );
      for await (const rows of pages) for (const { record } of rows) yield record;
    },
    change: table.change,
    async removeClosedBefore(day) {
      await table.remove({
        ...{ column: 'closed_at', before: day },
        where: part`and state <> 'in_doubt'`,
      });
    },
  };
}

/** An intent with the columns by which it is found. */
export function intentRow(intent: Intent) {
  const { id, state, closedAt } = intent;
  return {
    id,
    state,
    closedAt: closedAt === undefined ? null : new Date(closedAt),
    record: json(intent),
  };
}
