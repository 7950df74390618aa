import { expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.js';
import type { MessagingStore } from '../../../src/messaging/store.js';
import { sweepRemovedChats } from '../../../src/messaging/store-postgres/open.js';
import type { TransactionSql } from '../../../src/storage/postgres/sql.js';
import {
  channel,
  createdAt,
  findFaults,
  group,
  makeUsers,
  message,
  openTwoProcesses,
  pair,
  untilBlocked,
} from './two-processes.js';

const both = openTwoProcesses();

async function makeGroup(...others: number[]): Promise<number> {
  const { chat } = await both.here.chats.create(group);
  for (const userId of others) await both.here.chats.addMember(chat.id, userId);
  return chat.id;
}

/**
 * Calls `start` while holding the lock that `lock` acquires. `blocked` resolves when this many sessions wait for it.
 */
async function whileLocked<Result>(
  lock: (sql: TransactionSql) => PromiseLike<unknown>,
  start: (blocked: (count: number) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  return both.database.transaction('hold', async (sql) => {
    await lock(sql);
    return start((count) => untilBlocked(both.database, count));
  });
}

it('a member who was removed by one process is rejected by all processes', async () => {
  const { here, there } = both;
  const chatId = await makeGroup(2);
  await there.messages.append(message(chatId, 'a', 2));
  expect(await there.chats.membership(chatId, 2)).toBeDefined();
  await here.chats.removeMember(chatId, 2);
  expect(await there.chats.membership(chatId, 2)).toBeUndefined();
  const key = { key: 'k', bodyHash: 'h' };
  const posts = [
    there.messages.append(message(chatId, 'b', 2)),
    there.messages.append(message(chatId, 'c', 2), key),
  ];
  for (const outcome of await Promise.allSettled(posts)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'forbidden' } });
  }
  expect((await there.messages.page(chatId, { limit: 9 })).messages).toHaveLength(1);
  expect(await findFaults(both.database)).toEqual([]);
});

it('a rejected post does not affect the posts that are stored together with it', async () => {
  const { here } = both;
  const chatId = await makeGroup(2);
  const posts = [1, 3, 2, 4].map((senderId) =>
    here.messages.append(message(chatId, `m${senderId}`, senderId)),
  );
  const outcomes = await Promise.allSettled(posts);
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, false]);
  const { messages } = await here.messages.page(chatId, { limit: 9 });
  expect(messages.map(({ text }) => text)).toEqual(['m1', 'm2']);
});

it('a removal waits for a post in progress by the same member', async () => {
  const { here, there } = both;
  const chatId = await makeGroup(2);
  const lockChat = (sql: TransactionSql) => sql`select pg_advisory_xact_lock(731, ${chatId})`;
  const { post, removal } = await whileLocked(lockChat, async (blocked) => {
    const post = here.messages.append(message(chatId, 'before', 2));
    await blocked(1);
    const removal = there.chats.removeMember(chatId, 2);
    await blocked(2);
    return { post, removal };
  });
  await Promise.all([post, removal]);
  expect((await there.messages.last(chatId))?.text).toBe('before');
  expect(await here.chats.members(chatId)).toEqual([1]);
});

it.each([undefined, { key: 'k', bodyHash: 'h' }])(
  'a post with the key %j is rejected if its sender is being removed',
  async (key) => {
    const { here, there } = both;
    const chatId = await makeGroup(2);
    const lockRow = (sql: TransactionSql) =>
      sql`select from msgsite.chats where id = ${chatId} for update`;
    const { post, removal } = await whileLocked(lockRow, async (blocked) => {
      const removal = there.chats.removeMember(chatId, 2);
      await blocked(1);
      const post = here.messages.append(message(chatId, 'after', 2), key);
      await blocked(2);
      // Other members do not have to wait.
      await here.messages.append(message(chatId, 'of another', 1));
      return { post: Promise.allSettled([post]), removal };
    });
    expect(await post).toMatchObject([{ reason: { code: 'forbidden' } }]);
    await removal;
    const { messages } = await here.messages.page(chatId, { limit: 9 });
    expect(messages.map(({ text }) => text)).toEqual(['of another']);
    expect(await findFaults(both.database)).toEqual([]);
  },
);

it('if the owner and the next member leave concurrently, the remaining member becomes the owner', async () => {
  const { here, there } = both;
  for (let round = 0; round < 10; round += 1) {
    const chatId = await makeGroup(2, 3);
    await Promise.all([here.chats.removeMember(chatId, 1), there.chats.removeMember(chatId, 2)]);
    expect((await here.chats.find(chatId))?.ownerId).toBe(3);
    await Promise.all([here.chats.removeMember(chatId, 3), there.chats.removeMember(chatId, 3)]);
    expect(await there.chats.find(chatId)).toBeUndefined();
  }
  expect(await findFaults(both.database)).toEqual([]);
});

it('a member who is added while the last member leaves becomes the owner or receives an error', async () => {
  const { here, there } = both;
  for (let round = 0; round < 10; round += 1) {
    const chatId = await makeGroup();
    await here.messages.append(message(chatId, 'x'), { key: `${round}`, bodyHash: 'h' });
    const [joining] = await Promise.allSettled([
      there.chats.addMember(chatId, 2, round % 2 ? 10 : undefined),
      here.chats.removeMember(chatId, 1),
    ]);
    if (joining.status === 'fulfilled') {
      expect(joining.value).toBe('added');
      expect((await here.chats.find(chatId))?.ownerId).toBe(2);
    } else {
      expect(joining.reason).toMatchObject({ code: 'not_found' });
      expect(await here.chats.find(chatId)).toBeUndefined();
    }
  }
  expect(await findFaults(both.database)).toEqual([]);
});

it('random concurrent actions leave no references to deleted rows and cause no deadlocks', async () => {
  const { here, there } = both;
  const people = 6;
  await makeUsers(here, people);
  const chatIds: number[] = [];
  for (let n = 0; n < 3; n += 1) {
    chatIds.push(await makeGroup(2, 3, 4), (await here.chats.create(channel)).chat.id);
  }
  for (const other of [2, 3, 4]) chatIds.push((await here.chats.create(pair(1, other))).chat.id);
  const actions = (store: MessagingStore, n: number, chatId: number, userId: number) =>
    [
      () => store.chats.addMember(chatId, userId, n % 2 ? 4 : undefined),
      () => store.chats.removeMember(chatId, userId),
      () => store.chats.removeMember(chatId, 1 + (n % people)),
      () => store.messages.append(message(chatId, `m${n}`, userId)),
      () =>
        store.messages.append(message(chatId, `k${n}`, userId), {
          key: `k${n % 7}`,
          bodyHash: 'h',
        }),
      () => store.chats.markRead(chatId, userId, n),
      () => store.chats.rename(chatId, `n${n}`),
      () => store.chats.create(pair(userId, 1 + (userId % people))),
      () => (n > 150 ? store.endAccount(userId, { at: createdAt }) : store.chats.listOf(userId)),
    ] as const;
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  for (let round = 0; round < 12; round += 1) {
    const works = Array.from({ length: 25 }, (_, n) => {
      const store = random(2) ? here : there;
      const chatId = chatIds[random(chatIds.length)] ?? 0;
      const some = actions(store, round * 25 + n, chatId, 1 + random(people));
      return (some[random(some.length)] ?? some[0])();
    });
    for (const outcome of await Promise.allSettled<unknown>(works)) {
      if (outcome.status === 'fulfilled') continue;
      expect(outcome.reason).toBeInstanceOf(AppError);
      expect(['forbidden', 'not_found', 'conflict']).toContain(outcome.reason.code);
    }
    expect(await findFaults(both.database)).toEqual([]);
  }
});

it('if two users delete their accounts concurrently, their private chat is deleted', async () => {
  const { here, there } = both;
  await makeUsers(here, 2);
  const { chat } = await here.chats.create(pair(1, 2));
  await here.messages.append(message(chat.id, 'x'));
  await Promise.all([
    here.endAccount(1, { at: createdAt }),
    there.endAccount(2, { at: createdAt }),
  ]);
  expect(await here.chats.find(chat.id)).toBeUndefined();
  expect(await findFaults(both.database)).toEqual([]);
});

it('a deleted account cannot be added to chats, start chats or be deleted again', async () => {
  const { here, there } = both;
  await makeUsers(here, 2);
  const chatId = await makeGroup();
  const { chat } = await here.chats.create(pair(2, 1));
  const ends = [here, there].map((store) => store.endAccount(2, { at: createdAt }));
  expect((await Promise.all(ends)).sort()).toEqual([false, true]);
  const attempts = [
    there.chats.addMember(chatId, 2),
    there.chats.create(pair(2, 3)),
    there.chats.create({ ...group, ownerId: 2 }),
  ];
  for (const outcome of await Promise.allSettled<unknown>(attempts)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } });
  }
  await expect(there.messages.append(message(chat.id, 'x', 2))).rejects.toMatchObject({
    code: 'forbidden',
  });
  expect(await there.chats.members(chat.id)).toEqual([2, 1]);
  await there.chats.markRead(chat.id, 2, 5);
  expect(await there.users.change(2, { bio: 'b' })).toBeUndefined();
  expect(await findFaults(both.database)).toEqual([]);
});

it('the messages of a very long deleted chat are unreadable, and deleted in batches', async () => {
  const { here, there, database } = both;
  const chatId = await makeGroup();
  await here.messages.append(message(chatId, 'x'), { key: 'k', bodyHash: 'h' });
  await database.run(
    'fill',
    (sql) => sql`
      insert into msgsite.messages
        (chat_id, id, sender_id, type, text, iv, encrypted, auth_tag, scheme, created_at)
      select ${chatId}, 1000 + n, 1, 'text', 't', '', '', '', 'email', now()
      from generate_series(1, 21000) n`,
  );
  const count = async () => {
    const [row] = await database.run(
      'count',
      (sql) => sql<{ count: number }[]>`select count(*) from msgsite.messages`,
    );
    return row?.count;
  };
  await here.chats.removeMember(chatId, 1);
  expect(await count()).toBe(11_001);
  expect(await there.chats.find(chatId)).toBeUndefined();
  await Promise.all([sweepRemovedChats(database), sweepRemovedChats(database)]);
  expect(await count()).toBe(0);
  expect(await findFaults(database)).toEqual([]);
});
