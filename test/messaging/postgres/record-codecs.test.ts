import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import type { Chat, StoredMessage, User } from '../../../src/messaging/model.js';
import { createPostgresMessagingStore } from '../../../src/messaging/store-postgres/open.js';
import { postgresMessagingRecords } from '../../../src/messaging/store-postgres/transfer.js';
import { openTestDatabase } from '../../helpers/test-database.js';
import { samples } from '../record-samples.js';

const database = await openTestDatabase();
afterAll(() => database.close());

it('every optional field of a record is preserved in its row', async () => {
  const found = await database.transaction('round trip', async (sql) => {
    const tables = postgresMessagingRecords(0);
    for (const { kind, insert } of tables) await insert(sql, samples[kind] ?? []);
    const read: Record<string, object[]> = {};
    for (const { kind, read: readAll } of tables) {
      read[kind] = [];
      for await (const record of readAll(sql)) read[kind].push(record);
    }
    return read;
  });
  expect(found).toEqual(samples);
});

it('users, chats, and posts with and without a key are stored with every field', async () => {
  const store = createPostgresMessagingStore(database, systemClock);
  for (const sample of samples.user as readonly User[]) {
    const { id: _, ...user } = sample;
    const { id } = await store.users.create({ ...user, email: user.email && `new-${user.email}` });
    expect(await store.users.find(id)).toMatchObject({ ...user, email: expect.any(String), id });
  }
  for (const { id: _, ...chat } of samples.chat as readonly Chat[]) {
    const { chat: made } = await store.chats.create({ ...chat, ownerId: 5, participantId: 6 });
    expect(made).toEqual({ ...chat, ownerId: 5, participantId: 6, id: made.id });
    for (const { id: __, ...draft } of samples.message as readonly StoredMessage[]) {
      for (const idempotency of [undefined, { key: randomUUID(), bodyHash: 'h' }]) {
        const post = { ...draft, chatId: made.id, senderId: 5 };
        const { message } = await store.messages.append(post, idempotency);
        expect(await store.messages.last(made.id)).toEqual({ ...post, id: message.id });
      }
    }
  }
  await store.close();
});
