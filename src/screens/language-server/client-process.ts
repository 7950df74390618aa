import type { Clock } from '../../base/clock.js';

/** Milliseconds between two polls of the client's process, as the protocol's own package has it. */
const pollInterval = 3_000;

/**
 * Waits until the process of a client is gone, whose streams another process may hold open. One that cannot
 * be seen from the start runs elsewhere (outside of the container, say), and is not waited for. Gives
 * whether it is gone.
 */
export async function untilProcessEnds(
  id: number,
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
): Promise<boolean> {
  if (!isAlive(id)) return false;
  while (!signal.aborted) {
    await clock.sleep(pollInterval, signal);
    if (!isAlive(id)) return true;
  }
  return false;
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0); // Sends nothing: it asks whether there is such a process.
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
