import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createMessageCipher } from '../../src/messaging/cipher.js';
import type { MessagingStore } from '../../src/messaging/store.js';
import { messagingChecker } from '../../src/messaging/store-json/checker.js';
import { openJsonMessagingStore } from '../../src/messaging/store-json/open.js';
import { createPowerCutFiles } from '../faults/power-cut-files.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { createRandom } from '../power-cut/random.js';
import { channel, createdAt, group, isRevoked, privateChat, userFields } from './store-samples.js';

const clock = createManualClock();
const cipher = createMessageCipher(undefined);
const end = { at: createdAt };

async function post(store: MessagingStore, chatId: number, senderId: number): Promise<number> {
  const sender = await store.users.find(senderId);
  if (!sender) throw new Error(`There is no user ${senderId}.`);
  const text = `by ${senderId}`;
  const encrypted = cipher.encrypt(text, sender);
  const fields = { chatId, senderId, type: 'text', text, scheme: 'email', createdAt } as const;
  return (await store.messages.append({ ...fields, encrypted })).message.id;
}

/** Creates users 1 to 6 and the chats that the actions use. */
async function prepare(store: MessagingStore): Promise<void> {
  for (let n = 1; n <= 6; n += 1) await store.users.create(userFields(`u${n}@x.kz`));
  const members: [Parameters<typeof store.chats.create>[0], number[]][] = [
    [group(1), [2, 3]],
    [group(1), []],
    [group(4), [5]],
    [channel(4), []],
    [privateChat(4, 6), []],
    [privateChat(4, 5), []],
  ];
  for (const [chat, others] of members) {
    const { id } = (await store.chats.create(chat)).chat;
    for (const userId of others) await store.chats.addMember(id, userId);
    await post(store, id, chat.ownerId);
  }
  // The marks create membership records for the founders.
  for (const [chatId, userId] of [
    [1, 1],
    [2, 1],
    [3, 4],
    [5, 4],
  ] as const) {
    await store.chats.markRead(chatId, userId, 1);
  }
  await store.endAccount(6, end);
}

type Work = (store: MessagingStore) => Promise<unknown>;
/** An action with its name, and a check that must succeed at any time after it. */
type Action = readonly [name: string, act: Work, holds: (store: MessagingStore) => Promise<void>];

const sessionsOf = async (store: MessagingStore) => (await store.users.find(5))?.sessions ?? 0;

const actions: readonly Action[] = [
  [
    'mark',
    (store) => store.chats.markRead(1, 2, 1),
    async (store) => expect((await store.chats.membership(1, 2))?.readId).toBe(1),
  ],
  [
    'leave',
    (store) => store.chats.removeMember(1, 3),
    async (store) => expect(await store.chats.membership(1, 3)).toBeUndefined(),
  ],
  [
    'the owner leaves',
    (store) => store.chats.removeMember(1, 1),
    async (store) => {
      expect((await store.chats.find(1))?.ownerId).toBe(2);
      expect(await store.chats.members(1)).toEqual([2]);
    },
  ],
  [
    'post',
    (store) => post(store, 2, 1),
    async (store) => {
      const { messages } = await store.messages.page(2, { limit: 9 });
      expect([0, 2]).toContain(messages.length);
    },
  ],
  [
    'the last member leaves',
    (store) => store.chats.removeMember(2, 1),
    async (store) => {
      expect(await store.chats.find(2)).toBeUndefined();
      expect((await store.messages.page(2, { limit: 9 })).messages).toEqual([]);
    },
  ],
  [
    'reset code',
    (store) => store.users.setReset(5, { hash: 'r', expires: 9e12 }),
    async (store) => {
      const { reset, passwordHash } = (await store.users.find(5)) ?? {};
      expect(reset?.hash === 'r' || passwordHash === 'new').toBe(true);
    },
  ],
  [
    'reset',
    (store) => store.users.replacePassword(5, { resetHash: 'r' }, 'new'),
    async (store) => {
      expect((await store.users.find(5))?.passwordHash).toBe('new');
      expect((await store.users.find(5))?.reset).toBeUndefined();
      expect(await sessionsOf(store)).toBeGreaterThan(0);
    },
  ],
  [
    'sign out everywhere',
    (store) => store.users.endTokens(5),
    async (store) => expect(await sessionsOf(store)).toBe(2),
  ],
  ['delete an account', (store) => store.endAccount(4, end), expectEnded],
  [
    'rename',
    (store) => store.chats.rename(1, 'new'),
    async (store) => expect((await store.chats.find(1))?.name).toBe('new'),
  ],
  [
    'renew a token',
    (store) => store.tokens.revoke('t', 9e12, 1),
    async (store) => expect(await isRevoked(store, 't', clock.now())).toBe(true),
  ],
];

async function expectEnded(store: MessagingStore): Promise<void> {
  expect((await store.users.find(4))?.deleted).toEqual(end);
  expect(await store.users.findByEmail('u4@x.kz')).toBeUndefined();
  expect(await store.chats.members(3)).toEqual([5]);
  expect((await store.chats.find(3))?.ownerId).toBe(5);
  expect(await store.chats.find(4)).toBeUndefined();
  // The other account of this private chat was deleted before.
  expect(await store.chats.find(5)).toBeUndefined();
  expect((await store.chats.membership(6, 4))?.readId ?? null).toBeNull();
  expect((await store.messages.page(6, { limit: 9 })).messages).toHaveLength(1);
}

/** Share of the steps at which the power is cut: during actions, and while the store opens or closes. */
const shares =
  process.env.MSGSITE_TEST_EVERY_STEP !== undefined
    ? { acting: 1, else: 1 }
    : { acting: 1 / 2, else: 1 / 8 };
const seed = `people ${Date.now()}`;

it(`acknowledged changes of people and chats survive a power cut at any step (seed ${seed})`, async () => {
  const root = await makeTempFolder();
  const random = createRandom(seed).next;
  const now = join(root, 'now');
  mkdirSync(now);
  const files = createPowerCutFiles(now);
  const folder = join(now, 'messaging');
  const first = await openJsonMessagingStore({ folder, clock, files });
  await prepare(first);
  await first.close();
  const cuts: { data: string; done: number }[] = [];
  let done = 0;
  let uses = 0;
  let isActing = false;
  let share = random();
  files.onUse = () => {
    uses += 1;
    share += isActing ? shares.acting : shares.else;
    if (share < 1) return;
    share -= 1;
    const data = join(root, `cut-${cuts.length}`);
    mkdirSync(data);
    files.cut(data, random);
    cuts.push({ data, done });
  };
  const store = await openJsonMessagingStore({ folder, clock, files });
  isActing = true;
  for (const [, act] of actions) {
    await act(store);
    done += 1;
  }
  isActing = false;
  await store.close();
  files.onUse = () => {};
  expect(uses).toBeGreaterThan(60);
  // The cuts are spread over all actions.
  expect(new Set(cuts.map((cut) => cut.done)).size).toBeGreaterThan(actions.length / 2);

  for (const { data, done } of cuts) {
    const findings: string[] = [];
    await messagingChecker(undefined).check(data, ({ severity, file, message }) => {
      if (severity === 'error') findings.push(`${file}: ${message}`);
    });
    const again = await openJsonMessagingStore({
      folder: join(data, 'messaging'),
      clock,
      onDamage: ({ file, message }) => findings.push(`${file}: ${message}`),
    });
    for (const [name, , holds] of actions.slice(0, done)) {
      await holds(again).catch((cause) => {
        throw new Error(`${name} does not hold after ${done} actions.`, { cause });
      });
    }
    // The deletion is complete or absent.
    if ((await again.users.find(4))?.deleted) await expectEnded(again);
    else expect((await again.chats.find(4))?.ownerId).toBe(4);
    await again.close();
    expect(findings).toEqual([]);
  }
});
