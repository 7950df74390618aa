import { expect, it, onTestFinished } from 'vitest';
import { createRateLimiter, unlimited } from '../../src/base/rate-limit.js';
import { type Counter, createChats, maxMembers } from '../../src/messaging/chats.js';
import { createMessageCipher, createMessageTexts } from '../../src/messaging/cipher.js';
import { createMembers } from '../../src/messaging/members.js';
import { openJsonMessagingStore } from '../../src/messaging/store-json/open.js';
import { createFaultyFiles } from '../faults/faulty-files.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

const minute = 60_000;
const limited = { code: 'rate_limited', headers: { 'Retry-After': expect.any(String) } };

async function setUp(counter?: Counter) {
  const clock = createManualClock();
  const files = createFaultyFiles();
  const folder = await makeTempFolder();
  const store = await openJsonMessagingStore({ folder, clock, files });
  onTestFinished(() => store.close());
  const log = { warn() {}, error() {} };
  const texts = createMessageTexts(createMessageCipher(undefined), log);
  const shared = { store, counter: counter ?? createRateLimiter(clock) };
  const chats = createChats({ ...shared, texts, clock, log });
  const members = createMembers({ ...shared, chats });
  const createdAt = new Date(clock.now()).toISOString();
  const join = (n: number) =>
    store.users.create({
      username: `u${n}`,
      email: `u${n}@x.kz`,
      passwordHash: '',
      avatar: null,
      bio: '',
      createdAt,
    });
  const people = (count: number) => Promise.all(Array.from({ length: count }, (_, n) => join(n)));
  return { store, chats, members, clock, files, people };
}

/** Returns how many calls succeed before one is rejected. */
async function countUntilLimited(act: () => Promise<unknown>): Promise<number> {
  for (let count = 0; ; count += 1) {
    const failure = await act().then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure) {
      expect(failure).toMatchObject(limited);
      return count;
    }
  }
}

it('a user can create 30 chats in a burst and 100 per hour, counting all types', async () => {
  const { chats, clock, people } = await setUp();
  const [ann, bob, eve] = await people(3);
  if (!ann || !bob || !eve) return;
  await chats.create(ann, { type: 'channel', name: 'c' });
  await chats.create(ann, { type: 'private', participantId: bob.id });
  const make = () => chats.create(ann, { type: 'group', name: 'g' });
  expect(await countUntilLimited(make)).toBe(28);
  await expect(chats.create(ann, { type: 'private', participantId: eve.id })).rejects.toMatchObject(
    limited,
  );
  expect((await chats.create(bob, { type: 'group', name: 'g' })).created).toBe(true);
  await clock.advance(6 * minute);
  expect(await countUntilLimited(make)).toBe(10);
});

it('the chat limit counts neither existing private chats nor failed attempts', async () => {
  const { chats, files, people } = await setUp();
  const [ann, bob] = await people(2);
  if (!ann || !bob) return;
  const toBob = () => chats.create(ann, { type: 'private', participantId: bob.id });
  await toBob();
  for (let n = 0; n < 50; n += 1) expect((await toBob()).created).toBe(false);
  for (const participantId of [ann.id, 999]) {
    await expect(chats.create(ann, { type: 'private', participantId })).rejects.toThrow();
  }
  const make = () => chats.create(ann, { type: 'group', name: 'g' });
  files.fault = ({ step, path }) => (step === 'write' && /chats/.test(path) ? 'ENOSPC' : undefined);
  for (let n = 0; n < 40; n += 1) {
    await expect(make()).rejects.toMatchObject({ code: 'storage_unavailable' });
  }
  files.fault = () => undefined;
  expect(await countUntilLimited(make)).toBe(29);
  expect((await toBob()).created).toBe(false);
});

it('a user can add 300 people per hour across all groups, not counting existing members', async () => {
  const { chats, members, clock, people } = await setUp();
  const [ann, ...others] = await people(320);
  if (!ann) return;
  const groups = [
    await chats.create(ann, { type: 'group', name: 'a' }),
    await chats.create(ann, { type: 'group', name: 'b' }),
  ];
  let next = 0;
  const add = () => {
    next += 1;
    const { id = 0 } = groups[next % 2]?.chat ?? {};
    return members.add(ann, id, others[next - 1]?.id ?? 0);
  };
  const addAgain = () => members.add(ann, groups[1]?.chat.id ?? 0, others[0]?.id ?? 0);
  await add();
  for (let n = 0; n < 50; n += 1) await addAgain();
  expect(await countUntilLimited(add)).toBe(299);
  expect((await addAgain()).participants).toContain(others[0]?.id);
  await clock.advance(minute);
  expect(await countUntilLimited(add)).toBe(5);
});

it('a user can subscribe to 300 channels per hour', async () => {
  const { store, members, people } = await setUp();
  const [ann, bob] = await people(2);
  if (!ann || !bob) return;
  const ids: number[] = [];
  for (let n = 0; n < 302; n += 1) {
    const channel = { type: 'channel', name: 'c', ownerId: bob.id, createdAt: '' } as const;
    ids.push((await store.chats.create(channel)).chat.id);
  }
  let next = 0;
  expect(await countUntilLimited(() => members.subscribe(ann, ids[next++] ?? 0))).toBe(300);
  expect((await members.subscribe(ann, ids[0] ?? 0)).participants).toEqual([bob.id, ann.id]);
});

it('a group has at most 1,000 members, even without rate limits', async () => {
  const { store, chats, members, people } = await setUp(unlimited);
  const [ann, ...others] = await people(maxMembers + 1);
  if (!ann) return;
  const { chat } = await chats.create(ann, { type: 'group', name: 'g' });
  const add = (n: number) => members.add(ann, chat.id, others[n]?.id ?? 0);
  for (let n = 0; n < maxMembers - 2; n += 1) await add(n);
  const outcomes = await Promise.allSettled([add(maxMembers - 2), add(maxMembers - 1)]);
  expect(outcomes).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: 'conflict', status: 409 } },
  ]);
  expect(await store.chats.members(chat.id)).toHaveLength(maxMembers);
  expect((await add(0)).participants).toHaveLength(maxMembers);
});
