import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDeeperThan } from '../../src/json/bounds.js';

const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test.each([
  ['64 levels', lists(64), false],
  ['65 levels', lists(65), true],
  ['a number', '1', false],
  ['brackets in strings', JSON.stringify({ a: '[{'.repeat(100) }), false],
  ['brackets after escaped quotes', JSON.stringify(['"\\"[{"\\'.repeat(100)]), false],
  ['many shallow lists', `[${Array(1000).fill('{"a":[]}').join()}]`, false],
  ['a deep list after a string', `{"a":"\\\\","b":${lists(64)}}`, true],
  ['an unclosed string', `"${'['.repeat(100)}`, false],
])('text that is nested too deeply is detected: %s', (_, text, expected) => {
  expect(isDeeperThan(text)).toBe(expected);
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test('the depth of JSON text equals the depth of its parsed value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 0, max: 6 }), (value, levels) => {
      expect(isDeeperThan(JSON.stringify(value), levels)).toBe(depthOf(value) > levels);
    }),
  );
});
