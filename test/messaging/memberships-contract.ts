import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  channel,
  createdAt,
  type FreshStore,
  group,
  message,
  privateChat,
} from './store-samples.js';

const rising = (a: number, b: number) => a - b;

/** Tests the members of chats, their owners and names. */
export function describeMemberships(name: string, fresh: () => Promise<FreshStore>): void {
  describe(`${name}: memberships`, () => {
    it('are counted and paged by ID, even after changes', async () => {
      const { store, reopen, close } = await fresh();
      const { chat } = await store.chats.create(channel(5));
      for (const id of [9, 2, 7, 4]) await store.chats.addMember(chat.id, id);
      const page = (after: number, limit: number) =>
        store.chats.membersById(chat.id, { after, limit });
      expect(await page(0, 3)).toEqual([2, 4, 5]);
      await store.chats.removeMember(chat.id, 4);
      await store.chats.addMember(chat.id, 3);
      expect(await page(0, 3)).toEqual([2, 3, 5]);
      expect(await page(5, 3)).toEqual([7, 9]);
      const again = await reopen();
      expect(await again.chats.countMembers(chat.id)).toBe(5);
      expect(await again.chats.membersById(chat.id, { after: 2, limit: 9 })).toEqual([3, 5, 7, 9]);
      expect(await again.chats.countMembers(999)).toBe(0);
      expect(await again.chats.membersById(999, { after: 0, limit: 9 })).toEqual([]);
      await close();
    });

    it('end when a member leaves, and a member who rejoins is listed last', async () => {
      const { store, reopen, close } = await fresh();
      const { chat } = await store.chats.create(group(1));
      for (const id of [2, 3, 4]) await store.chats.addMember(chat.id, id);
      expect(await store.chats.removeMember(chat.id, 2)).toEqual(chat);
      // Has no effect for non-members.
      expect(await store.chats.removeMember(chat.id, 2)).toEqual(chat);
      expect(await store.chats.removeMember(chat.id, 99)).toEqual(chat);
      expect(await store.chats.removeMember(999, 1)).toBeUndefined();
      expect(await store.chats.membership(chat.id, 2)).toBeUndefined();
      expect(await store.chats.listOf(2)).toEqual([]);
      expect(await store.chats.addMember(chat.id, 2)).toBe('added');
      const again = await reopen();
      expect(await again.chats.members(chat.id)).toEqual([1, 3, 4, 2]);
      expect(await again.chats.removeMember(chat.id, 1)).toEqual({ ...chat, ownerId: 3 });
      expect(await again.chats.addMember(chat.id, 1)).toBe('added');
      expect(await again.chats.members(chat.id)).toEqual([3, 4, 2, 1]);
      const last = await reopen();
      expect(await last.chats.members(chat.id)).toEqual([3, 4, 2, 1]);
      expect(await last.chats.removeMember(chat.id, 3)).toEqual({ ...chat, ownerId: 4 });
      await close();
    });

    it('end with the chat and its messages when the last member leaves, and the ID is not reused', async () => {
      const { store, reopen, close } = await fresh();
      const { chat } = await store.chats.create(group(1, 'gone'));
      await store.chats.addMember(chat.id, 2);
      const key = { key: 'k', bodyHash: 'h' };
      const { message: sent } = await store.messages.append(message(chat.id, 'x'), key);
      expect(await store.chats.removeMember(chat.id, 1)).toMatchObject({ ownerId: 2 });
      expect(await store.chats.removeMember(chat.id, 2)).toBeUndefined();
      expect(await store.chats.removeMember(chat.id, 2)).toBeUndefined();
      let each = store;
      for (let round = 0; round < 3; round += 1) {
        expect(await each.chats.find(chat.id)).toBeUndefined();
        expect(await each.chats.membership(chat.id, 2)).toBeUndefined();
        expect(await each.chats.rename(chat.id, 'again')).toBeUndefined();
        expect(await each.chats.markRead(chat.id, 2, sent.id)).toBeUndefined();
        expect(await each.messages.page(chat.id, { limit: 9 })).toEqual({
          ...{ messages: [], hasMore: false },
        });
        expect(await each.messages.last(chat.id)).toBeUndefined();
        expect(await each.messages.hasNews(chat.id, 2, 0)).toBeUndefined();
        const others = { userId: 7, after: 0, max: 9 };
        expect(await each.messages.countOthers(chat.id, others)).toBe(0);
        await expect(each.chats.addMember(chat.id, 3)).rejects.toMatchObject({ code: 'not_found' });
        await expect(each.messages.append(message(chat.id, 'y', 2))).rejects.toMatchObject({
          code: 'forbidden',
        });
        each = await reopen();
      }
      const next = (await each.chats.create(group(1))).chat;
      expect(next.id).toBeGreaterThan(chat.id);
      const later = await each.messages.append(message(next.id, 'z'));
      expect(later.message.id).toBeGreaterThan(sent.id);
      expect((await each.messages.page(next.id, { limit: 9 })).messages).toHaveLength(1);
      await close();
    });

    it('leave nothing behind if a chat is deleted while messages and read marks are being stored', async () => {
      const { store, reopen, close } = await fresh();
      const { chat } = await store.chats.create(group(1));
      const other = (await store.chats.create(group(1))).chat;
      await store.chats.addMember(other.id, 2);
      const outcomes = await Promise.allSettled([
        ...Array.from({ length: 5 }, () => store.messages.append(message(chat.id, 'x'))),
        store.chats.removeMember(chat.id, 1),
        store.messages.append(message(chat.id, 'x')),
        store.messages.append(message(other.id, 'stays')),
        store.chats.markRead(chat.id, 1, 1),
      ]);
      expect(outcomes[5]).toEqual({ status: 'fulfilled', value: undefined });
      for (const each of [store, await reopen(), await reopen()]) {
        expect(await each.chats.find(chat.id)).toBeUndefined();
        expect((await each.messages.page(chat.id, { limit: 9 })).messages).toEqual([]);
        expect((await each.messages.page(other.id, { limit: 9 })).messages).toHaveLength(1);
      }
      await close();
    });

    it('always include the owner, even if members join and leave concurrently', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ userId: fc.integer({ min: 1, max: 4 }), joins: fc.boolean() }), {
            minLength: 1,
            maxLength: 14,
          }),
          async (steps) => {
            const { store, reopen, close } = await fresh();
            const { chat } = await store.chats.create(group(1));
            await Promise.allSettled(
              steps.map(({ userId, joins }) =>
                joins
                  ? store.chats.addMember(chat.id, userId, 100)
                  : store.chats.removeMember(chat.id, userId),
              ),
            );
            const members = await store.chats.members(chat.id);
            const now = await store.chats.find(chat.id);
            expect(members[0]).toBe(now?.ownerId);
            expect(members).toEqual([...new Set(members)]);
            const again = await reopen();
            expect(await again.chats.find(chat.id)).toEqual(now);
            expect(await again.chats.members(chat.id)).toEqual(members);
            const sorted = [...members].sort(rising);
            const page = { after: 0, limit: 9 };
            expect(await again.chats.membersById(chat.id, page)).toEqual(sorted);
            for (let userId = 1; userId <= 4; userId += 1) {
              const ids = (await again.chats.listOf(userId)).map((each) => each.chat.id);
              expect(ids).toEqual(members.includes(userId) ? [chat.id] : []);
            }
            await close();
          },
        ),
        { numRuns: 10 },
      );
    });

    it('do not change when the chat is renamed', async () => {
      const { store, reopen, close } = await fresh();
      const { chat } = await store.chats.create(channel(1));
      await store.chats.addMember(chat.id, 2);
      expect(await store.chats.rename(chat.id, 'Жаңа')).toEqual({ ...chat, name: 'Жаңа' });
      expect(await store.chats.rename(999, 'x')).toBeUndefined();
      const again = await reopen();
      expect(await again.chats.find(chat.id)).toEqual({ ...chat, name: 'Жаңа' });
      expect(await again.chats.members(chat.id)).toEqual([1, 2]);
      await close();
    });
  });
}

/** Tests read marks and unread messages. */
export function describeUnread(name: string, fresh: () => Promise<FreshStore>): void {
  describe(`${name}: read marks`, () => {
    it('start at the last message when a member joins, and move only forward', async () => {
      const { store, reopen, close } = await fresh();
      const { chat } = await store.chats.create(group(1));
      const first = (await store.messages.append(message(chat.id, 'a'))).message.id;
      await store.chats.addMember(chat.id, 2);
      const second = (await store.messages.append(message(chat.id, 'b'))).message.id;
      expect(await store.chats.membership(chat.id, 1)).toEqual({
        ...{ chat, memberCount: 2, startId: 0, readId: null },
      });
      const joined = { chat, memberCount: 2, startId: first, readId: null };
      expect(await store.chats.membership(chat.id, 2)).toEqual(joined);
      const marked = { chat, memberCount: 2, startId: first, readId: second };
      expect(await store.chats.markRead(chat.id, 2, second)).toEqual(marked);
      expect(await store.chats.markRead(chat.id, 2, first)).toEqual(marked);
      await Promise.all([first, second, first].map((id) => store.chats.markRead(chat.id, 1, id)));
      expect(await store.chats.markRead(chat.id, 3, first)).toBeUndefined();
      expect(await store.chats.markRead(999, 1, first)).toBeUndefined();
      for (const each of [store, await reopen(), await reopen()]) {
        expect(await each.chats.membership(chat.id, 2)).toEqual(marked);
        expect(await each.chats.listOf(2)).toEqual([marked]);
        expect(await each.chats.membership(chat.id, 1)).toEqual({ ...marked, startId: 0 });
        expect(await each.chats.members(chat.id)).toEqual([1, 2]);
        expect(await each.chats.countMembers(chat.id)).toBe(2);
      }
      await close();
    });

    it('are deleted when a member leaves, and start again when the member rejoins', async () => {
      const { store, reopen, close } = await fresh();
      const { chat } = await store.chats.create(group(1));
      await store.chats.addMember(chat.id, 2);
      const { message: sent } = await store.messages.append(message(chat.id, 'a'));
      for (const userId of [1, 2]) await store.chats.markRead(chat.id, userId, sent.id);
      for (const userId of [1, 2]) {
        const left = store.chats.removeMember(chat.id, userId);
        // A concurrent mark does not restore the membership.
        await Promise.allSettled([left, store.chats.markRead(chat.id, userId, sent.id + 1)]);
        if (userId === 1) expect(await store.chats.members(chat.id)).toEqual([2]);
        else break;
        expect(await store.chats.addMember(chat.id, 1)).toBe('added');
      }
      const again = await reopen();
      expect(await again.chats.members(chat.id)).toEqual([1]);
      expect(await again.chats.membership(chat.id, 1)).toMatchObject({
        ...{ startId: sent.id, readId: null },
      });
      await close();
    });
  });

  describe(`${name}: unread messages`, () => {
    it('are counted from other senders, after an ID and up to a limit', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.oneof(
              { weight: 8, arbitrary: fc.record({ sender: fc.integer({ min: 1, max: 3 }) }) },
              { weight: 1, arbitrary: fc.constant('reopen' as const) },
              {
                weight: 6,
                arbitrary: fc.record({
                  userId: fc.integer({ min: 1, max: 4 }),
                  index: fc.integer({ min: -1, max: 40 }),
                  max: fc.integer({ min: 1, max: 12 }),
                }),
              },
            ),
            { maxLength: 60 },
          ),
          async (steps) => {
            const { store: first, reopen, close } = await fresh();
            let store = first;
            const { chat } = await store.chats.create(group(1));
            for (const userId of [2, 3]) await store.chats.addMember(chat.id, userId);
            const sent: { id: number; sender: number }[] = [];
            for (const step of steps) {
              if (step === 'reopen') store = await reopen();
              else if ('sender' in step) {
                const text = 'x'.repeat(sent.length % 7 === 0 ? 70_000 : 10);
                const draft = message(chat.id, text, step.sender);
                sent.push({ id: (await store.messages.append(draft)).message.id, ...step });
              } else {
                const { userId, index, max } = step;
                const after = sent[index]?.id ?? (index < 0 ? 0 : 1_000_000);
                const others = sent.filter(({ id, sender }) => id > after && sender !== userId);
                const count = await store.messages.countOthers(chat.id, { userId, after, max });
                expect(count).toBe(Math.min(max, others.length));
              }
            }
            await close();
          },
        ),
        { numRuns: 12 },
      );
    });

    it('are counted separately for each chat', async () => {
      const { store, close } = await fresh();
      const { chat } = await store.chats.create(privateChat(1, 2));
      const other = (await store.chats.create({ ...group(1), createdAt })).chat;
      const count = (chatId: number) =>
        store.messages.countOthers(chatId, { userId: 2, after: 0, max: 10 });
      expect(await count(chat.id)).toBe(0);
      expect(await count(999)).toBe(0);
      await store.messages.append(message(other.id, 'x'));
      await store.messages.append(message(chat.id, 'x'));
      expect(await count(chat.id)).toBe(1);
      await close();
    });
  });
}
