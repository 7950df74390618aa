import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredMessage, User } from '../../src/messaging/model.js';
import type { MessagingStore } from '../../src/messaging/store.js';
import type { ManualClock } from '../helpers/manual-clock.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { describeAccounts } from './accounts-contract.js';
import { describeChanges } from './changes-contract.js';
import { describeMemberships, describeUnread } from './memberships-contract.js';
import { createdAt, type FreshStore, isRevoked, message, userFields } from './store-samples.js';

/** A storage that a test opens, closes and reopens. */
export interface StoreUnderTest {
  /** Opens the store with everything that was stored before. */
  open(clock: ManualClock): Promise<MessagingStore>;
}

const textsOf = ({ messages }: { messages: readonly StoredMessage[] }) =>
  messages.map(({ text }) => text);

/** Runs the tests that every messaging storage must pass. `prepare` creates an empty storage for each test. */
export function describeMessagingStore(name: string, prepare: () => Promise<StoreUnderTest>): void {
  async function fresh(): Promise<FreshStore> {
    const clock = createManualClock();
    const under = await prepare();
    let store = await under.open(clock);
    const reopen = async () => {
      await store.close();
      store = await under.open(clock);
      return store;
    };
    return { store, clock, reopen, close: () => store.close() };
  }
  describeAccounts(name, fresh);
  describeMemberships(name, fresh);
  describeUnread(name, fresh);
  describeChanges(name, fresh);

  /** Creates a store with the chats 1 to 8: groups of user 1, in which other users can post. */
  async function withChats() {
    const made = await fresh();
    for (let id = 1; id <= 8; id += 1) {
      const group = { type: 'group', name: 'g', ownerId: 1, createdAt } as const;
      expect((await made.store.chats.create(group)).chat.id).toBe(id);
      await Promise.all([2, 4, 5].map((userId) => made.store.chats.addMember(id, userId)));
    }
    return made;
  }

  describe(`${name}: users`, () => {
    it('receive ascending IDs and are found by ID and by e-mail address, ignoring case', async () => {
      const { store, reopen, close } = await fresh();
      const first = await store.users.create(userFields('Ann@X.kz'));
      const second = await store.users.create(userFields('bob@x.kz'));
      expect(second.id).toBeGreaterThan(first.id);
      for (const each of [store, await reopen()]) {
        expect(await each.users.find(first.id)).toEqual(first);
        expect(await each.users.findByEmail('aNN@x.KZ')).toEqual(first);
        expect(await each.users.find(999)).toBeUndefined();
        expect(await each.users.findByEmail('no@x.kz')).toBeUndefined();
      }
      await close();
    });

    it('have unique e-mail addresses, even if they register concurrently', async () => {
      const { store, close } = await fresh();
      const emails = ['a@x.kz', 'A@x.kz', 'a@X.kz'];
      const outcomes = await Promise.allSettled(
        emails.map((email) => store.users.create(userFields(email))),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason.code).toBe('email_taken');
      }
      await close();
    });

    it('keep all concurrent changes', async () => {
      const { store, reopen, close } = await fresh();
      const { id } = await store.users.create(userFields('a@x.kz'));
      await Promise.all([
        store.users.change(id, { bio: 'b' }),
        store.users.change(id, { username: 'u' }),
        store.users.change(id, { avatar: 'http://a' }),
      ]);
      expect(await (await reopen()).users.find(id)).toMatchObject({
        bio: 'b',
        username: 'u',
        avatar: 'http://a',
      });
      expect(await store.users.change(999, { bio: 'x' })).toBeUndefined();
      await close();
    });

    it('have a highest password hash cost, which decreases when the hash is replaced', async () => {
      const { store, reopen, close } = await fresh();
      const hashOf = (cost: string) => `$2b$${cost}$${'a'.repeat(53)}`;
      expect(await store.users.maxCost()).toBe(0);
      const hashes = [hashOf('05'), hashOf('12'), hashOf('08'), hashOf('17'), 'zzzzzz'];
      const users: User[] = [];
      for (const [n, passwordHash] of hashes.entries()) {
        users.push(await store.users.create({ ...userFields(`u${n}@x.kz`), passwordHash }));
      }
      const costly = users[1]?.id ?? 0;
      const reopened = await reopen();
      expect(await reopened.users.maxCost()).toBe(12);
      await Promise.all([
        reopened.users.replaceHash(costly, hashOf('12'), hashOf('10')),
        reopened.users.change(costly, { bio: 'b' }),
      ]);
      for (const each of [reopened, await reopen()]) {
        expect(await each.users.maxCost()).toBe(10);
        expect(await each.users.find(costly)).toMatchObject({
          passwordHash: hashOf('10'),
          bio: 'b',
        });
      }
      await close();
    });

    it('keep a password hash that has changed since it was read', async () => {
      const { store, reopen, close } = await fresh();
      const { id, passwordHash } = await store.users.create(userFields('a@x.kz'));
      await store.users.replaceHash(id, passwordHash, 'new');
      await store.users.replaceHash(id, passwordHash, 'other');
      await store.users.replaceHash(999, passwordHash, 'nobody has it');
      expect((await (await reopen()).users.find(id))?.passwordHash).toBe('new');
      await close();
    });

    it('are listed in pages, ordered by ID', async () => {
      const { store, close } = await fresh();
      const ids: number[] = [];
      for (let n = 0; n < 5; n += 1) {
        ids.push((await store.users.create(userFields(`u${n}@x.kz`))).id);
      }
      const list = async (after: number, limit: number) =>
        (await store.users.list({ after, limit })).map(({ id }) => id);
      expect(await list(0, 3)).toEqual(ids.slice(0, 3));
      expect(await list(ids[2] ?? 0, 3)).toEqual(ids.slice(3));
      expect(await list(ids[4] ?? 0, 3)).toEqual([]);
      await close();
    });
  });

  describe(`${name}: tokens`, () => {
    it('stay revoked until they expire', async () => {
      const { store, clock, reopen, close } = await fresh();
      await store.tokens.revoke('a', clock.now() + 1000);
      expect(await isRevoked(store, 'a', clock.now())).toBe(true);
      expect(await isRevoked(store, 'b', clock.now())).toBe(false);
      const again = await reopen();
      expect(await isRevoked(again, 'a', clock.now())).toBe(true);
      await close();
    });

    it('resolve to their users unless they are revoked, even in concurrent lookups', async () => {
      const { store, clock, close } = await fresh();
      const [ann, bob] = [
        await store.users.create(userFields('ann@x.kz')),
        await store.users.create(userFields('bob@x.kz')),
      ];
      await store.tokens.revoke('a', clock.now() + 1000);
      await store.tokens.revoke('soon', clock.now() + 1000, clock.now() + 500);
      const holderOf = (jti: string, userId: number) =>
        store.tokens.holderOf({ jti, userId, issued: clock.now() });
      const ask = () =>
        Promise.all([
          ...[holderOf('a', ann.id), holderOf('b', ann.id), holderOf('a', bob.id)],
          ...[holderOf('c d', bob.id), holderOf('soon', bob.id), holderOf('e', 999)],
        ]);
      expect(await ask()).toEqual([undefined, ann, undefined, bob, bob, undefined]);
      await clock.advance(500);
      expect(await ask()).toEqual([undefined, ann, undefined, bob, undefined, undefined]);
      await close();
    });
  });

  describe(`${name}: chats`, () => {
    it('list every founder and later member once', async () => {
      const { store, reopen, close } = await fresh();
      const { chat, created } = await store.chats.create({
        type: 'group',
        name: 'g',
        ownerId: 1,
        createdAt,
      });
      expect(created).toBe(true);
      await Promise.all([3, 3, 2, 1].map((id) => store.chats.addMember(chat.id, id)));
      for (const each of [store, await reopen()]) {
        expect(await each.chats.members(chat.id)).toEqual([1, 3, 2]);
        expect(await each.chats.membership(chat.id, 3)).toMatchObject({ chat, readId: null });
        expect(await each.chats.membership(chat.id, 4)).toBeUndefined();
        expect(await each.chats.membership(999, 1)).toBeUndefined();
        expect(await each.chats.listOf(2)).toMatchObject([{ chat, readId: null }]);
        expect(await each.chats.listOf(4)).toEqual([]);
        expect(await each.chats.find(chat.id)).toEqual(chat);
        expect(await each.chats.find(999)).toBeUndefined();
      }
      await close();
    });

    it('report whether a member was added, and respect the maximum number of members', async () => {
      const { store, reopen, close } = await fresh();
      const group = { type: 'group', name: 'g', ownerId: 1, createdAt } as const;
      const { chat } = await store.chats.create(group);
      const other = (await store.chats.create(group)).chat;
      const add = (userId: number, max?: number) => store.chats.addMember(chat.id, userId, max);
      expect(await add(2, 4)).toBe('added');
      expect(await add(2, 4)).toBe('present');
      expect(await add(1, 1)).toBe('present');
      const outcomes = await Promise.all([
        ...[3, 4, 3, 5, 6, 7].map((userId) => add(userId, 4)),
        store.chats.addMember(other.id, 3, 2),
      ]);
      expect(outcomes).toEqual(['added', 'added', 'present', 'full', 'full', 'full', 'added']);
      const reopened = await reopen();
      expect(await reopened.chats.members(chat.id)).toEqual([1, 2, 3, 4]);
      expect(await reopened.chats.addMember(chat.id, 5, 4)).toBe('full');
      expect(await reopened.chats.addMember(chat.id, 4, 4)).toBe('present');
      expect(await reopened.chats.addMember(chat.id, 5)).toBe('added');
      await close();
    });

    it('between two people are created once, regardless of who starts them', async () => {
      const { store, reopen, close } = await fresh();
      const begin = (each: MessagingStore, ownerId: number, participantId: number) =>
        each.chats.create({ type: 'private', name: '', ownerId, participantId, createdAt });
      const outcomes = await Promise.all([
        begin(store, 1, 2),
        begin(store, 2, 1),
        begin(store, 1, 2),
      ]);
      expect(outcomes.filter(({ created }) => created)).toHaveLength(1);
      expect(new Set(outcomes.map(({ chat }) => chat.id)).size).toBe(1);
      const reopened = await reopen();
      expect(await begin(reopened, 2, 1)).toEqual({ chat: outcomes[0]?.chat, created: false });
      expect(await reopened.chats.findPrivate(2, 1)).toEqual(outcomes[0]?.chat);
      expect(await reopened.chats.findPrivate(1, 2)).toEqual(outcomes[0]?.chat);
      expect(await reopened.chats.findPrivate(1, 3)).toBeUndefined();
      expect((await begin(reopened, 1, 3)).created).toBe(true);
      await close();
    });

    it('that are channels are listed in pages, ordered by ID', async () => {
      const { store, close } = await fresh();
      const make = (type: 'group' | 'channel', n: string) =>
        store.chats.create({ type, name: n, ownerId: 1, createdAt });
      for (const n of ['a', 'b', 'c']) {
        await make('group', n);
        await make('channel', n);
      }
      const first = await store.chats.listChannels({ after: 0, limit: 2 });
      expect(first.map((chat) => chat.name)).toEqual(['a', 'b']);
      const rest = await store.chats.listChannels({ after: first[1]?.id ?? 0, limit: 2 });
      expect(rest.map((chat) => chat.name)).toEqual(['c']);
      await close();
    });
  });

  describe(`${name}: messages`, () => {
    it('receive IDs that ascend across all chats and restarts', async () => {
      const { store, reopen, close } = await withChats();
      const ids: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        const each = round === 0 ? store : await reopen();
        for (const chatId of [1, 2, 1]) {
          ids.push((await each.messages.append(message(chatId, 'x'))).message.id);
        }
      }
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
      await close();
    });

    it('are stored with every field', async () => {
      const { store, reopen, close } = await withChats();
      const { text: _, ...withoutText } = message(7, '', 5);
      const stored = [
        (await store.messages.append(message(7, 'мир 🙂 "\\\u2028', 4))).message,
        (await store.messages.append({ ...withoutText, scheme: 'secret' })).message,
      ];
      for (const each of [store, await reopen()]) {
        expect((await each.messages.page(7, { limit: 10 })).messages).toEqual(stored);
        expect(await each.messages.last(7)).toEqual(stored[1]);
        expect(await each.messages.last(8)).toBeUndefined();
      }
      await close();
    });

    it('are paged like a plain list, regardless of earlier reads and of where they are stored', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.oneof(
              { weight: 5, arbitrary: fc.record({ post: fc.constantFrom(1, 2) }) },
              { weight: 1, arbitrary: fc.constant('reopen' as const) },
              {
                weight: 4,
                arbitrary: fc.record({
                  chatId: fc.constantFrom(1, 2, 3),
                  limit: fc.integer({ min: 1, max: 6 }),
                  bytes: fc.option(fc.integer({ min: 1, max: 12 })),
                  direction: fc.constantFrom('latest', 'before', 'after'),
                  index: fc.integer({ min: -1, max: 40 }),
                }),
              },
            ),
            { maxLength: 60 },
          ),
          async (steps) => {
            const { store: first, reopen, close } = await withChats();
            let store = first;
            const model: StoredMessage[] = [];
            for (const step of steps) {
              if (step === 'reopen') store = await reopen();
              else if ('post' in step) {
                const text = `text ${model.length}`.padEnd(model.length % 5 === 0 ? 70_000 : 10);
                const draft = ofSize(message(step.post, text), 1 + (model.length % 4));
                model.push((await store.messages.append(draft)).message);
              } else {
                const { chatId, limit, direction, index } = step;
                const id = model[index]?.id ?? (index < 0 ? 0 : 1_000_000);
                const query = {
                  limit,
                  ...(step.bytes === null ? {} : { bytes: step.bytes }),
                  ...(direction === 'latest' ? {} : { [direction]: id }),
                };
                const inChat = model.filter((each) => each.chatId === chatId);
                expect(await store.messages.page(chatId, query)).toEqual(naivePage(inChat, query));
                expect(await store.messages.hasNews(chatId, 3, id)).toBeUndefined();
                expect(await store.messages.hasNews(chatId, 1, id)).toBe(
                  inChat.some((each) => each.id > id),
                );
              }
            }
            await close();
          },
        ),
        { numRuns: 12 },
      );
    });

    it('are all returned by paging, once and in order, regardless of their sizes', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 30 }),
          fc.integer({ min: 1, max: 7 }),
          async (sizes, limit) => {
            const { store, reopen, close } = await withChats();
            const ids: number[] = [];
            for (const size of sizes) {
              ids.push((await store.messages.append(ofSize(message(1, 'x'), size))).message.id);
            }
            for (const each of [store, await reopen()]) {
              const query = { limit, bytes: 10 };
              expect(
                await walk((cursor) => each.messages.page(1, { ...query, ...cursor })),
              ).toEqual({
                forwards: ids,
                backwards: ids,
              });
            }
            await close();
          },
        ),
        { numRuns: 12 },
      );
    });
  });

  describe(`${name}: idempotency`, () => {
    const key = (bodyHash = 'h', k = 'k') => ({ key: k, bodyHash });

    it('stores a post with the same key once, even for concurrent posts and after a restart', async () => {
      const { store, reopen, close } = await withChats();
      const outcomes = await Promise.all(
        Array.from({ length: 5 }, () => store.messages.append(message(1, 'once'), key())),
      );
      expect(outcomes.filter(({ stored }) => stored)).toHaveLength(1);
      expect(new Set(outcomes.map((outcome) => outcome.message.id)).size).toBe(1);
      for (let round = 0; round < 2; round += 1) {
        const again = await (await reopen()).messages.append(message(1, 'once'), key());
        expect(again).toEqual({ message: outcomes[0]?.message, stored: false });
      }
      const reopened = await reopen();
      expect(textsOf(await reopened.messages.page(1, { limit: 9 }))).toEqual(['once']);
      expect(await reopened.messages.findKeyed(message(1, 'once'), key())).toEqual(
        outcomes[0]?.message,
      );
      await close();
    });

    it('rejects a key with a different body or chat, but accepts it from other senders', async () => {
      const { store, reopen, close } = await withChats();
      await store.messages.append(message(1, 'a'), key());
      let each = store;
      for (let round = 0; round < 2; round += 1) {
        const wrong = [
          each.messages.append(message(1, 'b'), key('other')),
          each.messages.append(message(2, 'a'), key()),
          each.messages.findKeyed(message(1, 'b'), key('other')),
          each.messages.findKeyed(message(2, 'a'), key()),
        ];
        for (const outcome of await Promise.allSettled(wrong)) {
          expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'conflict' } });
        }
        each = await reopen();
      }
      expect((await each.messages.append(message(1, 'a', 2), key())).stored).toBe(true);
      expect((await each.messages.append(message(1, 'a'), key('h', 'k2'))).stored).toBe(true);
      await close();
    });

    it('accepts a key again after 24 hours', async () => {
      const { store, clock, close } = await withChats();
      const now = () => ({ ...message(1, 'a'), createdAt: new Date(clock.now()).toISOString() });
      expect((await store.messages.append(now(), key())).stored).toBe(true);
      await clock.advance(24 * 3_600_000 - 1);
      expect((await store.messages.append(now(), key())).stored).toBe(false);
      await clock.advance(1);
      expect(await store.messages.findKeyed(now(), key('other'))).toBeUndefined();
      expect((await store.messages.append(now(), key('other'))).stored).toBe(true);
      await close();
    });
  });
}

/** Returns a message whose encrypted text has this many bytes. */
function ofSize<Message extends Omit<StoredMessage, 'id'>>(draft: Message, bytes: number): Message {
  return { ...draft, encrypted: { ...draft.encrypted, encrypted: '00'.repeat(bytes) } };
}

type ReadPage = (cursor: {
  after?: number;
  before?: number;
}) => Promise<{ messages: readonly StoredMessage[]; hasMore: boolean }>;

/** Returns the IDs of all messages, paging forward from the first and back from the last. */
async function walk(read: ReadPage) {
  const forwards: number[] = [];
  for (let hasMore = true; hasMore; ) {
    const page = await read({ after: forwards.at(-1) ?? 0 });
    hasMore = page.hasMore;
    forwards.push(...page.messages.map(({ id }) => id));
  }
  const backwards: number[] = [];
  for (let hasMore = true; hasMore; ) {
    const [first] = backwards;
    const page = await read(first === undefined ? {} : { before: first });
    hasMore = page.hasMore;
    backwards.unshift(...page.messages.map(({ id }) => id));
  }
  return { forwards, backwards };
}

interface NaiveQuery {
  limit: number;
  bytes?: number;
  before?: number;
  after?: number;
}

function naivePage(all: StoredMessage[], { limit, bytes = 1e9, before, after }: NaiveQuery) {
  const inReach =
    after !== undefined
      ? all.filter(({ id }) => id > after)
      : all.filter(({ id }) => id < (before ?? Number.POSITIVE_INFINITY)).reverse();
  const messages: StoredMessage[] = [];
  let sum = 0;
  for (const each of inReach.slice(0, limit)) {
    sum += each.encrypted.encrypted.length / 2;
    if (messages.length > 0 && sum > bytes) break;
    messages.push(each);
  }
  const hasMore = messages.length < inReach.length;
  return { messages: after === undefined ? messages.reverse() : messages, hasMore };
}
