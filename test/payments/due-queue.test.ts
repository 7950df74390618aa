import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createDueQueue } from '../../src/payments/watching/due-queue.js';

it('gives everything back in the order it is due, and nothing early', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 })), (times) => {
      const queue = createDueQueue<number>();
      for (const time of times) queue.add(time, time);
      const taken: number[] = [];
      for (let now = 0; now <= 50; now++) {
        for (let item = queue.take(now); item !== undefined; item = queue.take(now)) {
          expect(item).toBe(now);
          taken.push(item);
        }
        expect(queue.next() ?? 99).toBeGreaterThan(now);
      }
      expect(taken).toEqual([...times].sort((a, b) => a - b));
      expect(queue.size).toBe(0);
    }),
  );
});
