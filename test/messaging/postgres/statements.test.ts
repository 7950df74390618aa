import { expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { createPostgresMessagingStore } from '../../../src/messaging/store-postgres/open.js';
import { createTokens } from '../../../src/messaging/tokens.js';
import type { Database } from '../../../src/storage/postgres/database.js';
import { userFields } from '../store-samples.js';
import { group, message, openTwoProcesses, pair } from './two-processes.js';

const both = openTwoProcesses();

/** Records the names of the statements that a database receives. */
function counting(database: Database) {
  const names: string[] = [];
  const counted: Database = {
    ...database,
    run(name, work) {
      names.push(name);
      return database.run(name, work);
    },
    transaction(name, work) {
      names.push(name);
      return database.transaction(name, work);
    },
  };
  return { counted, names };
}

it('reading lists of 50 chats for several users concurrently takes at most eight statements', async () => {
  const { here, database } = both;
  const users = [1, 2, 3, 4];
  for (let n = 0; n < 50; n += 1) {
    const { chat } = await here.chats.create(n % 5 === 0 ? pair(1, 10 + n) : group);
    if (chat.type === 'group') {
      await Promise.all([2, 3, 4].map((userId) => here.chats.addMember(chat.id, userId)));
    }
    await here.messages.append(message(chat.id, `m${n}`));
  }
  const { counted, names } = counting(database);
  const store = createPostgresMessagingStore(counted, systemClock);
  const lists = await Promise.all(
    users.map(async (userId) => {
      const memberships = await store.chats.listOf(userId);
      return Promise.all(
        memberships.map(async ({ chat, startId, readId }) => {
          const after = Math.max(startId, readId ?? 0);
          const [last, unread, count] = await Promise.all([
            store.messages.last(chat.id),
            store.messages.countOthers(chat.id, { userId, after, max: 10_000 }),
            store.chats.countMembers(chat.id),
            store.chats.membership(chat.id, userId),
          ]);
          return [last?.chatId === chat.id, unread, count];
        }),
      );
    }),
  );
  expect(lists.map((list) => list.length)).toEqual([50, 40, 40, 40]);
  expect(lists[1]).toEqual(Array.from({ length: 40 }, () => [true, 1, 4]));
  expect(lists[0]?.[0]).toEqual([true, 0, 2]);
  // One statement for the lists, one for each of the other reads, and four for the unread messages of 50 chats each.
  expect(names.length).toBeLessThanOrEqual(8);
  await store.close();
});

it('concurrent posts, joins and read marks of many users take one statement of each kind', async () => {
  const { here, database } = both;
  const { chat } = await here.chats.create(group);
  const { counted, names } = counting(database);
  const store = createPostgresMessagingStore(counted, systemClock);
  const people = Array.from({ length: 90 }, (_, n) => n + 2);
  await Promise.all(people.map((userId) => store.chats.addMember(chat.id, userId, 1000)));
  await Promise.all(people.map((id) => store.messages.append(message(chat.id, 'x', id))));
  await Promise.all(
    people.map((id) =>
      store.messages.append(message(chat.id, 'x', id), { key: 'k', bodyHash: 'h' }),
    ),
  );
  await Promise.all(people.map((userId) => store.chats.markRead(chat.id, userId, 5)));
  expect(names).toEqual([
    'add members',
    'store messages',
    'store messages once',
    'move read marks',
  ]);
  await store.close();
});

it('concurrent posts with the same key store one message, even in different chats', async () => {
  const { here } = both;
  const chats = await Promise.all([group, group].map((each) => here.chats.create(each)));
  const [first = 0, second = 0] = chats.map(({ chat }) => chat.id);
  const key = { key: 'k', bodyHash: 'h' };
  const outcomes = await Promise.allSettled([
    here.messages.append(message(999, 'rejected'), key),
    here.messages.append(message(first, 'stored'), key),
    here.messages.append(message(first, 'again'), key),
    here.messages.append(message(second, 'elsewhere'), key),
  ]);
  expect(outcomes).toMatchObject([
    { reason: { code: 'forbidden' } },
    { value: { stored: true, message: { text: 'stored' } } },
    { value: { stored: false, message: { text: 'stored' } } },
    { reason: { code: 'conflict' } },
  ]);
  expect((await here.messages.page(second, { limit: 9 })).messages).toEqual([]);
});

it('a poll takes one statement to identify the user, and one to check for new messages', async () => {
  const { here, database } = both;
  const user = await here.users.create(userFields('ann@x.kz'));
  const { chat } = await here.chats.create({ ...group, ownerId: user.id });
  await here.messages.append(message(chat.id, 'x', user.id));
  const { counted, names } = counting(database);
  const store = createPostgresMessagingStore(counted, systemClock);
  const secret = 'a secret of at least thirty-two bytes!';
  const tokens = createTokens({ secret, ttl: 60, clock: systemClock, store: store.tokens });
  const text = tokens.issue(user);
  // The first call of a process also reads the revocations of all tokens.
  await tokens.verify(text);
  names.length = 0;
  expect((await tokens.verify(text)).user).toEqual(user);
  expect(await store.messages.hasNews(chat.id, user.id, 0)).toBe(true);
  expect(await store.messages.hasNews(chat.id, user.id + 1, 0)).toBeUndefined();
  expect(names).toEqual(['users of tokens', 'newer messages of chats', 'newer messages of chats']);
  await store.close();
});

it('the latest page is transferred again only when it has changed', async () => {
  const { here, database } = both;
  const { chat } = await here.chats.create(group);
  const { counted, names } = counting(database);
  const store = createPostgresMessagingStore(counted, systemClock);
  const read = async () => (await store.messages.page(chat.id, { limit: 3 })).messages.length;
  const lengths: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    await here.messages.append(message(chat.id, `m${n}`));
    lengths.push(await read(), await read());
  }
  expect(lengths).toEqual([1, 1, 2, 2, 3, 3, 3, 3, 3, 3]);
  expect(names.filter((name) => name === 'page of messages')).toHaveLength(5);
  await store.close();
});
