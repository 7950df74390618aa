import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work after which interruptions and other threads are heard: people notice a pause ten times as long. */
const turnTime = 10;

/**
 * Lets an interruption through between two files, but not between any two: most files take far less time than
 * a turn of the event loop is worth.
 */
export function openTurns(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < turnTime) return;
    await nextTurn();
    began = performance.now();
  };
}
