import { expect, test } from 'vitest';
import type { StoredMessage } from '../../src/messaging/model.js';
import { createMessageTails } from '../../src/messaging/store-json/message-reader.js';

const message = (id: number): StoredMessage => ({
  id,
  chatId: 1,
  senderId: 1,
  type: 'text',
  text: 'x'.repeat(1000),
  encrypted: { iv: '', encrypted: '', authTag: '' },
  scheme: 'email',
  createdAt: '2026-01-31T09:00:00.000Z',
});

const mebibyte = 1024 * 1024;

test("setting a chat's tail keeps its latest messages up to a limit", () => {
  const tails = createMessageTails(32 * mebibyte);
  tails.set(1, {
    messages: Array.from({ length: 50_000 }, (_, n) => message(n + 1)),
    complete: true,
  });
  const tail = tails.get(1);
  expect(tail?.messages.at(-1)?.id).toBe(50_000);
  expect(tail?.messages.length).toBeLessThan(2000);
  expect(tail?.complete).toBe(false);
});

test('pushing messages keeps a limited number of the latest ones without gaps', () => {
  const tails = createMessageTails(32 * mebibyte);
  tails.set(1, { messages: [message(1)], complete: true });
  for (let id = 2; id <= 5000; id += 1) tails.push(message(id));
  const { messages = [], complete } = tails.get(1) ?? {};
  expect(complete).toBe(false);
  expect(messages.length).toBeLessThan(2000);
  expect(messages.map(({ id }) => id)).toEqual(
    Array.from({ length: messages.length }, (_, n) => 5001 - messages.length + n),
  );
});
