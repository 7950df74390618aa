import { expect, it, onTestFinished } from 'vitest';
import { unlimited } from '../../src/base/rate-limit.js';
import { createChats } from '../../src/messaging/chats.js';
import { createMessageCipher, createMessageTexts } from '../../src/messaging/cipher.js';
import type { User } from '../../src/messaging/model.js';
import type { MessagingStore } from '../../src/messaging/store.js';
import { openJsonMessagingStore } from '../../src/messaging/store-json/open.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

const createdAt = '2026-01-31T09:00:00.000Z';

/** Creates chats on real files, and records the method calls of the store. */
async function setUp() {
  const clock = createManualClock();
  const store = await openJsonMessagingStore({ folder: await makeTempFolder(), clock });
  onTestFinished(() => store.close());
  const reads: string[] = [];
  const counted = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          reads.push(String(name));
          return value.apply(target, args);
        };
      },
    });
  const watched: MessagingStore = {
    ...store,
    chats: counted(store.chats),
    users: counted(store.users),
    messages: counted(store.messages),
  };
  const log = { warn() {}, error() {} };
  const texts = createMessageTexts(createMessageCipher(undefined), log);
  const chats = createChats({
    store: watched,
    texts,
    counter: unlimited,
    clock,
    log,
  });
  const join = (n: number): Promise<User> =>
    store.users.create({
      username: `u${n}`,
      email: `u${n}@x.kz`,
      passwordHash: '',
      avatar: null,
      bio: '',
      createdAt,
    });
  return { store, chats, reads, join };
}

it("listing a subscriber's channels does not read their members", async () => {
  const { store, chats, reads, join } = await setUp();
  const [owner, reader] = [await join(1), await join(2)];
  const make = async () => {
    const fields = { type: 'channel', name: 'c', ownerId: owner.id, createdAt } as const;
    const { chat } = await store.chats.create(fields);
    await store.chats.addMember(chat.id, reader.id);
    return chat.id;
  };
  const [small, large] = [await make(), await make()];
  const others = Array.from({ length: 10_000 }, (_, n) => store.chats.addMember(large, 1000 + n));
  await Promise.all(others);
  const { chats: listed } = await chats.list(reader, 1024);
  expect(
    listed.map(({ chat, participants, participantCount }) => [
      chat.id,
      participants,
      participantCount,
    ]),
  ).toEqual([
    [large, [owner.id, reader.id], 10_002],
    [small, [owner.id, reader.id], 2],
  ]);
  expect(reads).not.toContain('members');
  expect((await chats.list(owner, 1024)).chats[0]?.participants).toHaveLength(10_002);
});

it('listing chats reads every person once, and counts messages only in chats with unread ones', async () => {
  const { store, chats, reads, join } = await setUp();
  const [ann, bob] = [await join(1), await join(2)];
  const encrypted = createMessageCipher(undefined).encrypt('x', bob);
  for (let n = 0; n < 50; n += 1) {
    const fields = { type: 'group', name: 'g', ownerId: ann.id, createdAt } as const;
    const { chat } = await store.chats.create(fields);
    await store.chats.addMember(chat.id, bob.id);
    const draft = { chatId: chat.id, senderId: bob.id, type: 'text', text: 'x' } as const;
    const { message } = await store.messages.append({
      ...draft,
      encrypted,
      scheme: 'email',
      createdAt,
    });
    if (n > 0) await store.chats.markRead(chat.id, ann.id, message.id);
  }
  const list = await chats.list(ann, 1024);
  expect(list.chats).toHaveLength(50);
  expect(list.chats.filter(({ unread }) => unread === 1)).toHaveLength(1);
  expect([...list.people].sort()).toEqual([ann.id, bob.id]);
  const timesOf = (name: string) => reads.filter((read) => read === name).length;
  expect(['find', 'countOthers', 'last', 'listOf'].map(timesOf)).toEqual([1, 1, 50, 1]);
});
