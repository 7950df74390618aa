import { expect, it } from 'vitest';
import { createInTurn } from '../../src/payments/providers/guard.js';
import { createManualClock } from '../helpers/manual-clock.js';

it('inTurn limits concurrent calls per key and rejects calls that have waited for 25 seconds', async () => {
  const clock = createManualClock();
  const inTurn = createInTurn(2, clock);
  const made: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (key: string, name: string) =>
    inTurn(key, () => {
      made.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const first = [ask('a', 'a1'), ask('a', 'a2')];
  const waits = ask('a', 'a3');
  const other = ask('b', 'b1');
  await clock.advance(20_000);
  const late = ask('a', 'a4');
  expect(made).toEqual(['a1', 'a2', 'b1']);
  await clock.advance(5_001);
  for (const end of ends) end();
  await Promise.all([...first, other]);
  await expect(waits).rejects.toMatchObject({ kind: 'timeout', code: 'provider_error' });
  await clock.settle();
  expect(made).toEqual(['a1', 'a2', 'b1', 'a4']);
  for (const end of ends) end();
  await late;
});
