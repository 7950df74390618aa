import { describe, expect, it, onTestFinished } from 'vitest';
import { createHashingThreads, type HashingTask } from '../../src/messaging/hashing-threads.js';
import { createPasswordHasher } from '../../src/messaging/password-hasher.js';
import {
  createPasswords,
  hashResetCode,
  isResetCode,
  makeResetCode,
  resetCodeLife,
} from '../../src/messaging/passwords.js';
import { openJsonMessagingStore } from '../../src/messaging/store-json/open.js';
import { createTokens } from '../../src/messaging/tokens.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

const clock = createManualClock();
const password = 'correct horse';

describe('a reset code', () => {
  it('has twelve unambiguous letters and digits, and is different each time', () => {
    const codes = Array.from({ length: 500 }, makeResetCode);
    for (const code of codes) expect(code).toMatch(/^[2-9A-HJKMNP-Z]{12}$/);
    expect(new Set(codes).size).toBe(500);
    expect(new Set(codes.join('')).size).toBe(31);
  });

  it('is compared ignoring case, spaces and hyphens', () => {
    const hash = hashResetCode('ABCD2345EFGH');
    expect(hash).toMatch(/^[\da-f]{64}$/);
    for (const typed of ['abcd2345efgh', ' ABCD-2345-EFGH ', 'AbCd\u00a02345\u2011EFGH\n']) {
      expect(hashResetCode(typed)).toBe(hash);
    }
    expect(hashResetCode('ABCD2345EFGJ')).not.toBe(hash);
  });

  const now = clock.now();
  const hash = hashResetCode('ABCD2345EFGH');
  it.each([
    ['valid before its expiry', 'ABCD2345EFGH', { hash, expires: now + 1 }, true],
    ['invalid at its expiry', 'ABCD2345EFGH', { hash, expires: now }, false],
    [
      'invalid if it differs from the stored code',
      'ABCD2345EFGJ',
      { hash, expires: now + 1 },
      false,
    ],
    ['invalid without a stored code', 'ABCD2345EFGH', undefined, false],
    ['invalid if it is the stored hash', hash, { hash, expires: now + 1 }, false],
    ['invalid if the stored value is not a hash', '', { hash: '', expires: now + 1 }, false],
  ])('is %s', (_name, code, reset, isValid) => {
    expect(isResetCode(code, reset, now)).toBe(isValid);
  });
});

/** Creates the password service on real files with real hashing, and records the hashing tasks. */
async function setUp() {
  const store = await openJsonMessagingStore({ folder: await makeTempFolder(), clock });
  const threads = createHashingThreads();
  onTestFinished(async () => {
    await threads.close();
    await store.close();
  });
  const tasks: HashingTask[] = [];
  const run = (task: HashingTask) => {
    tasks.push(task);
    return threads.run(task);
  };
  const tokens = createTokens({ secret: 'x'.repeat(32), ttl: 60, clock, store: store.tokens });
  const hasherOf = (cost: number) => createPasswordHasher({ cost, threads: { ...threads, run } });
  const passwordsOf = (cost: number) =>
    createPasswords({ store, tokens, hasher: hasherOf(cost), clock });
  const join = async (email: string, cost: number) =>
    store.users.create({
      username: 'Ann',
      email,
      passwordHash: await hasherOf(cost).hash(password),
      avatar: null,
      bio: '',
      createdAt: '2026-01-31T09:00:00.000Z',
    });
  return { store, tasks, join, passwordsOf };
}

/** Returns the number of bcrypt rounds of a task. */
function roundsOf({ hash, costs }: HashingTask): number {
  return [...(hash ? [Number(hash.slice(4, 6))] : []), ...costs].reduce(
    (sum, c) => sum + 2 ** c,
    0,
  );
}

it('neither a wrong reset code nor an unknown e-mail address takes hashing work', async () => {
  const { store, tasks, join, passwordsOf } = await setUp();
  const { id, email } = await join('ann@x.kz', 4);
  const expires = clock.now() + resetCodeLife;
  await store.users.setReset(id, { hash: hashResetCode('ABCD2345EFGH'), expires });
  tasks.length = 0;
  const { reset } = passwordsOf(4);
  const newPassword = 'brand new words';
  for (const [mail, code] of [
    [email, 'ABCD2345EFGJ'],
    ['nobody@x.kz', 'ABCD2345EFGH'],
  ] as const) {
    const attempt = reset({ email: mail, code, newPassword });
    await expect(attempt).rejects.toMatchObject({ code: 'unauthorized' });
  }
  expect(tasks).toEqual([]);
  await reset({ email, code: 'ABCD2345EFGH', newPassword });
  expect(tasks.map(roundsOf)).toEqual([2 ** 4]);
});

it('a new password is hashed at the current cost, and checking a wrong password takes the highest cost', async () => {
  const { store, tasks, join, passwordsOf } = await setUp();
  const ann = await join('ann@x.kz', 4);
  await join('dear@x.kz', 7);
  tasks.length = 0;
  const { change } = passwordsOf(5);
  const wrong = change(ann, { currentPassword: 'wrong', newPassword: 'brand new words' });
  await expect(wrong).rejects.toMatchObject({ code: 'forbidden' });
  expect(tasks.map(roundsOf)).toEqual([2 ** 7]);
  await change(ann, { currentPassword: password, newPassword: 'brand new words' });
  expect((await store.users.find(ann.id))?.passwordHash).toMatch(/^.2b.05/);
  const late = change(ann, { currentPassword: password, newPassword: 'other new words' });
  await expect(late).rejects.toMatchObject({ code: 'conflict' });
});
