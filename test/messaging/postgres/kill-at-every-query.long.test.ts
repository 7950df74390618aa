import { expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import type { MessagingStore } from '../../../src/messaging/store.js';
import { createPostgresMessagingStore } from '../../../src/messaging/store-postgres/open.js';
import type { Database } from '../../../src/storage/postgres/database.js';
import { identifier } from '../../../src/storage/postgres/sql.js';
import { dyingAt } from '../../helpers/dying-database.js';
import { emptyTestDatabase } from '../../helpers/test-database.js';
import {
  channel,
  createdAt,
  findFaults,
  group,
  makeUsers,
  message,
  openTwoProcesses,
  pair,
} from './two-processes.js';

const both = openTwoProcesses();

/** Returns all stored data except the ID sequences. */
function contentOf(database: Database): Promise<unknown> {
  const tables = ['users', 'chats', 'members', 'messages', 'message_keys', 'removed_chats'];
  return Promise.all(
    tables.map((table) =>
      database.run(
        'content',
        (sql) => sql`
          select (to_jsonb(stored) - 'place')::text as row from ${identifier(`msgsite.${table}`)} as stored
          order by 1`,
      ),
    ),
  );
}

async function prepare({ here, database }: typeof both): Promise<void> {
  await emptyTestDatabase(database);
  await makeUsers(here, 4);
  const chats = [group, group, channel, channel, pair(1, 2), pair(1, 3), pair(4, 1)];
  for (const chat of chats) await here.chats.create(chat);
  for (const chatId of [1, 3]) for (const id of [2, 3]) await here.chats.addMember(chatId, id);
  for (const chatId of [1, 2, 3, 4, 5, 6, 7]) {
    await here.messages.append(message(chatId, 'x'), { key: `${chatId}`, bodyHash: 'h' });
    await here.chats.markRead(chatId, 1, 1);
  }
  await here.endAccount(3, { at: createdAt });
}

const actions: [string, (store: MessagingStore) => Promise<unknown>][] = [
  ['removing the owner', (store) => store.chats.removeMember(1, 1)],
  ['removing the last member', (store) => store.chats.removeMember(2, 1)],
  ['adding a member', (store) => store.chats.addMember(1, 4, 10)],
  ['deleting an account', (store) => store.endAccount(1, { at: createdAt })],
];

it.each(actions)(
  '%s has no effect if it is killed at any query, and succeeds when it is repeated',
  async (_, act) => {
    const { database } = both;
    await prepare(both);
    const before = await contentOf(database);
    // Kills at some queries, or at all of them with MSGSITE_TEST_EVERY_STEP.
    const maxStride = process.env.MSGSITE_TEST_EVERY_STEP !== undefined ? 1 : 4;
    for (let n = 1; ; n += 1 + Math.floor(Math.random() * maxStride)) {
      const { dying, count } = dyingAt(database, n);
      const store = createPostgresMessagingStore(dying, systemClock);
      const [outcome] = await Promise.allSettled([act(store)]);
      await store.close();
      if (count() < n) {
        expect(outcome?.status).toBe('fulfilled');
        expect(n).toBeGreaterThan(3);
        break;
      }
      expect(outcome).toMatchObject({ reason: { code: 'storage_unavailable' } });
      expect(await contentOf(database)).toEqual(before);
    }
    expect(await contentOf(database)).not.toEqual(before);
    expect(await findFaults(database)).toEqual([]);
  },
);
