import { backoff } from './backoff.js';
import { CallError } from './failure.js';
import type { Sleep } from './sleep.js';

export type Pauses = ReturnType<typeof createPauses>;

interface Wait {
  readonly milliseconds: number;
  /** True if the service asked for it. */
  readonly isAsked: boolean;
}

/**
 * Waits between attempts. `wake` ends only the waits that this client chose, never one that the service asked for
 * (`Retry-After`).
 */
export function createPauses({ sleep, random }: { sleep: Sleep; random: () => number }) {
  const asleep = new Set<AbortController>();

  /** Returns whether `wake` cut it short. */
  async function pause(milliseconds: number, signal: AbortSignal): Promise<boolean> {
    const controller = new AbortController();
    const stop = () => controller.abort();
    if (signal.aborted) return false;
    signal.addEventListener('abort', stop);
    asleep.add(controller);
    await sleep(milliseconds, controller.signal);
    asleep.delete(controller);
    signal.removeEventListener('abort', stop);
    return controller.signal.aborted && !signal.aborted;
  }

  return {
    wake() {
      for (const controller of asleep) controller.abort();
    },
    pause,
    /**
     * Returns how long to wait after this failure, which is the `failures`th in a row, and whether the service asked
     * for it.
     */
    after(error: unknown, failures: number): Wait {
      const asked = error instanceof CallError ? error.retryAfter : null;
      const own = backoff(failures, random());
      return { milliseconds: Math.max(asked ?? 0, own), isAsked: asked !== null };
    },
    /**
     * Returns true if `wake` cut it short. Failures are then counted from the start; otherwise somebody who writes
     * three messages while the server is briefly unavailable would wait for half a minute.
     */
    async wait({ milliseconds, isAsked }: Wait, signal: AbortSignal): Promise<boolean> {
      if (!isAsked) return pause(milliseconds, signal);
      await sleep(milliseconds, signal);
      return false;
    },
  };
}
