import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/query.js';
import { json, valuesOf } from '../../storage/postgres/sql.js';
import type { ReceiverState } from '../receivers.js';
import type { ReceiverStore } from '../store.js';

interface ReceiverRow {
  readonly record: ReceiverState;
}

/** A receiver with the column by which it is found. */
export function toReceiverRow(state: ReceiverState) {
  return { id: state.id, record: json(state) };
}

/** How receivers take their deliveries, in the table `webhook_receivers`. */
export function createPostgresReceiverStore(database: Database): ReceiverStore {
  return {
    async list() {
      const rows = await query<ReceiverRow>(database, 'webhook receivers')`
        select record from msgsite.webhook_receivers`;
      return rows.map(({ record }) => record);
    },
    change: (initial, change) =>
      database.transaction('change a webhook receiver', async (sql) => {
        await sql`
          insert into msgsite.webhook_receivers ${valuesOf(toReceiverRow(initial))}
          on conflict (id) do nothing`;
        const [row] = await sql<ReceiverRow[]>`
          select record from msgsite.webhook_receivers where id = ${initial.id} for update`;
        const changed = change(row?.record ?? initial);
        await sql`
          update msgsite.webhook_receivers set record = ${json(changed)}
          where id = ${initial.id}`;
        return changed;
      }),
  };
}
