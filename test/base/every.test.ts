import { describe, expect, it } from 'vitest';
import { type Alarm, createAlarm, every } from '../../src/base/every.js';
import { createManualClock, type ManualClock } from '../helpers/manual-clock.js';

type Work = (
  round: number,
  times: { clock: ManualClock; alarm: Alarm; stop: AbortController },
) => unknown;

function begin(interval: number, work: Work, sleepFirst = false) {
  const clock = createManualClock();
  const alarm = createAlarm(clock);
  const stop = new AbortController();
  const errors: unknown[] = [];
  let rounds = 0;
  const ended = every(interval, () => work(++rounds, { clock, alarm, stop }), {
    clock: alarm,
    signal: stop.signal,
    sleepFirst,
    onError: (error) => errors.push(error),
  });
  return { clock, alarm, stop, errors, ended, rounds: () => rounds };
}

describe('every', () => {
  it('runs immediately, then one interval after each run ends', async () => {
    const { clock, stop, ended, rounds } = begin(10, (round, { clock }) =>
      clock.sleep(round === 1 ? 5 : 0),
    );
    await clock.advance(14);
    expect(rounds()).toBe(1);
    await clock.advance(1);
    expect(rounds()).toBe(2);
    stop.abort();
    await ended;
    await clock.advance(100);
    expect(rounds()).toBe(2);
  });

  it('sleeps first if requested, and keeps its interval when the wall clock jumps', async () => {
    const { clock, stop, ended, rounds } = begin(10, () => {}, true);
    expect(rounds()).toBe(0);
    await clock.advance(10);
    clock.stepWallClock(-120_000);
    await clock.advance(10);
    clock.stepWallClock(25 * 3_600_000);
    await clock.advance(9);
    expect(rounds()).toBe(2);
    stop.abort();
    await ended;
  });

  it('reports a failed round and continues, but does not report a round that the signal ended', async () => {
    const { clock, errors, ended, rounds } = begin(10, async (round, { stop }) => {
      if (round === 3) stop.abort();
      throw new Error(`round ${round}`);
    });
    await clock.advance(20);
    await ended;
    expect(rounds()).toBe(3);
    expect(errors).toEqual([new Error('round 1'), new Error('round 2')]);
  });

  it('throws the error of a failed round if there is no error handler', async () => {
    const work = () => Promise.reject(new Error('broken'));
    const { signal } = new AbortController();
    await expect(every(10, work, { clock: createManualClock(), signal })).rejects.toThrow('broken');
  });

  it('is woken by an alarm, even if it rings during the work', async () => {
    const { clock, alarm, stop, ended, rounds } = begin(1000, (round, { alarm }) => {
      if (round === 1) alarm.ring();
    });
    await clock.settle();
    expect(rounds()).toBe(2);
    alarm.ring();
    await clock.settle();
    expect(rounds()).toBe(3);
    stop.abort();
    await ended;
    expect(clock.sleepers).toBe(0);
  });
});
