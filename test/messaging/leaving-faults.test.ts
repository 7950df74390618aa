import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openJsonMessagingStore } from '../../src/messaging/store-json/open.js';
import { createFaultyFiles } from '../faults/faulty-files.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { createdAt, group, message, privateChat, userFields } from './store-samples.js';

const clock = createManualClock();

/** Creates a group of users 1, 2 and 3, and a private chat of users 1 and 2. `failOn` makes writes to a file fail. */
async function prepare() {
  const folder = join(await makeTempFolder(), 'messaging');
  const files = createFaultyFiles();
  const failures: unknown[] = [];
  const store = await openJsonMessagingStore({
    ...{ folder, clock, files },
    onBackgroundFailure: (error) => failures.push(error),
  });
  for (const n of [1, 2, 3]) await store.users.create(userFields(`u${n}@x.kz`));
  await store.chats.create(group(1));
  for (const userId of [2, 3]) await store.chats.addMember(1, userId);
  await store.chats.create(privateChat(1, 2));
  await store.messages.append(message(1, 'x'));
  for (const chatId of [1, 2]) await store.chats.markRead(chatId, 1, 1);
  return {
    ...{ store, failures },
    failOn(name: string) {
      files.fault = ({ path, step }) =>
        step === 'write' && path.includes(`/${name}.`) && !path.includes('durable')
          ? 'ENOSPC'
          : undefined;
    },
    heal() {
      files.fault = () => undefined;
    },
    async reopen() {
      await store.close();
      return openJsonMessagingStore({ folder, clock });
    },
  };
}

const rejected = { status: 'rejected', reason: { code: 'storage_unavailable' } };

it('a disk failure during a removal preserves the membership and, for the last member, the chat', async () => {
  const { store, failOn, heal, reopen } = await prepare();
  const { chats, messages } = store;
  failOn('members');
  const left = await Promise.allSettled([chats.removeMember(1, 2), chats.markRead(1, 3, 1)]);
  expect(left).toMatchObject([rejected, rejected]);
  failOn('chats');
  expect(await Promise.allSettled([chats.removeMember(1, 1)])).toMatchObject([rejected]);
  expect(await chats.members(1)).toEqual([1, 2, 3]);
  expect(await chats.membership(1, 3)).toMatchObject({ readId: null });
  heal();
  for (const userId of [1, 2]) await chats.removeMember(1, userId);
  failOn('chats');
  expect(await Promise.allSettled([chats.removeMember(1, 3)])).toMatchObject([rejected]);
  heal();
  await messages.append(message(1, 'continues', 3));
  const again = await reopen();
  expect(await again.chats.members(1)).toEqual([3]);
  expect((await again.messages.page(1, { limit: 9 })).messages).toHaveLength(2);
  await again.close();
});

it('an owner has left after the chat is stored, and can rejoin despite a disk failure in between', async () => {
  const { store, failures, failOn, heal, reopen } = await prepare();
  failOn('members');
  expect(await store.chats.removeMember(1, 1)).toMatchObject({ ownerId: 2 });
  expect(failures).toMatchObject([{ code: 'storage_unavailable' }]);
  expect(await store.chats.membership(1, 1)).toBeUndefined();
  expect(await Promise.allSettled([store.chats.addMember(1, 1)])).toMatchObject([rejected]);
  heal();
  expect(await store.chats.addMember(1, 1)).toBe('added');
  const again = await reopen();
  expect(await again.chats.members(1)).toEqual([2, 3, 1]);
  expect(await again.chats.membership(1, 1)).toMatchObject({ startId: 1, readId: null });
  await again.close();
});

it.each(['with the next deletion', 'on closing'])(
  'after a disk failure, the removal of a deleted account from its chats is completed %s',
  async (when) => {
    const { store, failures, failOn, heal, reopen } = await prepare();
    failOn('users');
    const end = { at: createdAt };
    expect(await Promise.allSettled([store.endAccount(1, end)])).toMatchObject([rejected]);
    expect((await store.users.find(1))?.deleted).toBeUndefined();
    failOn('chats');
    expect(await store.endAccount(1, end)).toBe(true);
    expect(failures).toMatchObject([{ code: 'storage_unavailable' }]);
    heal();
    if (when !== 'on closing') {
      await store.endAccount(3, end);
      expect(await store.chats.members(1)).toEqual([2]);
    }
    const again = await reopen();
    expect((await again.chats.find(1))?.ownerId).toBe(2);
    expect(await again.chats.membership(2, 1)).toMatchObject({ readId: null });
    await again.close();
  },
);
