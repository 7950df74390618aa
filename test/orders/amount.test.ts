import { expect, it } from 'vitest';
import { amountOf, isSameAmount } from '../../src/orders/amount.js';

it.each([
  [1500, 1, 1500],
  [0.1, 3, 0.3],
  [1.005, 1, 1.01],
  [1.004, 1, 1],
  [2.675, 1, 2.68],
  [1.115, 3, 3.35],
  [0.005, 1, 0.01],
  [33.333, 3, 100],
  [0.07, 99, 6.93],
  [1e-3, 10, 0.01],
  [1e-7, 99, undefined],
  [0.004, 1, undefined],
  [0, 5, undefined],
  [-1, 1, undefined],
  [Number.NaN, 1, undefined],
  [90e12, 1, 90e12],
  [90e12, 2, undefined],
  [1e21, 1, undefined],
  [1.5e-3, 10, 0.02],
])('amountOf %d tenge times %d is %s', (price, quantity, amount) => {
  expect(amountOf(price, quantity)).toBe(amount);
});

it.each([
  [1.01, 1.01, true],
  [0.1 + 0.2, 0.3, true],
  [1.01, 1.02, false],
])('isSameAmount of %d and %d is %s', (a, b, same) => {
  expect(isSameAmount(a, b)).toBe(same);
});
