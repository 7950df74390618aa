import { access } from 'node:fs';
import type { Clock } from '../../src/base/clock.js';

interface Sleeper {
  readonly due: number;
  readonly order: number;
  wake(): void;
}

/** A clock that only a test advances. */
export interface ManualClock extends Clock {
  /**
   * Moves time forward by `milliseconds`. Wakes sleepers in the order in which they are due, and waits for the work
   * that each one starts (including file access) before it wakes the next one.
   */
  advance(milliseconds: number): Promise<void>;
  /** Wakes sleepers until `condition` is true. Throws if it is still false after `limit` milliseconds. */
  advanceUntil(condition: () => boolean | Promise<boolean>, limit: number): Promise<void>;
  /** Waits until the work in progress has finished, without advancing the time. */
  settle(): Promise<void>;
  /** Sets the wall clock forward or back. Sleepers and the monotonic time are not affected. */
  stepWallClock(milliseconds: number): void;
  /** The number of sleeping callers. */
  readonly sleepers: number;
}

/**
 * Returns a clock that starts at a fixed, round time, so that printed times are the same in every run. `isBusy` returns
 * true while work outside the clock, such as a query, is in progress.
 */
export function createManualClock(
  start = Date.parse('2026-11-21T02:00:00.000Z'),
  isBusy = () => false,
): ManualClock {
  const settle = () => untilQuiet(isBusy);
  /** The monotonic time. Its zero differs from that of the wall clock, so that tests detect a mix-up of the two. */
  let moment = 5_000;
  let wallOffset = start - moment;
  let order = 0;
  const asleep = new Set<Sleeper>();

  function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        asleep.delete(sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const due = moment + Math.max(0, milliseconds);
      const sleeper: Sleeper = { due, order: order++, wake };
      asleep.add(sleeper);
      signal?.addEventListener('abort', wake, { once: true });
    });
  }

  function earliest(limit: number): Sleeper | undefined {
    let first: Sleeper | undefined;
    for (const sleeper of asleep) {
      if (sleeper.due > limit) continue;
      const { due = Number.POSITIVE_INFINITY, order: place = 0 } = first ?? {};
      if (sleeper.due < due || (sleeper.due === due && sleeper.order < place)) first = sleeper;
    }
    return first;
  }

  async function wakeNext(limit: number): Promise<boolean> {
    const next = earliest(limit);
    if (!next) return false;
    moment = Math.max(moment, next.due);
    next.wake();
    await settle();
    return true;
  }

  return {
    now: () => wallOffset + moment,
    monotonic: () => moment,
    sleep,
    settle,
    stepWallClock(milliseconds) {
      wallOffset += milliseconds;
    },
    get sleepers() {
      return asleep.size;
    },
    async advance(milliseconds) {
      const target = moment + milliseconds;
      await settle();
      while (await wakeNext(target));
      moment = target;
    },
    async advanceUntil(condition, limit) {
      const target = moment + limit;
      await settle();
      while (!(await condition())) {
        if (!(await wakeNext(target)))
          throw new Error(`The condition was not met within ${limit} ms.`);
      }
    },
  };
}

/**
 * Resolves after three consecutive turns of the event loop without file access. It waits for file access by queuing an
 * operation after it in the thread pool, because a busy loop would take processor time.
 */
async function untilQuiet(isBusy: () => boolean): Promise<void> {
  for (let quiet = 0; quiet < 3; quiet++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (isBusy()) {
      quiet = -1;
      await new Promise((resolve) => setTimeout(resolve, 1));
      continue;
    }
    if (!process.getActiveResourcesInfo().some((name) => fileAccess.test(name))) continue;
    quiet = -1;
    await new Promise((resolve) => access('/', resolve));
  }
}

/** Names of file operations in progress in Node.js. An idle open file has none. */
const fileAccess = /^(FSReq|FileHandleCloseReq|CloseReq)/;
