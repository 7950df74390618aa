import type { ReceiverState } from '#validators/webhooks';
import type { Database } from '../../storage/postgres/database.js';
import { query } from '../../storage/postgres/database.js';
import { createRecordTable } from '../../storage/postgres/record-table.js';
import { json, valuesOf } from '../../storage/postgres/sql.js';
import { pagesOf } from '../../storage/postgres/sweep.js';

import type { StoredEvent } from '../event.js';
import type { EventStore, ReceiverStore } from '../store.js';

/** Number of events that one statement lists. */
const batch = 500;

interface EventRow {
  readonly id: string;
  readonly record: StoredEvent;
  readonly occurredAt: string;
}

/** Returns the row of an event, with the columns that queries use. */
export function toEventRow(event: StoredEvent) {
  const { id, occurredAt } = event;
  return { id, occurredAt, record: json(event) };
}

/** Creates a store of events without a subscription in the table `webhook_events`. */
export function createPostgresEventStore(database: Database): EventStore {
  const table = createRecordTable<StoredEvent>({
    ...{ database, table: 'msgsite.webhook_events', key: 'id' },
    toRow: toEventRow,
  });
  return {
    async add(event) {
      await table.add(event);
    },
    async *list() {
      const pages = pagesOf<EventRow>(batch, (last) =>
        database.run('list webhook events', (sql) => {
          const position = last
            ? sql`where (occurred_at, id) < (${last.occurredAt}, ${last.id})`
            : sql``;
          return sql<EventRow[]>`
            select id, record, occurred_at from msgsite.webhook_events ${position}
            order by occurred_at desc, id desc limit ${batch}`;
        }),
      );
      for await (const rows of pages) yield* rows.map(({ record }) => record);
    },
    async removeBefore(day) {
      return (await table.remove({ column: 'occurred_at', before: day })).days;
    },
  };
}

interface ReceiverRow {
  readonly record: ReceiverState;
}

/** Returns the row of a receiver. */
export function toReceiverRow(state: ReceiverState) {
  return { id: state.id, record: json(state) };
}

/** Creates a store of receiver states in the table `webhook_receivers`. */
export function createPostgresReceiverStore(database: Database): ReceiverStore {
  return {
    async list() {
      const rows = await query<ReceiverRow>(database, 'list webhook receivers')`
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
