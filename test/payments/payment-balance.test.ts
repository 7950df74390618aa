import { expect, it } from 'vitest';
import { sharesOf } from '../../src/payments/watching/payment-balance.js';

const watchers = (...loads: number[]) => loads.map((load, n) => ({ id: `w${n}`, load }));

it.each([
  ['that is alone', watchers(1000), []],
  ['with its fair share', watchers(500, 500), []],
  ['with slightly more than its fair share', watchers(550, 450), []],
  ['with few payments', watchers(10, 0), []],
  ['when a second watcher has joined', watchers(1000, 0), [{ to: 'w1', count: 500 }]],
  [
    'when the other watchers need different numbers',
    watchers(900, 0, 300),
    [
      { to: 'w1', count: 400 },
      { to: 'w2', count: 100 },
    ],
  ],
  ['when another watcher also has too many', watchers(600, 600, 0), [{ to: 'w2', count: 200 }]],
  ['with more than it can hand over at a time', watchers(100_000, 0), [{ to: 'w1', count: 2_000 }]],
  ['that is not in the list', [{ id: 'w7', load: 7 }], []],
])('the number of payments to hand over is correct for a watcher %s', (_, loads, shares) => {
  expect(sharesOf(loads, 'w0')).toEqual(shares);
});
