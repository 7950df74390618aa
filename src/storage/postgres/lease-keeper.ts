import type { Clock } from '../../base/clock.js';
import type { Worker } from './worker.js';

/** Milliseconds from renewal to renewal; the lease bears four that fail. */
const renewEvery = 3_000;

/**
 * A worker that renews its lease by itself from its first claim until it leaves, for a command that has
 * nobody else to do so: what it has claimed stays its own however slow a provider or a receiver is.
 */
export function keepLease(worker: Worker, clock: Clock): Worker {
  let keeping: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;

  async function renewUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await clock.sleep(renewEvery, signal);
      // A database that is away takes no claims either; whoever uses one says so.
      if (!signal.aborted) await worker.renew().catch(() => false);
    }
  }

  function begin(): void {
    if (keeping) return;
    const stop = new AbortController();
    keeping = { stop, done: renewUntil(stop.signal) };
  }

  return {
    id() {
      begin();
      return worker.id();
    },
    claim(claim) {
      begin();
      return worker.claim(claim);
    },
    renew: () => worker.renew(),
    owe: (work) => worker.owe(work),
    async leave() {
      keeping?.stop.abort();
      await keeping?.done;
      keeping = undefined;
      await worker.leave();
    },
  };
}
