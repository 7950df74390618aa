import { describe, expect, it } from 'vitest';
import { noHash } from '../../src/messaging/records.js';
import {
  channel,
  createdAt,
  type FreshStore,
  group,
  isRevoked,
  message,
  privateChat,
  userFields,
} from './store-samples.js';

const end = { at: createdAt };

/** Tests passwords, tokens, search and the deletion of accounts. */
export function describeAccounts(name: string, fresh: () => Promise<FreshStore>): void {
  async function withUsers(count: number, names: readonly string[] = []) {
    const made = await fresh();
    const ids: number[] = [];
    for (let n = 1; n <= count; n += 1) {
      const fields = { ...userFields(`u${n}@x.kz`), username: names[n - 1] ?? `User ${n}` };
      ids.push((await made.store.users.create(fields)).id);
    }
    return { ...made, ids };
  }

  describe(`${name}: passwords and tokens`, () => {
    it('a password change requires the current password, and revokes all tokens and the reset code', async () => {
      const { store, clock, reopen, close } = await withUsers(1);
      await store.users.setReset(1, { hash: 'r', expires: clock.now() + 1000 });
      const wrong = await store.users.replacePassword(1, { passwordHash: 'other' }, 'new');
      expect(wrong).toBeUndefined();
      expect(await store.users.replacePassword(9, { passwordHash: 'other' }, 'new')).toBe(
        undefined,
      );
      const changed = await store.users.replacePassword(1, { passwordHash: '$2b$04$x' }, 'new');
      expect(changed).toMatchObject({ passwordHash: 'new', sessions: 1 });
      for (const each of [store, await reopen()]) {
        const user = await each.users.find(1);
        expect(user).toMatchObject({ id: 1, passwordHash: 'new', sessions: 1, bio: '' });
        expect(user).not.toHaveProperty('reset');
      }
      await close();
    });

    it('only one of several concurrent changes with the same password succeeds', async () => {
      const { store, close } = await withUsers(1);
      const outcomes = await Promise.all(
        ['a', 'b', 'c'].map((hash) =>
          store.users.replacePassword(1, { passwordHash: '$2b$04$x' }, hash),
        ),
      );
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      expect(await store.users.find(1)).toMatchObject({ sessions: 1 });
      await close();
    });

    it('a reset code can be used once until it expires or is replaced by a new code', async () => {
      const { store, clock, reopen, close } = await withUsers(1);
      const expires = clock.now() + 1000;
      const reset = (hash: string, to: string) =>
        store.users.replacePassword(1, { resetHash: hash }, to);
      expect(await reset('r', 'none is set')).toBeUndefined();
      await store.users.setReset(1, { hash: 'r', expires });
      const replaced = await store.users.setReset(1, { hash: 's', expires });
      expect(replaced?.reset).toEqual({ hash: 's', expires });
      expect((await (await reopen()).users.find(1))?.reset).toEqual({ hash: 's', expires });
      await close();

      const other = await withUsers(1);
      const { users } = other.store;
      await users.setReset(1, { hash: 's', expires: other.clock.now() + 1000 });
      expect(await users.replacePassword(1, { resetHash: 'r' }, 'x')).toBeUndefined();
      await other.clock.advance(999);
      expect(await users.replacePassword(1, { resetHash: 's' }, 'x')).toMatchObject({
        passwordHash: 'x',
        sessions: 1,
      });
      expect(await users.replacePassword(1, { resetHash: 's' }, 'y')).toBeUndefined();
      await users.setReset(1, { hash: 't', expires: other.clock.now() + 1000 });
      await other.clock.advance(1000);
      expect(await users.replacePassword(1, { resetHash: 't' }, 'y')).toBeUndefined();
      await other.close();
    });

    it('revoking all tokens of a user changes nothing else and can be repeated', async () => {
      const { store, clock, reopen, close } = await withUsers(2);
      await store.users.setReset(1, { hash: 'r', expires: clock.now() + 1000 });
      await Promise.all([store.users.endTokens(1), store.users.endTokens(1)]);
      expect(await store.users.endTokens(9)).toBeUndefined();
      expect(await store.users.setReset(9, { hash: 'r', expires: 1 })).toBeUndefined();
      const again = await reopen();
      expect(await again.users.find(1)).toMatchObject({ sessions: 2, reset: { hash: 'r' } });
      expect((await again.users.find(2))?.sessions ?? 0).toBe(0);
      await close();
    });

    it('a revocation takes effect at the given time, and the earlier of two times applies', async () => {
      const { store, clock, reopen, close } = await fresh();
      const expires = clock.now() + 100_000;
      const from = clock.now() + 60_000;
      const { tokens } = store;
      await tokens.revoke('renewed', expires, from);
      await tokens.revoke('twice', expires, from);
      await tokens.revoke('twice', expires, from - 30_000);
      await tokens.revoke('kept', expires, from - 30_000);
      await tokens.revoke('kept', expires, from);
      await tokens.revoke('now', expires, from);
      await tokens.revoke('now', expires);
      await tokens.revoke('stays', expires);
      await tokens.revoke('stays', expires, from);
      let again = store;
      const ended = async () => {
        const names = ['renewed', 'twice', 'kept', 'now', 'stays'];
        const found: string[] = [];
        for (const jti of names) if (await isRevoked(again, jti, clock.now())) found.push(jti);
        return found;
      };
      expect(await ended()).toEqual(['now', 'stays']);
      again = await reopen();
      await clock.advance(29_999);
      expect(await ended()).toEqual(['now', 'stays']);
      await clock.advance(1);
      expect(await ended()).toEqual(['twice', 'kept', 'now', 'stays']);
      await clock.advance(29_999);
      expect(await ended()).not.toContain('renewed');
      await clock.advance(1);
      expect(await ended()).toContain('renewed');
      await close();
    });
  });

  describe(`${name}: search`, () => {
    const names = ['Әсел Қ.', 'Асель К.', 'Élodie', 'ELODIE 100%', 'Семён_2', 'Семен'];

    it('finds pages of people by part of their name, ignoring case and accents', async () => {
      const { store, ids, close } = await withUsers(6, names);
      const search = async (part: string, after = 0, limit = 10) =>
        (await store.users.list({ part, after, limit })).map(({ id }) => ids.indexOf(id) + 1);
      expect(await search('асел')).toEqual([1, 2]);
      expect(await search('elodie')).toEqual([3, 4]);
      expect(await search('семен')).toEqual([5, 6]);
      expect(await search('%')).toEqual([4]);
      expect(await search('_')).toEqual([5]);
      expect(await search('\\')).toEqual([]);
      // Searches never match e-mail addresses.
      expect(await search('x.kz')).toEqual([]);
      expect(await search('е', 0, 2)).toEqual([1, 2]);
      expect(await search('е', ids[1] ?? 0, 2)).toEqual([5, 6]);
      await close();
    });

    it('uses the current name of each person', async () => {
      const { store, reopen, close } = await withUsers(6, names);
      const search = async (part: string) =>
        (await store.users.list({ part, after: 0, limit: 10 })).map(({ id }) => id);
      expect(await search('elodie')).toHaveLength(2);
      await store.users.change(3, { username: 'Ann' });
      await store.users.change(4, { bio: 'b' });
      await store.users.create({ ...userFields('u7@x.kz'), username: 'Ódie' });
      expect(await search('odie')).toEqual([4, 7]);
      expect(await search('ann')).toEqual([3]);
      await store.endAccount(4, end);
      expect(await search('odie')).toEqual([7]);
      const again = await reopen();
      const found = await again.users.list({ part: 'odie', after: 0, limit: 10 });
      expect(found.map(({ id }) => id)).toEqual([7]);
      await close();
    });
  });

  describe(`${name}: deleting an account`, () => {
    it('leaves a placeholder that only find returns, and frees the e-mail address', async () => {
      const { store, reopen, close } = await withUsers(3);
      await store.users.setReset(2, { hash: 'r', expires: 9e12 });
      const deleted = { at: createdAt, key: 'ab'.repeat(32) };
      expect(await store.endAccount(2, deleted)).toBe(true);
      expect(await store.endAccount(2, end)).toBe(false);
      expect(await store.endAccount(99, end)).toBe(false);
      const placeholder = {
        ...{ id: 2, username: 'Deleted account', email: '', passwordHash: noHash },
        ...{ avatar: null, bio: '', createdAt, sessions: 1, deleted },
      };
      for (const each of [store, await reopen()]) {
        const { users } = each;
        expect(await users.find(2)).toEqual(placeholder);
        expect(await users.findByEmail('u2@x.kz')).toBeUndefined();
        expect(await users.findByEmail('')).toBeUndefined();
        expect((await users.list({ after: 0, limit: 10 })).map(({ id }) => id)).toEqual([1, 3]);
        expect(await users.list({ part: 'deleted', after: 0, limit: 10 })).toEqual([]);
        // The placeholder can no longer be changed.
        expect(await users.change(2, { username: 'again' })).toBeUndefined();
        expect(await users.endTokens(2)).toBeUndefined();
        expect(await users.setReset(2, { hash: 'r', expires: 9e12 })).toBeUndefined();
        const proofs = [{ passwordHash: noHash }, { resetHash: 'r' }];
        for (const proof of proofs) {
          expect(await users.replacePassword(2, proof, 'x')).toBeUndefined();
        }
        await users.replaceHash(2, noHash, 'x');
        expect(await users.find(2)).toEqual(placeholder);
      }
      await close();

      const other = await withUsers(2);
      await other.store.endAccount(2, end);
      const again = await other.store.users.create(userFields('U2@x.kz'));
      expect(again.id).toBeGreaterThan(2);
      expect(await (await other.reopen()).users.findByEmail('u2@x.kz')).toEqual(again);
      await other.close();
    });

    it('transfers groups and channels to another member, and deletes those without other members', async () => {
      const { store, reopen, close } = await withUsers(4);
      const { chats } = store;
      const shared = (await chats.create(group(1))).chat;
      for (const userId of [3, 2]) await chats.addMember(shared.id, userId);
      const news = (await chats.create(channel(1))).chat;
      await chats.addMember(news.id, 4);
      const joined = (await chats.create(group(2))).chat;
      await chats.addMember(joined.id, 1);
      const alone = (await chats.create(channel(1))).chat;
      const { message: kept } = await store.messages.append(message(shared.id, 'kept', 1));
      await store.messages.append(message(alone.id, 'goes', 1));
      await store.endAccount(1, end);
      for (const each of [store, await reopen()]) {
        expect(await each.chats.find(shared.id)).toEqual({ ...shared, ownerId: 3 });
        expect(await each.chats.members(shared.id)).toEqual([3, 2]);
        expect(await each.chats.find(news.id)).toEqual({ ...news, ownerId: 4 });
        expect(await each.chats.members(joined.id)).toEqual([2]);
        expect(await each.chats.find(alone.id)).toBeUndefined();
        expect(await each.chats.members(alone.id)).toEqual([]);
        expect((await each.chats.listChannels({ after: 0, limit: 9 })).map(({ id }) => id)).toEqual(
          [news.id],
        );
        expect((await each.messages.page(shared.id, { limit: 9 })).messages).toEqual([kept]);
        expect((await each.messages.page(alone.id, { limit: 9 })).messages).toEqual([]);
        expect(await each.chats.listOf(1)).toEqual([]);
      }
      await close();
    });

    it('keeps private chats, without the read mark, until the other account is also deleted', async () => {
      const { store, reopen, close } = await withUsers(3);
      const { chat } = await store.chats.create(privateChat(1, 2));
      const other = (await store.chats.create(privateChat(3, 1))).chat;
      const { message: sent } = await store.messages.append(message(chat.id, 'x', 1));
      await store.chats.markRead(chat.id, 1, sent.id);
      await store.chats.markRead(chat.id, 2, sent.id);
      await store.endAccount(1, end);
      let again = await reopen();
      expect(await again.chats.find(chat.id)).toEqual(chat);
      expect([...(await again.chats.members(chat.id))].sort()).toEqual([1, 2]);
      expect((await again.chats.membership(chat.id, 1))?.readId ?? null).toBeNull();
      expect((await again.chats.membership(chat.id, 2))?.readId).toBe(sent.id);
      expect((await again.messages.page(chat.id, { limit: 9 })).messages).toEqual([sent]);
      await again.endAccount(2, end);
      again = await reopen();
      expect(await again.chats.find(chat.id)).toBeUndefined();
      expect(await again.chats.findPrivate(1, 2)).toBeUndefined();
      expect((await again.messages.page(chat.id, { limit: 9 })).messages).toEqual([]);
      expect(await again.chats.find(other.id)).toEqual(other);
      await close();
    });

    it('leaves no membership in a chat that the account is joining at the same time', async () => {
      const { store, reopen, close } = await withUsers(8);
      const { chat } = await store.chats.create(group(1));
      const ids = [2, 3, 4, 5, 6, 7];
      await Promise.allSettled(
        ids.flatMap((id) => [
          store.chats.addMember(chat.id, id, 100),
          store.endAccount(id, end),
          store.chats.create(group(id, `of ${id}`)),
          store.chats.create(privateChat(8, id)),
          store.chats.markRead(chat.id, id, 5),
        ]),
      );
      await expect(store.chats.addMember(chat.id, 2)).rejects.toMatchObject({ code: 'not_found' });
      await expect(store.chats.create(privateChat(1, 2))).rejects.toMatchObject({
        code: 'not_found',
      });
      for (const each of [store, await reopen()]) {
        expect(await each.chats.members(chat.id)).toEqual([1]);
        for (const id of ids) {
          const types = (await each.chats.listOf(id)).map((membership) => membership.chat.type);
          expect(types.filter((type) => type !== 'private')).toEqual([]);
        }
      }
      await close();
    });
  });
}
