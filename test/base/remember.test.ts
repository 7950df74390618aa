import { expect, test } from 'vitest';
import { remembering } from '../../src/base/recent.js';

function counted() {
  const asked: string[] = [];
  const decide = remembering((text: string) => {
    asked.push(text);
    return text === '' ? undefined : text.length;
  });
  return { asked, decide };
}

test('a remembered function is called once for a repeated text, even if it returns undefined', () => {
  const { asked, decide } = counted();
  expect(['br', 'br', '', '', 'gzip'].map(decide)).toEqual([2, 2, undefined, undefined, 4]);
  expect(asked).toEqual(['br', '', 'gzip']);
});

test('a remembered function is called again for long texts, and after too many texts', () => {
  const { asked, decide } = counted();
  const long = 'x'.repeat(201);
  expect([decide(long), decide(long)]).toEqual([201, 201]);
  expect(asked).toHaveLength(2);
  for (let index = 0; index < 201; index += 1) decide(`text ${index}`);
  expect(decide('text 0')).toBe(6);
  expect(asked.filter((text) => text === 'text 0')).toHaveLength(2);
});
