import { expect, it } from 'vitest';
import type { ReadablePage } from '../../src/messaging/messages.js';
import type { StoredMessage, User } from '../../src/messaging/model.js';
import { createMessagePieces } from '../../src/messaging/routes/message-pieces.js';
import { createViews } from '../../src/messaging/views.js';

const ann = personOf(1, 'Ann');
const bob = personOf(2, 'Боб "B"');

function personOf(id: number, username: string): User {
  const profile = { email: `${id}@shop.kz`, passwordHash: '', bio: '', createdAt: '' };
  return { id, username, avatar: null, ...profile };
}

function messageOf(id: number, senderId: number, iv = `iv ${id}`): StoredMessage {
  const encrypted = { iv, encrypted: '00', authTag: '11' };
  const createdAt = '2026-01-31T09:00:00.000Z';
  return { id, chatId: 5, senderId, type: 'text', encrypted, scheme: 'secret', createdAt };
}

function pageOf(messages: readonly StoredMessage[], people = [ann, bob]): ReadablePage {
  return { messages, senders: new Map(people.map((each) => [each.id, each])), hasMore: false };
}

function setUp() {
  const views = createViews(() => 'http://shop.kz');
  const read: number[] = [];
  const pieces = createMessagePieces({
    views,
    textOf({ id, encrypted }) {
      read.push(id);
      return encrypted.iv === 'damaged' ? undefined : `Текст "${id}" 🙂 ${encrypted.iv}`;
    },
  });
  /** Returns what a reader receives, and its tag. */
  function answer(page: ReadablePage, reader: User) {
    const { parts, etag } = pieces.page(page, reader.id);
    const bytes = parts.join();
    expect(parts.bytes).toBe(bytes.length);
    return { body: JSON.parse(bytes.toString()), etag };
  }
  return { read, answer };
}

it('a page of messages is valid JSON with all messages in order', () => {
  const { answer } = setUp();
  const messages = [messageOf(7, 1), messageOf(8, 2, 'damaged'), messageOf(9, 3)];
  const texts = ['Текст "7" 🙂 iv 7', undefined, 'Текст "9" 🙂 iv 9'];
  const avatars = 'http://shop.kz/avatars/user';
  const senders = [
    { senderName: 'Ann', senderAvatar: `${avatars}/1/A.svg` },
    { senderName: 'Боб "B"', senderAvatar: `${avatars}/2/%D0%91B.svg` },
    { senderName: '', senderAvatar: `${avatars}/3/-.svg` },
  ];
  for (const reader of [ann, bob]) {
    for (const _time of ['made', 'kept']) {
      expect(answer(pageOf(messages), reader).body).toEqual({
        ok: true,
        messages: messages.map(({ encrypted, scheme: _scheme, ...message }, index) => ({
          ...message,
          ...senders[index],
          text: texts[index] ?? '',
          ...(message.senderId === reader.id ? { encrypted } : {}),
          ...(texts[index] === undefined ? { error: 'This message cannot be decrypted.' } : {}),
        })),
        hasMore: false,
      });
    }
  }
});

it('the JSON of a message is built once for its sender and once for all others', () => {
  const { read, answer } = setUp();
  const page = pageOf([messageOf(7, 1), messageOf(8, 2)]);
  for (const reader of [ann, bob, personOf(3, 'C'), personOf(4, 'D'), ann, bob]) {
    answer(page, reader);
  }
  expect(read.sort()).toEqual([7, 7, 8, 8]);
});

it.each([0, 30])(
  'the tag changes exactly when the text of the page changes, with %i more messages',
  (count) => {
    const { answer } = setUp();
    const more = Array.from({ length: count }, (_, index) => messageOf(100 + index, 2));
    const messages = [messageOf(7, 1), messageOf(8, 2), ...more];
    const tag = (page: ReadablePage, reader = ann) => answer(page, reader).etag;
    const same = tag(pageOf(messages));
    const renamed = { ...bob, username: 'Bobby' };
    const pictured = { ...bob, avatar: 'https://shop.kz/bob.png' };
    const others = [
      tag(pageOf(messages), bob),
      tag(pageOf(messages), personOf(3, 'C')),
      tag(pageOf(messages, [ann, renamed])),
      tag(pageOf(messages, [ann, pictured])),
      tag(pageOf(messages, [ann])),
      tag(pageOf(messages.slice(1))),
      tag(pageOf(messages.slice(0, 1))),
      tag(pageOf(messages.toReversed())),
      tag(pageOf([...messages, messageOf(900, 1)])),
      tag(pageOf([messageOf(7, 1, 'damaged'), messageOf(8, 2), ...more])),
      tag(pageOf([messageOf(7, 1), messageOf(8, 2, 'another'), ...more])),
      tag({ ...pageOf(messages), hasMore: true }),
    ];
    expect(new Set([same, ...others]).size).toBe(1 + others.length);
    expect(tag(pageOf(messages))).toBe(same);
    expect(setUp().answer(pageOf(messages), ann).etag).toBe(same);
    expect(same).toMatch(/^"[\w-]+"$/);
  },
);

it('a sender who restores the previous name restores the previous tag', () => {
  const { answer } = setUp();
  const messages = [messageOf(7, 2)];
  const before = answer(pageOf(messages), ann);
  answer(pageOf(messages, [ann, { ...bob, username: 'Bobby' }]), ann);
  expect(answer(pageOf(messages), ann)).toEqual(before);
});

it('a different message under a known id is not mistaken for the cached one', () => {
  const { answer } = setUp();
  answer(pageOf([messageOf(7, 1)]), bob);
  const { body } = answer(pageOf([messageOf(7, 1, 'new')]), bob);
  expect(body.messages[0].text).toBe('Текст "7" 🙂 new');
});
