import { expect, it } from 'vitest';
import { startDeadline } from '../../src/base/deadlines.js';
import { createManualClock } from '../helpers/manual-clock.js';

it('deadlines expire independently unless they are ended in time', async () => {
  const clock = createManualClock();
  const expired: string[] = [];
  const start = (name: string) => startDeadline(clock, 100, () => expired.push(name));
  const endFirst = start('first');
  await clock.advance(40);
  start('second');
  endFirst();
  await clock.advance(99);
  expect(expired).toEqual([]);
  await clock.advance(1);
  expect(expired).toEqual(['second']);
  expect(clock.sleepers).toBe(0);
});
