import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import type { StoredMessage } from '../../../src/messaging/model.js';
import type { MessagingStore } from '../../../src/messaging/store.js';
import {
  createPostgresMessagingStore,
  expiringMessagingTables,
} from '../../../src/messaging/store-postgres/open.js';
import { sweepExpired } from '../../../src/storage/postgres/sweep.js';
import {
  emptyTestDatabase,
  openTestDatabase,
  type TestDatabase,
} from '../../helpers/test-database.js';
import { isRevoked } from '../store-samples.js';

/** Two simulated processes, each with its own connections and memory. */
let databases: TestDatabase[];
let stores: MessagingStore[];
let here: MessagingStore;
let there: MessagingStore;

beforeAll(async () => {
  const first = await openTestDatabase();
  databases = [first, await openTestDatabase({ url: first.url })];
  stores = databases.map((database) => createPostgresMessagingStore(database, systemClock));
  [here, there] = stores as [MessagingStore, MessagingStore];
});
beforeEach(async () => {
  if (databases[0]) await emptyTestDatabase(databases[0]);
});
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await Promise.all(databases.map((database) => database.close()));
});

const createdAt = new Date(0).toISOString();
const message = (chatId: number, text: string): Omit<StoredMessage, 'id'> => ({
  chatId,
  senderId: 1,
  type: 'text',
  text,
  encrypted: { iv: '00', encrypted: '00', authTag: '00' },
  scheme: 'email',
  createdAt,
});
/** Creates a group of user 1. */
async function makeGroup(): Promise<number> {
  const group = { type: 'group', name: 'g', ownerId: 1, createdAt } as const;
  return (await here.chats.create(group)).chat.id;
}

const user = {
  username: 'A\0',
  email: 'a@x.kz',
  passwordHash: '',
  avatar: null,
  bio: '',
  createdAt,
};

it('readers of two processes receive the messages of a chat in the order of their IDs and without gaps', async () => {
  const chats = await Promise.all([makeGroup(), makeGroup(), makeGroup()]);
  const seen = new Map<number, number[]>(chats.map((chat) => [chat, []]));
  const total = 600;
  let writing = true;
  async function follow(chatId: number): Promise<void> {
    const ids = seen.get(chatId) ?? [];
    for (let last = false; !last; ) {
      last = !writing;
      const { messages } = await here.messages.page(chatId, {
        limit: 1000,
        after: ids.at(-1) ?? 0,
      });
      ids.push(...messages.map(({ id }) => id));
    }
  }
  const readers = Promise.all(chats.map(follow));
  async function write(from: number): Promise<void> {
    for (let n = from; n < total; n += 12) {
      const store = n % 2 === 0 ? here : there;
      // Every third message has a key and is stored by a different statement.
      const key = n % 3 === 0 ? { key: `k${n}`, bodyHash: 'h' } : undefined;
      await store.messages.append(message(chats[n % chats.length] ?? 0, `m${n}`), key);
    }
  }
  await Promise.all(Array.from({ length: 12 }, (_, from) => write(from)));
  writing = false;
  await readers;
  const all = [...seen.values()].flat();
  expect(new Set(all).size).toBe(total);
  for (const ids of seen.values()) expect(ids).toEqual([...ids].sort((a, b) => a - b));
});

it('a message that is sent to two processes with the same key is stored once', async () => {
  const key = { key: 'k', bodyHash: 'h' };
  const chatId = await makeGroup();
  const posts = [here, there, here, there].map((store) =>
    store.messages.append(message(chatId, 'once'), key),
  );
  const outcomes = await Promise.all(posts);
  expect(outcomes.filter(({ stored }) => stored)).toHaveLength(1);
  expect((await there.messages.page(chatId, { limit: 9 })).messages).toHaveLength(1);
});

it('concurrent requests create one account per e-mail address and one private chat per pair', async () => {
  const accounts = await Promise.allSettled([here, there].map((store) => store.users.create(user)));
  expect(accounts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const begun = { type: 'private', name: '', createdAt } as const;
  const chats = await Promise.all([
    here.chats.create({ ...begun, ownerId: 1, participantId: 2 }),
    there.chats.create({ ...begun, ownerId: 2, participantId: 1 }),
  ]);
  expect(chats[0].chat).toEqual(chats[1].chat);
});

it('concurrent additions by two processes never exceed the member limit of a group', async () => {
  const group = { type: 'group', name: 'g', ownerId: 1, createdAt } as const;
  const { chat } = await here.chats.create(group);
  const { chat: other } = await there.chats.create(group);
  const adds = Array.from({ length: 60 }, (_, n) => {
    const ids = n % 4 < 2 ? [chat.id, other.id] : [other.id, chat.id];
    return ids.map((id) => (n % 2 ? here : there).chats.addMember(id, 2 + n, 20));
  });
  const outcomes = await Promise.all(adds.flat());
  expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(2 * 19);
  for (const { id } of [chat, other]) expect(await here.chats.members(id)).toHaveLength(20);
});

it('a revoked token is rejected by every process until its expiry', async () => {
  await here.tokens.revoke('t', systemClock.now() + 60_000);
  expect(await isRevoked(there, 't', systemClock.now())).toBe(true);
  const [database] = databases;
  if (!database) return;
  const tables = expiringMessagingTables;
  expect(await sweepExpired({ database, clock: systemClock, tables })).toBe(0);
  const later = { ...systemClock, now: () => systemClock.now() + 60_000 };
  expect(await sweepExpired({ database, clock: later, tables })).toBe(1);
  expect(await isRevoked(there, 't', systemClock.now())).toBe(false);
});
