import { expect, it } from 'vitest';
import { costOf, workOf } from '../../src/messaging/password-hasher.js';

const hashOf = (cost: string, version = '2b') => `$${version}$${cost}$${'a'.repeat(53)}`;

it.each([
  [hashOf('04'), 4],
  [hashOf('10', '2a'), 10],
  [hashOf('16', '2y'), 16],
  [hashOf('03'), undefined],
  [hashOf('17'), undefined],
  [hashOf('31'), undefined],
  [hashOf('1'), undefined],
  [hashOf('10', '2x'), undefined],
  [`${hashOf('10')}a`, undefined],
  [hashOf('10').slice(0, -1), undefined],
  ['', undefined],
])('the bcrypt cost of %s is %s', (hash, cost) => {
  expect(costOf(hash)).toBe(cost);
});

it.each([
  ['a hash of the highest cost', hashOf('10'), 10, { cost: 10, more: [] }],
  ['a cheaper hash', hashOf('08'), 10, { cost: 8, more: [8, 9] }],
  ['the cheapest hash', hashOf('04'), 8, { cost: 4, more: [4, 5, 6, 7] }],
  ['a hash above the reported highest cost', hashOf('12'), 10, { cost: 12, more: [] }],
  ['a missing hash', undefined, 10, { cost: 10, more: [] }],
  ['an invalid hash', 'x', 10, { cost: 10, more: [] }],
  ['a hash that is too expensive to compare with', hashOf('17'), 10, { cost: 10, more: [] }],
])(
  'checking a password against %s takes the work of the highest cost',
  (_, hash, highest, expected) => {
    const work = workOf(hash, highest);
    expect(work).toMatchObject(expected);
    const rounds = [work.cost, ...work.more].reduce((sum, cost) => sum + 2 ** cost, 0);
    expect(rounds).toBe(2 ** Math.max(highest, work.cost));
  },
);
