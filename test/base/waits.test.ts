import { expect, it } from 'vitest';
import { createWaits, usualWaits } from '../../src/base/waits.js';

it('waiting requests are limited to 100 per key and 10,000 in total', () => {
  const waits = createWaits();
  const rejection = expect.objectContaining({
    code: 'rate_limited',
    headers: { 'Retry-After': '5' },
  });
  for (let user = 0; user < 100; user += 1) {
    for (let n = 0; n < 100; n += 1) waits.begin(`user ${user}`);
  }
  expect(waits.size).toBe(usualWaits.inAll);
  expect(() => waits.begin('user 100')).toThrow(rejection);
});

it('a waiting request frees its slot only once, even if it is ended repeatedly', () => {
  const waits = createWaits({ perKey: 2, inAll: 3 });
  const leave = waits.begin('a');
  waits.begin('a');
  expect(() => waits.begin('a')).toThrow('waiting');
  leave();
  leave();
  waits.begin('a');
  expect(() => waits.begin('a')).toThrow('waiting');
  waits.begin('b');
  expect(() => waits.begin('b')).toThrow('waiting');
  expect(waits.size).toBe(3);
});
