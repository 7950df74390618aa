import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shortenTexts } from '../../src/messaging/chat-list.js';

const item = (text: string) => ({ lastMessage: { text, bytes: Buffer.byteLength(text) } });
const textsOf = (items: readonly ReturnType<typeof item>[]) =>
  items.map(({ lastMessage }) => lastMessage.text);

it.each([
  [['я'.repeat(300), 'b'.repeat(300)], 600, ['я'.repeat(300), `${'b'.repeat(200)}…`]],
  [['a'.repeat(300), 'b'.repeat(300)], 599, ['a'.repeat(300), `${'b'.repeat(200)}…`]],
  [['a'.repeat(300), 'b'.repeat(300)], 600, ['a'.repeat(300), 'b'.repeat(300)]],
  [['a'.repeat(300), 'short'], 300, ['a'.repeat(300), 'short']],
  [['🙂'.repeat(300)], 0, [`${'🙂'.repeat(200)}…`]],
  [['🙂'.repeat(201)], 0, ['🙂'.repeat(201)]],
])('the texts %j, limited to %i bytes, become %j', (texts, bytes, expected) => {
  expect(textsOf(shortenTexts(texts.map(item), bytes))).toEqual(expected);
});

it('shortening texts while the list grows has the same result as shortening at the end', () => {
  const sized = fc.record({ at: fc.nat(99), size: fc.nat(900) });
  fc.assert(
    fc.property(
      fc.uniqueArray(sized, { selector: ({ at }) => at }),
      fc.nat(3000),
      (all, maxBytes) => {
        const items = all.map(({ at, size }) => ({ at, ...item('x'.repeat(size)) }));
        const latestFirst = (some: typeof items) => [...some].sort((a, b) => b.at - a.at);
        let growing: typeof items = [];
        for (const each of items) {
          growing = shortenTexts(latestFirst([...growing, each]), maxBytes);
        }
        expect(growing).toEqual(shortenTexts(latestFirst(items), maxBytes));
      },
    ),
  );
});
