import { isFinal } from '../shared/failure.ts';

/**
 * Repeats work until it succeeds or fails permanently. Between attempts, it waits with an increasing delay, and then
 * until the server has responded to a different request. This avoids calls to an unavailable server and updates the
 * server's time.
 *
 * @typedef {<T>(work: () => Promise<T>, onFailure?: (error: unknown) => void) => Promise<T>} Persist
 */

/**
 * @param {object} parts
 * @param {import('../shared/pauses.ts').Pauses} parts.pauses
 * @param {() => Promise<void>} parts.recheck
 * @param {AbortSignal} parts.signal
 * @returns {Persist}
 */
export function createPersist({ pauses, recheck, signal }) {
  return async (work, onFailure = () => {}) => {
    for (let failures = 1; ; failures++) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted || isFinal(error)) throw error;
        onFailure(error);
        if (await pauses.wait(pauses.after(error, failures), signal)) failures = 0;
        await recheck();
        if (signal.aborted) throw error;
      }
    }
  };
}
