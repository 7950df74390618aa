import type { Clock } from '../../base/clock.js';
import { startEvery } from '../../base/every.js';
import { renewEvery } from '../lease-times.js';
import type { Worker } from './worker.js';

/**
 * A worker that renews its lease by itself from its first claim until it leaves, for a command that has
 * nobody else to do so: what it has claimed stays its own however slow a provider or a receiver is.
 */
export function keepLease(worker: Worker, clock: Clock): Worker {
  let renewing: ReturnType<typeof startEvery> | undefined;

  function begin(): void {
    // A database that is away takes no claims either; whoever uses one says so.
    const onError = () => {};
    renewing ??= startEvery(renewEvery, worker.renew, { clock, sleepFirst: true, onError });
  }

  return {
    ...worker,
    id() {
      begin();
      return worker.id();
    },
    claim(claim) {
      begin();
      return worker.claim(claim);
    },
    async leave() {
      await renewing?.stop();
      renewing = undefined;
      await worker.leave();
    },
  };
}
