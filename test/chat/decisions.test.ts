import { describe, expect, it } from 'vitest';
import {
  type Change,
  noList,
  shownChats,
  withChange,
  withMarkEnded,
  withResponse,
} from '../../src/pages/chat/chat-list.js';
import {
  isTooOld,
  maxTryTime,
  nextPosts,
  type Post,
  shownPosts,
} from '../../src/pages/chat/posts.js';
import {
  closed,
  emptyRoom,
  maxKept,
  shownMessages,
  unreadMark,
  withLatest,
  withNewer,
  withOlder,
  withPosted,
} from '../../src/pages/chat/room.js';
import { needsRenewal } from '../../src/pages/chat/token.js';
import type { ListedChat, Message } from '../../src/pages/chat/types.js';
import { CallError, isFinal, isGone, isRefusal } from '../../src/pages/shared/failure.js';

const message = (id: number, own: Partial<Message> = {}): Message => ({
  id,
  chatId: 7,
  senderId: 2,
  senderName: 'Aigerim',
  senderAvatar: 'http://shop.test/a.svg',
  text: `text ${id}`,
  type: 'text',
  createdAt: '2026-11-22T10:00:00Z',
  ...own,
});
const messages = (...ids: number[]) => ids.map((id) => message(id));
const range = (from: number, to: number) =>
  messages(...Array.from({ length: to - from + 1 }, (_, index) => from + index));

const chat = (id: number, own: Partial<ListedChat> = {}): ListedChat => ({
  id,
  type: 'group',
  participants: [1, 2],
  name: `Chat ${id}`,
  avatar: 'http://shop.test/c.svg',
  ownerId: 1,
  createdAt: '2026-11-22T10:00:00Z',
  lastMessage: message(10),
  unread: 3,
  lastReadId: 5,
  participantCount: 2,
  ...own,
});

describe('a room', () => {
  const room = withLatest(emptyRoom, { messages: messages(4, 6, 8), hasMore: true });
  const ids = (of: typeof room) => shownMessages(of).map(({ id }) => id);

  it.each([
    { page: [9, 11], expected: [4, 6, 8, 9, 11] },
    { page: [8, 9], expected: [4, 6, 8, 9] },
    { page: [6, 8], expected: [4, 6, 8] },
    { page: [], expected: [4, 6, 8] },
  ])('shows $expected after the newer page $page was added', ({ page, expected }) => {
    expect(ids(withNewer(room, { messages: messages(...page), hasMore: false }))).toEqual(expected);
  });

  it.each([
    { before: 4, page: [1, 2], expected: [1, 2, 4, 6, 8] },
    { before: 4, page: [2, 4], expected: [2, 4, 6, 8] },
    { before: 3, page: [1, 2], expected: [4, 6, 8] },
  ])(
    'shows $expected after the page $page, requested before $before, was added',
    ({ before, page, expected }) => {
      const older = withOlder(room, before, { messages: messages(...page), hasMore: false });
      expect(ids(older)).toEqual(expected);
      expect(older.hasOlder).toBe(before !== 4);
    },
  );

  it("shows the user's post once, first at the end and later at its position", () => {
    const posted = withPosted(withPosted(room, message(12)), message(12));
    expect(ids(posted)).toEqual([4, 6, 8, 12]);
    expect(ids(withPosted(room, message(6)))).toEqual([4, 6, 8]);
    const between = withNewer(posted, { messages: messages(10), hasMore: true });
    expect(ids(between)).toEqual([4, 6, 8, 10, 12]);
    const all = withNewer(between, { messages: messages(11, 12, 13), hasMore: false });
    expect(ids(all)).toEqual([4, 6, 8, 10, 11, 12, 13]);
    expect(all.posted).toEqual([]);
  });

  it(`keeps ${maxKept} messages, and until it is closed also those loaded on demand`, () => {
    const full = withLatest(emptyRoom, { messages: range(101, 1_100), hasMore: true });
    const paged = withOlder(full, 101, { messages: range(1, 100), hasMore: false });
    const more = withNewer(paged, { messages: range(1_101, 1_110), hasMore: false });
    expect(ids(more)).toEqual(range(11, 1_110).map(({ id }) => id));
    expect(closed(more)).toMatchObject({ hasOlder: true, paged: 0 });
    expect(ids(closed(more))).toEqual(range(111, 1_110).map(({ id }) => id));
  });

  it.each([
    { readId: 0, senders: [2, 2, 2], expected: { messageId: 8, counted: 3, seenId: 8 } },
    { readId: 4, senders: [2, 2, 2], expected: { messageId: 8, counted: 2, seenId: 8 } },
    { readId: 0, senders: [2, 1, 1], expected: { messageId: 4, counted: 1, seenId: 8 } },
    { readId: 8, senders: [2, 2, 2], expected: null },
    { readId: 0, senders: [1, 1, 1], expected: null },
  ])('has the unread mark $expected after $readId with the senders $senders', (row) => {
    const { readId, senders, expected } = row;
    const synced = room.synced.map((each, index) => ({ ...each, senderId: senders[index] ?? 0 }));
    expect(unreadMark({ ...room, synced }, { userId: 1, readId })).toEqual(expected);
  });
});

describe('the list of chats', () => {
  const listed = withResponse(noList, { listed: [chat(7), chat(8)], number: 1 });
  const mark: Change = {
    kind: 'mark',
    chatId: 7,
    messageId: 10,
    counted: 3,
    seenId: 10,
    until: null,
  };
  const { lastMessage: _, ...made } = chat(9, { unread: 0, lastReadId: null });

  it.each<{ name: string; change: Change; expected: object[] }>([
    {
      name: "the chat of the user's post moves to the top",
      change: { kind: 'post', message: message(11, { chatId: 8 }), until: 1 },
      expected: [{ id: 8, lastMessage: { id: 11 } }, { id: 7 }],
    },
    {
      name: "the user's post changes nothing if it is known",
      change: { kind: 'post', message: message(10, { chatId: 8 }), until: 1 },
      expected: [{ id: 7 }, { id: 8, lastMessage: { id: 10 } }],
    },
    {
      name: 'a new chat comes first',
      change: { kind: 'chat', chat: made, until: 1 },
      expected: [{ id: 9, lastMessage: null }, { id: 7 }, { id: 8 }],
    },
    {
      name: 'a changed chat keeps its position and its last message',
      change: { kind: 'chat', chat: { ...made, id: 8, name: 'Kilns' }, until: 1 },
      expected: [{ id: 7 }, { id: 8, name: 'Kilns', unread: 3, lastMessage: { id: 10 } }],
    },
    {
      name: 'a chat that the user has left is removed',
      change: { kind: 'left', chatId: 7, until: 1 },
      expected: [{ id: 8 }],
    },
    {
      name: 'a completely read chat has no unread messages',
      change: mark,
      expected: [{ unread: 0, lastReadId: 10 }, { unread: 3 }],
    },
    {
      name: 'a partly read chat has fewer unread messages',
      change: { ...mark, messageId: 8, counted: 2, seenId: 8 },
      expected: [{ unread: 1, lastReadId: 8 }, { unread: 3 }],
    },
    {
      name: "a mark below the server's has no effect",
      change: { ...mark, messageId: 4, counted: 1, seenId: 4 },
      expected: [{ unread: 3, lastReadId: 5 }, { unread: 3 }],
    },
  ])('shows changes: $name', ({ change, expected }) => {
    expect(shownChats(withChange(listed, change))).toMatchObject(expected);
    expect(shownChats(withChange(listed, change))).toHaveLength(expected.length);
  });

  it.each([
    { number: 1, isNews: true, expected: 1 },
    { number: 2, isNews: true, expected: 2 },
    { number: 2, isNews: false, expected: 2 },
  ])(
    'has $expected chats after response $number, if a change was confirmed during request 1',
    (row) => {
      const left = withChange(listed, { kind: 'left', chatId: 7, until: 1 });
      const given = row.isNews ? [chat(7), chat(8)] : null;
      expect(shownChats(withResponse(left, { listed: given, number: row.number }))).toHaveLength(
        row.expected,
      );
    },
  );

  it('keeps a read mark until the server has stored it, and drops it if it is rejected', () => {
    const marked = withChange(listed, mark);
    const later = withResponse(marked, { listed: [chat(7), chat(8)], number: 9 });
    expect(shownChats(later)?.[0]?.unread).toBe(0);
    const stored = withMarkEnded(later, { chatId: 7, messageId: 10, until: 9 });
    expect(shownChats(withResponse(stored, { listed: null, number: 9 }))?.[0]?.unread).toBe(0);
    expect(withResponse(stored, { listed: null, number: 10 }).changes).toEqual([]);
    const refused = withMarkEnded(later, { chatId: 7, messageId: 10, until: null });
    expect(shownChats(refused)?.[0]?.unread).toBe(3);
  });
});

describe('unsent posts', () => {
  const post = (key: string, own: Partial<Post> = {}): Post => ({
    key,
    chatId: 7,
    text: 'Hello',
    type: 'text',
    order: 1,
    triedAt: null,
    seenId: 10,
    failure: null,
    ...own,
  });
  const failure = { code: 'forbidden', message: 'No.', status: 403, details: [] };

  it('are sent in order in each chat, and not after a failed post', () => {
    const posts = [
      post('b', { order: 2 }),
      post('a', { order: 1 }),
      post('d', { chatId: 8, order: 3, failure }),
      post('e', { chatId: 8, order: 4 }),
      post('f', { chatId: 9, order: 5 }),
    ];
    expect(nextPosts(posts).map(({ key }) => key)).toEqual(['a', 'f']);
  });

  it.each([
    { triedAt: null, expected: false },
    { triedAt: 1_000, expected: false },
    { triedAt: 999, expected: true },
  ])(
    'first attempted at $triedAt are too old to be retried: $expected',
    ({ triedAt, expected }) => {
      expect(isTooOld(post('a', { triedAt }), 1_000 + maxTryTime)).toBe(expected);
    },
  );

  it.each([
    { name: "hidden by the user's message that they became", own: {}, hidden: 1 },
    { name: 'shown alongside an earlier message', own: { seenId: 11 }, hidden: 0 },
    { name: 'shown alongside a different text', own: { text: 'Bye' }, hidden: 0 },
    {
      name: 'shown alongside an emoji with the same text',
      own: { type: 'emoji' as const },
      hidden: 0,
    },
    { name: 'shown if they failed', own: { failure }, hidden: 0 },
  ])('are $name', ({ own, hidden }) => {
    const known = [message(11, { senderId: 1, text: 'Hello' })];
    const sending = new Set<string>();
    const shownOf = (posts: Post[]) => shownPosts(posts, { messages: known, userId: 1, sending });
    expect(shownOf([post('a', own)])).toHaveLength(1 - hidden);
    expect(shownOf([post('a', own), post('b', own)])).toHaveLength(2 - hidden);
    const ofOther = [message(11, { senderId: 2, text: 'Hello' })];
    expect(shownPosts([post('a')], { messages: ofOther, userId: 1, sending })).toHaveLength(1);
  });
});

describe('a failure', () => {
  it.each([
    { status: 400, isAnswer: true, refusal: true, gone: false },
    { status: 403, isAnswer: true, refusal: true, gone: true },
    { status: 404, isAnswer: true, refusal: true, gone: true },
    { status: 409, isAnswer: true, refusal: true, gone: false },
    { status: 413, isAnswer: true, refusal: true, gone: false },
    { status: 401, isAnswer: true, refusal: false, gone: false },
    { status: 408, isAnswer: true, refusal: false, gone: false },
    { status: 429, isAnswer: true, refusal: false, gone: false },
    { status: 503, isAnswer: true, refusal: false, gone: false },
    { status: 404, isAnswer: false, refusal: false, gone: false },
    { status: 0, isAnswer: false, refusal: false, gone: false },
  ])('with status $status (from the service: $isAnswer) is final: $refusal', (row) => {
    const { status, isAnswer } = row;
    const error = new CallError('No.', { code: 'code', status, isAnswer });
    expect(isRefusal(error)).toBe(row.refusal);
    expect(isFinal(error)).toBe(row.refusal);
    expect(isGone(error)).toBe(row.gone);
  });
});

describe('a token', () => {
  const claims = (of: unknown) => `h.${Buffer.from(JSON.stringify(of)).toString('base64url')}.s`;
  const token = claims({ iat: 1_000, exp: 1_300, name: 'Ағаш ÿþ' });

  it.each([
    { token, receivedAt: 1_000_000, time: 1_100_000, expected: false },
    { token, receivedAt: 1_000_000, time: 1_100_001, expected: true },
    { token, receivedAt: null, time: 1_100_001, expected: true },
    { token, receivedAt: 9_000_000, time: 9_050_000, expected: false },
    { token, receivedAt: 1_000_000, time: 900_000, expected: false },
    { token, receivedAt: 1_000_000, time: null, expected: false },
    { token: 'no token', receivedAt: null, time: 9_000_000, expected: false },
    { token: claims(null), receivedAt: null, time: 9_000_000, expected: false },
    { token: claims({ iat: 5, exp: 5 }), receivedAt: null, time: 9_000_000, expected: false },
  ])('received at $receivedAt must be renewed at $time: $expected', (row) => {
    expect(needsRenewal(row, row.time)).toBe(row.expected);
  });
});
