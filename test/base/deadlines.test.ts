import { expect, it } from 'vitest';
import { createDeadlines } from '../../src/base/deadlines.js';
import { createManualClock } from '../helpers/manual-clock.js';

function begin() {
  const clock = createManualClock();
  const expired: string[] = [];
  const deadlines = createDeadlines(clock, 100);
  return {
    clock,
    expired,
    deadlines,
    start: (name: string) => deadlines.start(() => expired.push(name)),
  };
}

it('deadlines expire unless they are ended in time, each at its own time', async () => {
  const { clock, expired, start } = begin();
  const endFirst = start('first');
  await clock.advance(40);
  start('second');
  start('third');
  endFirst();
  await clock.advance(99);
  expect(expired).toEqual([]);
  await clock.advance(1);
  expect(expired).toEqual(['second', 'third']);
  start('fourth');
  await clock.advance(100);
  expect(expired).toEqual(['second', 'third', 'fourth']);
  expect(clock.sleepers).toBe(0);
});

it('deadlines do not depend on the wall clock', async () => {
  const { clock, expired, start } = begin();
  start('one');
  clock.stepWallClock(25 * 3_600_000);
  await clock.advance(99);
  expect(expired).toEqual([]);
  clock.stepWallClock(-26 * 3_600_000);
  await clock.advance(1);
  expect(expired).toEqual(['one']);
});

it('closed deadlines never expire', async () => {
  const { clock, expired, deadlines, start } = begin();
  start('one');
  deadlines.close();
  await clock.advance(1000);
  expect(expired).toEqual([]);
  expect(clock.sleepers).toBe(0);
});
