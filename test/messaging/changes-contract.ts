import { describe, expect, it } from 'vitest';
import type { Change, MessagingStore } from '../../src/messaging/store.js';
import {
  channel,
  createdAt,
  type FreshStore,
  group,
  message,
  privateChat,
  userFields,
} from './store-samples.js';

/** Tests which changes are reported. */
export function describeChanges(name: string, fresh: () => Promise<FreshStore>): void {
  const nameOf = (change: Change) =>
    change === 'unknown' ? change : Object.entries(change).flat().join(' ');

  /** Expects that `work` reports all of `expected` in any order, and none of `never`. */
  async function expectReported(
    store: MessagingStore,
    work: () => Promise<unknown>,
    expected: readonly string[],
    never: readonly string[] = [],
  ): Promise<void> {
    const reported = new Set<string>();
    const stop = store.changes.on((change) => void reported.add(nameOf(change)));
    await work();
    await expect.poll(() => [...reported]).toEqual(expect.arrayContaining([...expected]));
    for (const each of never) expect(reported).not.toContain(each);
    stop();
  }

  describe(`${name}: changes`, () => {
    it('are reported after they are stored, to every listener until it stops', async () => {
      const { store, close } = await fresh();
      const { chat } = await store.chats.create(group(1));
      const reported: number[][] = [[], []];
      const stops = reported.map((list) =>
        store.changes.on((change) => {
          if (change !== 'unknown' && 'chat' in change) list.push(change.chat);
        }),
      );
      await store.messages.append(message(chat.id, 'a'));
      await expect.poll(() => reported).toEqual([[chat.id], [chat.id]]);
      stops[0]?.();
      await store.messages.append(message(chat.id, 'b'));
      await expect.poll(() => reported).toEqual([[chat.id], [chat.id, chat.id]]);
      stops[1]?.();
      await close();
    });

    it("include a chat's messages, members, name and owner, and the read marks of a private chat", async () => {
      const { store, close } = await fresh();
      const { chats, messages } = store;
      await expectReported(store, () => chats.create(group(1)), ['list 1']);
      await expectReported(store, () => chats.create(privateChat(1, 2)), ['list 1', 'list 2']);
      await expectReported(store, () => messages.append(message(1, 'x')), ['chat 1'], ['chat 2']);
      await expectReported(store, () => chats.addMember(1, 3), ['chat 1', 'list 3'], ['list 1']);
      await expectReported(store, () => chats.rename(1, 'n'), ['chat 1'], ['list 1', 'chat 2']);
      await expectReported(store, () => chats.markRead(1, 3, 1), ['list 3'], ['chat 1', 'list 1']);
      await expectReported(store, () => chats.markRead(2, 2, 1), ['list 2', 'chat 2'], ['list 1']);
      await expectReported(store, () => chats.removeMember(1, 1), ['chat 1', 'list 1']);
      await expectReported(store, () => chats.removeMember(1, 3), ['chat 1', 'list 3']);
      await close();
    });

    it('include the list of a user whose tokens have all been revoked', async () => {
      const { store, close } = await fresh();
      const { users } = store;
      const { id, passwordHash } = await users.create(userFields('ann@x.kz'));
      await expectReported(store, () => users.endTokens(id), [`list ${id}`]);
      const proof = { passwordHash };
      await expectReported(store, () => users.replacePassword(id, proof, 'h2'), [`list ${id}`]);
      const reported: Change[] = [];
      store.changes.on((change) => void reported.push(change));
      expect(await users.replacePassword(id, proof, 'h3')).toBeUndefined();
      expect(reported).toEqual([]);
      await close();
    });

    it('are not reported when nothing was changed', async () => {
      const { store, close } = await fresh();
      const { chats } = store;
      await chats.create(group(1));
      await chats.markRead(1, 1, 5);
      const never = ['chat 1', 'list 1', 'list 7'];
      const probe = async () => {
        await chats.addMember(1, 1);
        await chats.markRead(1, 1, 4);
        await chats.removeMember(1, 7);
        await store.messages.append(message((await chats.create(group(2))).chat.id, 'x', 2));
      };
      await expectReported(store, probe, ['chat 2'], never);
      await close();
    });

    it("include a person's name and avatar, and the deletion of the account in every chat", async () => {
      const { store, close } = await fresh();
      for (const n of [1, 2, 3]) await store.users.create(userFields(`u${n}@x.kz`));
      await expectReported(store, () => store.users.change(1, { username: 'n' }), ['person 1']);
      await expectReported(store, () => store.users.change(1, { avatar: 'http://a' }), [
        'person 1',
      ]);
      const bio = () =>
        Promise.all([
          store.users.change(2, { bio: 'b' }),
          store.users.change(1, { username: 'n' }),
        ]);
      await expectReported(store, bio, ['person 1'], ['person 2']);
      await store.chats.create(group(2));
      await store.chats.addMember(1, 1);
      await store.chats.create(channel(1));
      await store.chats.addMember(2, 3);
      await store.chats.create(privateChat(3, 1));
      const end = () => store.endAccount(1, { at: createdAt });
      const reported = ['person 1', 'chat 1', 'chat 2', 'chat 3', 'list 1'];
      await expectReported(store, end, reported, ['person 2', 'person 3']);
      await close();
    });
  });
}
