import { backoff } from './backoff.js';
import { CallError } from './failure.js';
import type { Sleep } from './sleep.js';

export type Pauses = ReturnType<typeof createPauses>;

interface Wait {
  readonly milliseconds: number;
  /** True if the service requested the wait. */
  readonly isRequested: boolean;
}

/**
 * Waits between attempts. `wake` ends only waits that this client chose, never a wait that the service requested with
 * `Retry-After`.
 */
export function createPauses({ sleep, random }: { sleep: Sleep; random: () => number }) {
  const pending = new Set<AbortController>();

  /** Waits and returns whether `wake` ended the wait early. */
  async function pause(milliseconds: number, signal: AbortSignal): Promise<boolean> {
    const controller = new AbortController();
    const stop = () => controller.abort();
    if (signal.aborted) return false;
    signal.addEventListener('abort', stop);
    pending.add(controller);
    await sleep(milliseconds, controller.signal);
    pending.delete(controller);
    signal.removeEventListener('abort', stop);
    return controller.signal.aborted && !signal.aborted;
  }

  return {
    wake() {
      for (const controller of pending) controller.abort();
    },
    pause,
    /** Returns the delay after the last of `failures` consecutive failures, and whether the service requested it. */
    after(error: unknown, failures: number): Wait {
      const requested = error instanceof CallError ? error.retryAfter : null;
      const chosen = backoff(failures, random());
      return { milliseconds: Math.max(requested ?? 0, chosen), isRequested: requested !== null };
    },
    /**
     * Waits and returns whether `wake` ended the wait early. If it did, the caller counts failures from the beginning.
     * Otherwise, a user who writes three messages while the server is briefly unavailable would wait for half a minute.
     */
    async wait({ milliseconds, isRequested }: Wait, signal: AbortSignal): Promise<boolean> {
      if (!isRequested) return pause(milliseconds, signal);
      await sleep(milliseconds, signal);
      return false;
    },
  };
}
