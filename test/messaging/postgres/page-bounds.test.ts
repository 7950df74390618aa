import { expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { maxPageBytes } from '../../../src/messaging/message-page.js';
import { createPostgresMessagingStore } from '../../../src/messaging/store-postgres/open.js';
import type { Database } from '../../../src/storage/postgres/database.js';
import { useTestDatabase } from '../../helpers/test-database.js';

/** Counts the rows that this process receives, by the name of the statement. */
function countingRows(database: Database) {
  const rows = new Map<string, number>();
  const counting: Database = {
    ...database,
    async run(name, work) {
      const result = await database.run(name, work);
      if (Array.isArray(result)) rows.set(name, (rows.get(name) ?? 0) + result.length);
      return result;
    },
  };
  return { counting, rows };
}

it('reading a page of long messages transfers only one more row than the page contains', async () => {
  const database = await useTestDatabase();
  const { counting, rows } = countingRows(database);
  const { messages, close } = createPostgresMessagingStore(counting, systemClock);
  const long = 'я'.repeat(4000);
  await database.run(
    'fill',
    (sql) => sql`
      insert into msgsite.messages
        (chat_id, id, sender_id, type, text, iv, encrypted, auth_tag, scheme, created_at)
      select 1, n, 1, 'text', ${long}, '', convert_to(${long}, 'UTF8'), '', 'email', now()
      from generate_series(1, 400) n`,
  );
  const perPage = Math.floor(maxPageBytes / 8000);
  for (const query of [{}, { before: 390 }, { after: 10 }]) {
    rows.clear();
    const page = await messages.page(1, { limit: 1000, ...query });
    expect([page.messages.length, page.hasMore]).toEqual([perPage, true]);
    expect(rows.get('page of messages')).toBe(perPage + 1);
  }
  await close();
});
