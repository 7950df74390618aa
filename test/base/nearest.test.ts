import { expect, it } from 'vitest';
import { nearest } from '../../src/base/nearest.js';

const names = ['label', 'title', 'product', 'entity', 'createLabel', 'primary_user', 'warn', 'ok'];

it.each([
  ['lable', 'label'],
  ['Label', 'label'],
  ['produkt', 'product'],
  ['create_label', 'createLabel'],
  ['primaryUser', 'primary_user'],
  ['warning', 'warn'],
  ['prod', 'product'],
  ['entiti', 'entity'],
  ['xyz', undefined],
  ['o', undefined],
  ['', undefined],
  ['label', undefined],
])('the nearest name to %s is %s', (word, expected) => {
  expect(nearest(word, names)).toBe(expected);
});

it('a very long word has no nearest name', () => {
  expect(nearest('x'.repeat(1_000_000), names)).toBeUndefined();
});
