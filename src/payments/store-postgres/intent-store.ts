import type { Intent } from '#validators/payment-records';
import type { Database } from '../../storage/postgres/database.js';
import { pagesOf, removeInBatches } from '../../storage/postgres/pages.js';
import { query } from '../../storage/postgres/query.js';
import { assignments, json, valuesOf } from '../../storage/postgres/sql.js';
import type { IntentStore } from '../store.js';

interface IntentRow {
  readonly id: string;
  readonly record: Intent;
}

/** Intents listed, or removed, by one statement. */
const batch = 500;

/** Intents in the table `intents`. */
export function createPostgresIntentStore(database: Database): IntentStore {
  return {
    async add(intent) {
      await database.run('add an intent', (sql) => {
        const row = intentRow(intent);
        return sql`
          insert into msgsite.intents ${valuesOf(row)}
          on conflict (id) do update set state = excluded.state, closed_at = excluded.closed_at,
            record = excluded.record
          where intents.state <> 'in_doubt'`;
      });
    },
    async find(id) {
      const [row] = await query<IntentRow>(database, 'intent by id')`
        select id, record from msgsite.intents where id = ${id}`;
      return row?.record;
    },
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
    change: (id, change) =>
      database.transaction('change an intent', async (sql) => {
        const [row] = await sql<IntentRow[]>`
          select id, record from msgsite.intents where id = ${id} for update`;
        const next = row && (await change(row.record));
        if (next) {
          await sql`update msgsite.intents set ${assignments(intentRow(next))} where id = ${id}`;
        }
        return next ?? row?.record;
      }),
    async removeClosedBefore(day) {
      const before = new Date(`${day}T00:00:00Z`);
      await removeInBatches(
        batch,
        () =>
          query(database, 'remove closed intents')`
            delete from msgsite.intents where ctid = any(array(
              select ctid from msgsite.intents
              where state <> 'in_doubt' and closed_at < ${before}
              order by closed_at limit ${batch}))
              and state <> 'in_doubt' and closed_at < ${before}
            returning 1`,
      );
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
