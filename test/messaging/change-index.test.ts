import { expect, it } from 'vitest';
import { createChangeIndex } from '../../src/messaging/change-index.js';

/** Returns a listener that counts its calls. */
const listen = () => {
  const listener = {
    called: 0,
    onChange() {
      listener.called += 1;
    },
  };
  return listener;
};

it.each([1, 2, 8, 9, 100])('%i listeners of one chat are called once for each change', (count) => {
  const index = createChangeIndex();
  const listeners = Array.from({ length: count }, listen);
  for (const listener of listeners) index.add(listener, { chats: [1, 2], people: [1], list: 3 });
  const other = listen();
  index.add(other, { chats: [3], people: [2], list: 1 });
  for (const change of [{ chat: 1 }, { person: 1 }, { list: 3 }, 'unknown'] as const) {
    index.call(change);
  }
  expect(listeners.map(({ called }) => called)).toEqual(Array(count).fill(4));
  expect(other.called).toBe(1);
  index.call({ chat: 4 });
  index.call({ list: 2 });
  expect(other.called).toBe(1);

  const [gone, ...left] = listeners;
  if (gone) index.remove(gone, { chats: [1, 2], people: [1], list: 3 });
  index.call({ chat: 2 });
  expect(gone?.called).toBe(4);
  expect(left.map(({ called }) => called)).toEqual(Array(count - 1).fill(5));
  for (const listener of left) index.remove(listener, { chats: [1, 2], people: [1], list: 3 });
  index.call('unknown');
  expect(left.map(({ called }) => called)).toEqual(Array(count - 1).fill(5));
  expect(other.called).toBe(2);
});

it('a listener that removes itself or others while it is called does not affect the rest', () => {
  const index = createChangeIndex();
  const [first, last] = [listen(), listen()];
  const leaver = {
    onChange() {
      index.remove(leaver, { chats: [1] });
      index.remove(last, { chats: [1] });
    },
  };
  for (const each of [first, leaver, last]) index.add(each, { chats: [1] });
  index.call({ chat: 1 });
  index.call({ chat: 1 });
  expect(first.called).toBe(2);
  expect(last.called).toBe(1);
});
