import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createAgenda } from '../../src/base/agenda.js';
import { createManualClock } from '../helpers/manual-clock.js';

function begin() {
  const clock = createManualClock();
  const start = clock.monotonic();
  const agenda = createAgenda<number>(clock);
  const stop = new AbortController();
  const seen: [item: number, at: number][] = [];
  const running = agenda.run((items) => {
    for (const item of items) seen.push([item, clock.monotonic() - start]);
  }, stop.signal);
  return {
    clock,
    seen,
    add: (item: number, due = item) => agenda.add(item, start + due),
    async end() {
      stop.abort();
      await running;
      expect(clock.sleepers).toBe(0);
    },
  };
}

it('an agenda returns all items when they are due, in order of their due times', async () => {
  const times = fc.array(fc.integer({ min: 0, max: 50 }));
  await fc.assert(
    fc.asyncProperty(times, async (dues) => {
      const { clock, seen, add, end } = begin();
      for (const due of dues) add(due);
      await clock.advance(50);
      expect(seen).toEqual([...dues].sort((a, b) => a - b).map((due) => [due, due]));
      await end();
    }),
    { numRuns: 30 },
  );
});

it('an agenda wakes for an earlier item, regardless of wall clock changes', async () => {
  const { clock, seen, add, end } = begin();
  add(100);
  await clock.advance(10);
  clock.stepWallClock(-120_000);
  add(20);
  add(5);
  clock.stepWallClock(25 * 3_600_000);
  await clock.advance(100);
  expect(seen).toEqual([
    [5, 10],
    [20, 20],
    [100, 100],
  ]);
  await end();
});
