import type { Database } from '../../storage/postgres/database.js';
import { pagesOf } from '../../storage/postgres/pages.js';
import { query } from '../../storage/postgres/query.js';
import { json, valuesOf } from '../../storage/postgres/sql.js';
import type { StoredEvent } from '../event.js';
import type { EventStore } from '../store.js';

/** Events listed or removed by one statement. */
const batch = 500;

interface EventRow {
  readonly id: string;
  readonly record: StoredEvent;
  readonly occurredAt: string;
}

/** An event with the columns by which it is found. */
export function toEventRow(event: StoredEvent) {
  const { id, occurredAt } = event;
  return { id, occurredAt, record: json(event) };
}

/** Events that nobody wanted, in the table `webhook_events`. */
export function createPostgresEventStore(database: Database): EventStore {
  return {
    async add(event) {
      await query(database, 'add a webhook event')`
          insert into msgsite.webhook_events ${valuesOf(toEventRow(event))}
          on conflict (id) do nothing`;
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
      const before = new Date(`${day}T00:00:00Z`);
      const pages = pagesOf<Pick<EventRow, 'occurredAt'>>(
        batch,
        () =>
          query<EventRow>(database, 'remove old webhook events')`
            delete from msgsite.webhook_events where id = any(array(
              select id from msgsite.webhook_events where occurred_at < ${before}
              order by occurred_at limit ${batch}))
            returning occurred_at`,
      );
      const days = new Set<string>();
      for await (const rows of pages)
        for (const { occurredAt } of rows) days.add(occurredAt.slice(0, 10));
      return days.size;
    },
  };
}
