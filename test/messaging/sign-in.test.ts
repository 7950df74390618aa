import { expect, it, onTestFinished } from 'vitest';
import { createAccounts } from '../../src/messaging/accounts.js';
import { createHashingThreads, type HashingTask } from '../../src/messaging/hashing-threads.js';
import { createPasswordHasher } from '../../src/messaging/password-hasher.js';
import type { UserStore } from '../../src/messaging/store.js';
import { openJsonMessagingStore } from '../../src/messaging/store-json/open.js';
import { createTokens } from '../../src/messaging/tokens.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

const clock = createManualClock();
const ann = { email: 'ann@x.kz', password: 'correct horse' };

/** Creates accounts on real files with real hashing. `open` restarts them with a different cost. */
async function setUp() {
  const folder = await makeTempFolder();
  const store = await openJsonMessagingStore({ folder, clock });
  const threads = createHashingThreads();
  onTestFinished(async () => {
    await threads.close();
    await store.close();
  });
  const tasks: HashingTask[] = [];
  const failures: unknown[] = [];
  const run = (task: HashingTask) => {
    tasks.push(task);
    return threads.run(task);
  };
  const tokens = createTokens({ secret: 'x'.repeat(32), ttl: 60, clock, store: store.tokens });
  const open = (cost: number, users: UserStore = store.users) =>
    createAccounts({
      users,
      tokens,
      hasher: createPasswordHasher({ cost, threads: { ...threads, run } }),
      clock,
      log: { warn: (...line: unknown[]) => failures.push(line) },
    });
  const hash = async () => (await store.users.findByEmail(ann.email))?.passwordHash;
  return { store, open, tasks, failures, hash };
}

/** Returns the number of bcrypt rounds of a task. */
function roundsOf({ hash = '', costs }: HashingTask): number {
  return [Number(hash.slice(4, 6)), ...costs].reduce((sum, cost) => sum + 2 ** cost, 0);
}

it.each([
  ['raised', 4, 6],
  ['lowered', 6, 4],
])(
  'a failed sign-in takes equal work for every e-mail address after the cost was %s',
  async (_, before, now) => {
    const { open, tasks } = await setUp();
    await open(before).register({ ...ann, username: 'Ann' });
    await open(now).register({ ...ann, email: 'new@x.kz', username: 'New' });
    tasks.length = 0;
    const accounts = open(now);
    for (const email of [ann.email, 'new@x.kz', 'nobody@x.kz']) {
      for (const password of ['wrong password', 'x'.repeat(100)]) {
        await expect(accounts.signIn({ email, password })).rejects.toMatchObject({
          code: 'unauthorized',
        });
      }
    }
    expect(new Set(tasks.map(roundsOf))).toEqual(new Set([2 ** 6]));
  },
);

it.each([
  ['raised', 4, 5],
  ['lowered', 5, 4],
])('a sign-in updates the password hash once after the cost was %s', async (_, before, now) => {
  const { open, tasks, hash } = await setUp();
  await open(before).register({ ...ann, username: 'Ann' });
  const accounts = open(now);
  await expect(accounts.signIn({ ...ann, password: 'wrong' })).rejects.toThrow();
  expect(await hash()).toMatch(new RegExp(`^.2b.0${before}`));
  await accounts.signIn(ann);
  const renewed = await hash();
  expect(renewed).toMatch(new RegExp(`^.2b.0${now}`));
  tasks.length = 0;
  await accounts.signIn(ann);
  expect(tasks.map(roundsOf)).toEqual([2 ** now]);
  expect(await hash()).toBe(renewed);
});

it('a sign-in succeeds, but logs a warning, if the new hash cannot be stored', async () => {
  const { store, open, failures, hash } = await setUp();
  await open(4).register({ ...ann, username: 'Ann' });
  const broken = { ...store.users, replaceHash: () => Promise.reject(new Error('disk full')) };
  expect((await open(5, broken).signIn(ann)).user.email).toBe(ann.email);
  expect(failures).toHaveLength(1);
  expect(await hash()).toMatch(/^.2b.04/);
});
