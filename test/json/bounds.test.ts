import { expect, test } from 'vitest';
import { excessOf } from '../../src/json/bounds.js';

/** Returns nested lists with this number of levels. */
function nested(levels: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < levels; level += 1) value = [value];
  return value;
}

test.each([
  ['64 levels', nested(64), undefined],
  ['65 levels', nested(65), 'depth'],
  ['100,000 levels', nested(100_000), 'depth'],
  ['a long list of small values', Array(900).fill(0), undefined],
  ['a list of too many small values', Array(1_000).fill(0), 'length'],
  [
    'names',
    Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`name-${n + 100}`, 0])),
    undefined,
  ],
  ['long names', { ['n'.repeat(1_000)]: 0 }, 'length'],
  ['a long text', ['t'.repeat(1_000)], 'length'],
])('a value is checked for its depth and length: %s', (_, value, excess) => {
  expect(excessOf(value, { longest: 1_000 })).toBe(excess);
});

test('a value that contains itself is too deep', () => {
  const value: { self?: unknown } = {};
  value.self = value;
  expect(excessOf(value)).toBe('depth');
});
