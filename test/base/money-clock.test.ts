import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/base/errors.js';
import { type MoneyClock, openMoneyClock } from '../../src/base/money-clock.js';
import type { StateStore } from '../../src/base/state.js';
import { createManualClock, type ManualClock } from '../helpers/manual-clock.js';
import { createMemoryState } from '../helpers/memory-state.js';
import { openRecordedLog } from '../helpers/recorded-log.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Creates a deployment. Each call of `open` starts a process, which runs until `stop`. */
async function begin({ hasMoney = true } = {}) {
  const clock = createManualClock();
  const state = createMemoryState();
  const { log, lines } = await openRecordedLog();
  async function open(on: ManualClock = clock, from: StateStore = state): Promise<MoneyClock> {
    return openMoneyClock({ state: from, clock: on, log, hasMoney: async () => hasMoney });
  }
  return { clock, state, lines, open };
}

/** Creates a deployment that has run for some time and has no hold. */
async function running(time = 30 * day) {
  const world = await begin({ hasMoney: false });
  const moneyClock = await world.open();
  await moneyClock.deletionTime();
  await world.clock.advance(time);
  await moneyClock.deletionTime();
  return { ...world, moneyClock };
}

describe('the running time', () => {
  it('is stored every minute, and continues after a restart', async () => {
    const { clock, state, open } = await begin();
    const first = await open();
    await first.start();
    await clock.advance(10 * minute);
    expect(state.facts.clock?.ranFor).toBe(10 * minute);
    expect(first.clock.ranFor?.()).toBe(10 * minute);
    await first.stop();
    await clock.advance(3 * day);
    const second = await open();
    expect(second.clock.ranFor?.()).toBe(10 * minute);
    await clock.advance(5 * minute);
    expect(second.clock.ranFor?.()).toBe(15 * minute);
    // A command only reads the running time.
    expect(state.facts.clock?.ranFor).toBe(10 * minute);
  });

  it('is counted once even if several processes run', async () => {
    const { clock, state, open } = await begin();
    const processes = [await open(), await open(), await open()];
    for (const each of processes) await each.start();
    await clock.advance(2 * hour);
    for (const each of processes) await each.stop();
    expect(state.facts.clock?.ranFor).toBe(2 * hour);
    expect(processes.map((each) => each.clock.ranFor?.())).toEqual([2, 2, 2].map((n) => n * hour));
  });

  it('does not depend on the wall clock', async () => {
    const { clock, state, open } = await begin();
    const moneyClock = await open();
    await moneyClock.start();
    await clock.advance(hour);
    clock.stepWallClock(400 * day);
    await clock.advance(hour);
    clock.stepWallClock(-800 * day);
    await clock.advance(hour);
    expect(state.facts.clock?.ranFor).toBe(3 * hour);
    await moneyClock.stop();
  });

  it('is unknown while the stored fact is damaged, so nothing is deleted and one error is logged', async () => {
    const { clock, state, lines, open } = await begin();
    const damaged = async () => {
      throw new AppError('data_damaged', 'Damaged.');
    };
    const moneyClock = await open(clock, { ...state, find: damaged, change: damaged });
    expect(moneyClock.clock.ranFor?.()).toBeUndefined();
    await expect(moneyClock.deletionTime()).rejects.toMatchObject({ code: 'data_damaged' });
    await moneyClock.start();
    await clock.advance(hour);
    await moneyClock.stop();
    expect(lines.map(({ level }) => level)).toEqual(['error']);
  });
});

describe('deleting money records', () => {
  it('is allowed if the clock has not jumped', async () => {
    const { clock, moneyClock, lines, state } = await running();
    expect(await moneyClock.deletionTime()).toBe(clock.now());
    expect([lines, state.facts.clock?.jumps]).toEqual([[], 0]);
  });

  it.each([
    ['ahead by 25 hours', 25 * hour],
    ['back by 25 hours', -25 * hour],
    ['ahead by 410 days', 410 * day],
  ])(
    'is suspended for 24 hours of running time immediately after the clock jumps %s',
    async (_, step) => {
      const { clock, moneyClock, lines, state } = await running();
      clock.stepWallClock(step);
      expect(await moneyClock.deletionTime()).toBeUndefined();
      expect(state.facts.clock?.jumps).toBe(1);
      expect(lines).toMatchObject([{ level: 'error', cause: 'jump' }]);
      expect(lines[0]?.msg).toMatch(
        /^The wall clock jumped from 2026-12-21.* No money records are deleted/,
      );
      await clock.advance(day - 1);
      expect(await moneyClock.deletionTime()).toBeUndefined();
      await clock.advance(1);
      expect(await moneyClock.deletionTime()).toBe(clock.now());
      expect(lines).toHaveLength(1);
    },
  );

  it('is suspended after a start far from the stored time, and after further restarts', async () => {
    const { clock, moneyClock, lines, state, open } = await running();
    await moneyClock.stop();
    clock.stepWallClock(410 * day);
    const started = await open();
    expect(await started.deletionTime()).toBeUndefined();
    await clock.advance(23 * hour);
    expect(await started.deletionTime()).toBeUndefined();
    // Time between two runs is not counted.
    await clock.advance(2 * hour);
    const again = await open();
    expect(await again.deletionTime()).toBeUndefined();
    await clock.advance(59 * minute);
    expect(await again.deletionTime()).toBeUndefined();
    await clock.advance(minute);
    expect(await again.deletionTime()).toBe(clock.now());
    expect(state.facts.clock?.jumps).toBe(1);
    // Each process logs the reason for the suspension once.
    expect(lines.map(({ level, cause }) => [level, cause])).toEqual([
      ['error', 'start'],
      ['error', 'start'],
    ]);
  });

  it('is allowed after the service was stopped for a few days', async () => {
    const { clock, moneyClock, lines, open } = await running();
    await moneyClock.stop();
    await clock.advance(6 * day);
    const started = await open();
    expect(await started.deletionTime()).toBe(clock.now());
    expect(lines).toEqual([]);
  });

  it('is suspended at the first start without a stored running time, which is not reported as a jump', async () => {
    const { clock, lines, state, open } = await begin();
    const moneyClock = await open();
    expect(await moneyClock.deletionTime()).toBeUndefined();
    expect(state.facts.clock).toMatchObject({ jumps: 0, hold: { cause: 'first' } });
    expect(lines.map(({ level }) => level)).toEqual(['info']);
    await clock.advance(day);
    expect(await moneyClock.deletionTime()).toBe(clock.now());
  });

  it('is suspended in every process after one of them has stored a jump', async () => {
    const { clock, moneyClock, lines, state, open } = await running();
    const other = await open();
    await other.deletionTime();
    clock.stepWallClock(25 * hour);
    await moneyClock.deletionTime();
    expect(await other.deletionTime()).toBeUndefined();
    expect(state.facts.clock?.jumps).toBe(1);
    expect(lines).toHaveLength(2);
  });
});
