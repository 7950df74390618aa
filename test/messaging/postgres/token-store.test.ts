import { expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { revocationOfAll } from '../../../src/messaging/records.js';
import { createPostgresMessagingStore } from '../../../src/messaging/store-postgres/open.js';
import { postgresMessagingRecords } from '../../../src/messaging/store-postgres/transfer.js';
import { useTestDatabase } from '../../helpers/test-database.js';
import { isRevoked } from '../store-samples.js';

it('an imported record that revokes all tokens applies to every token issued before it', async () => {
  const database = await useTestDatabase();
  const now = systemClock.now();
  const records = [{ jti: 'a-token', expires: now + 1e6 }, revocationOfAll(now)];
  const kind = postgresMessagingRecords(now).find((each) => each.kind === 'revoked-token');
  await database.transaction('import', async (sql) => kind?.insert(sql, records));
  const store = createPostgresMessagingStore(database, systemClock);
  expect(await isRevoked(store, 'other', now - 1)).toBe(true);
  expect(await isRevoked(store, 'other', now)).toBe(false);
  expect(await isRevoked(store, 'a-token', now)).toBe(true);
  const read = await database.transaction('export', async (sql) => {
    const found: object[] = [];
    for await (const record of kind?.read(sql) ?? []) found.push(record);
    return found;
  });
  expect(read).toEqual(records);
  await store.close();
});
