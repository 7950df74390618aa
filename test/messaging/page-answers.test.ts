import { expect, it } from 'vitest';
import type { ReadableMessage, ReadablePage } from '../../src/messaging/messages.js';
import type { User } from '../../src/messaging/model.js';
import { createPageAnswers } from '../../src/messaging/routes/message-routes.js';
import { createViews } from '../../src/messaging/views.js';

const ann = personOf(1, 'Ann');
const bob = personOf(2, 'Боб "B"');
const createdAt = '2026-01-31T09:00:00.000Z';

function personOf(id: number, username: string): User {
  const profile = { email: `${id}@shop.kz`, passwordHash: '', bio: '', createdAt: '' };
  return { id, username, avatar: null, ...profile };
}

function messageOf(id: number, sender: User | undefined, iv = `iv ${id}`): ReadableMessage {
  const encrypted = { iv, encrypted: '00', authTag: '11' };
  const senderId = sender?.id ?? 3;
  const text = iv === 'damaged' ? undefined : `Текст "${id}" 🙂 ${iv}`;
  const stored = { id, chatId: 5, senderId, type: 'text', scheme: 'secret', createdAt } as const;
  return { message: { ...stored, encrypted }, sender, text };
}

const pageOf = (...messages: ReadableMessage[]): ReadablePage => ({ messages, hasMore: false });

function setUp() {
  const answerOf = createPageAnswers(createViews(() => 'http://shop.kz'));
  return (page: ReadablePage, reader: User) => {
    const { content, etag } = answerOf(page, reader.id);
    return { body: JSON.parse(content.toString()), etag };
  };
}

it('a page shows names and texts, and shows encrypted texts only to their senders', () => {
  const answer = setUp();
  const page = pageOf(messageOf(7, ann), messageOf(8, bob, 'damaged'), messageOf(9, undefined));
  const avatars = 'http://shop.kz/avatars/user';
  const shared = { chatId: 5, type: 'text', createdAt };
  for (const reader of [ann, bob]) {
    for (const _time of ['written', 'cached']) {
      expect(answer(page, reader).body).toEqual({
        ok: true,
        messages: [
          {
            ...{ ...shared, id: 7, senderId: 1, text: 'Текст "7" 🙂 iv 7' },
            ...{ senderName: 'Ann', senderAvatar: `${avatars}/1/A.svg` },
            ...(reader === ann
              ? { encrypted: { iv: 'iv 7', encrypted: '00', authTag: '11' } }
              : {}),
          },
          {
            ...{ ...shared, id: 8, senderId: 2, text: '' },
            error: 'This message cannot be decrypted.',
            ...{ senderName: 'Боб "B"', senderAvatar: `${avatars}/2/%D0%91B.svg` },
            ...(reader === bob
              ? { encrypted: { iv: 'damaged', encrypted: '00', authTag: '11' } }
              : {}),
          },
          {
            ...{ ...shared, id: 9, senderId: 3, text: 'Текст "9" 🙂 iv 9' },
            ...{ senderName: '', senderAvatar: `${avatars}/3/-.svg` },
          },
        ],
        hasMore: false,
      });
    }
  }
});

it('pages that differ in any way have different responses and ETags', () => {
  const answer = setUp();
  const [first, second] = [messageOf(7, ann), messageOf(8, bob)];
  const same = answer(pageOf(first, second), ann);
  const others = [
    answer(pageOf(first, second), bob),
    answer(pageOf(first, second), personOf(3, 'C')),
    answer(pageOf(first, messageOf(8, { ...bob, username: 'Bobby' })), ann),
    answer(pageOf(first, messageOf(8, { ...bob, avatar: 'https://shop.kz/bob.png' })), ann),
    answer(pageOf(second), ann),
    answer(pageOf(first), ann),
    answer(pageOf(first, second, messageOf(9, ann)), ann),
    answer(pageOf(messageOf(7, ann, 'damaged'), second), ann),
    answer(pageOf(messageOf(7, ann, 'new'), second), ann),
    answer({ ...pageOf(first, second), hasMore: true }, ann),
  ];
  expect(new Set([same, ...others].map(({ etag }) => etag)).size).toBe(1 + others.length);
  expect(answer(pageOf(first, second), ann)).toEqual(same);
  expect(setUp()(pageOf(first, second), ann)).toEqual(same);
});

it('readers who wrote no message on a page share its response', () => {
  const answerOf = createPageAnswers(createViews(() => 'http://shop.kz'));
  const page = pageOf(messageOf(7, ann));
  expect(answerOf(page, 2)).toBe(answerOf(page, 3));
  expect(answerOf(page, 1)).not.toBe(answerOf(page, 3));
});
