import { createManualClock, type ManualClock } from './manual-clock.js';

/** Returns a manual clock with the running time of a deployment that has been running for five days. */
export function createRunningClock(): ManualClock & { ranFor(): number } {
  const clock = createManualClock();
  const start = clock.monotonic();
  return Object.assign(clock, { ranFor: () => 5 * 86_400_000 + clock.monotonic() - start });
}
