import { setImmediate as nextTurn } from 'node:timers/promises';

/** Seconds of work after which interruptions and other threads are heard: people notice a pause ten times as long. */
const turnTime = 0.01;

/**
 * Lets an interruption through between two files, but not between any two: most files take far less time than
 * a turn of the event loop is worth.
 */
export function openTurns(): () => Promise<void> {
  // What Node.js loads for `performance` takes longer than to check a small file.
  let began = process.uptime();
  return async () => {
    if (process.uptime() - began < turnTime) return;
    await nextTurn();
    began = process.uptime();
  };
}
