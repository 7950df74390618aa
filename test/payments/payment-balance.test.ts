import { expect, it } from 'vitest';
import { sharesOf } from '../../src/payments/watching/payment-balance.js';

const watchers = (...loads: number[]) => loads.map((load, n) => ({ id: `w${n}`, load }));

it.each([
  ['alone', watchers(1000), []],
  ['with its fair share', watchers(500, 500), []],
  ['with little more than that', watchers(550, 450), []],
  ['with few payments', watchers(10, 0), []],
  ['beside one that joined', watchers(1000, 0), [{ to: 'w1', count: 500 }]],
  [
    'by how much the others lack',
    watchers(900, 0, 300),
    [
      { to: 'w1', count: 400 },
      { to: 'w2', count: 100 },
    ],
  ],
  ['together with another that has too much', watchers(600, 600, 0), [{ to: 'w2', count: 200 }]],
  ['not too much at once', watchers(100_000, 0), [{ to: 'w1', count: 2_000 }]],
  ['unknown to the others', [{ id: 'w7', load: 7 }], []],
])('a watcher %s hands over the right number of payments', (_, loads, shares) => {
  expect(sharesOf(loads, 'w0')).toEqual(shares);
});
