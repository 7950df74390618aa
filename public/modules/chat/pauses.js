import { backoff } from './backoff.js';
import { ChatError } from './failure.js';

/** @typedef {ReturnType<typeof createPauses>} Pauses */

/**
 * Waits between attempts. `wake` ends those that nobody but this client chose; what the service asked
 * for (`Retry-After`) is waited for in any case.
 *
 * @param {Pick<import('./types.js').ClientParts, 'sleep' | 'random'>} parts
 */
export function createPauses({ sleep, random }) {
  /** @type {Set<AbortController>} */
  const asleep = new Set();
  return {
    wake() {
      for (const controller of asleep) controller.abort();
    },
    /**
     * Gives whether it was cut short by `wake`.
     *
     * @param {number} milliseconds
     * @param {AbortSignal} signal
     */
    async pause(milliseconds, signal) {
      const controller = new AbortController();
      const stop = () => controller.abort();
      if (signal.aborted) return false;
      signal.addEventListener('abort', stop);
      asleep.add(controller);
      await sleep(milliseconds, controller.signal);
      asleep.delete(controller);
      signal.removeEventListener('abort', stop);
      return controller.signal.aborted && !signal.aborted;
    },
    /**
     * How long to wait after this failure, the `failures`th in a row, and whether `wake` may cut it.
     *
     * @param {unknown} error
     * @param {number} failures
     */
    after(error, failures) {
      const asked = error instanceof ChatError ? error.retryAfter : null;
      const own = backoff(failures, random());
      return { milliseconds: Math.max(asked ?? 0, own), isAsked: asked !== null };
    },
    /**
     * Gives whether it was cut short by `wake`: then failures are counted from the start, or who writes
     * three messages while the server is away for a moment would wait for half a minute.
     *
     * @param {{ milliseconds: number, isAsked: boolean }} wait
     * @param {AbortSignal} signal
     * @returns {Promise<boolean>}
     */
    async wait({ milliseconds, isAsked }, signal) {
      if (!isAsked) return this.pause(milliseconds, signal);
      await sleep(milliseconds, signal);
      return false;
    },
  };
}
