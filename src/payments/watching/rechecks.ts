import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import { createAgenda } from '../../base/agenda.js';
import type { Clock } from '../../base/clock.js';
import type { Payment } from '../payment.js';
import type { Sessions } from '../sessions/sessions.js';
import type { Flips } from './flips.js';
import type { Poll } from './poll.js';

export interface RechecksOptions {
  readonly poll: Poll;
  readonly sessions: Pick<Sessions, 'hold'>;
  readonly flips: Pick<Flips, 'seen'>;
  readonly clock: Clock;
}

/** How long after its end a payment is polled once more, in milliseconds. */
const recheckAfter = 60_000;
/** The most ended payments that wait for one more poll; further ones are not polled again. */
const mostWaiting = 10_000;
/** Such polls under way: those of open payments come first. */
const recheckedAtOnce = 64;

/**
 * One more poll of each payment that has ended without success, a minute after its end: late payers are
 * the usual reason why a provider changes its mind. It is not remembered over a restart, and where it fails
 * there is no other.
 */
export function createRechecks({ poll, sessions, flips, clock }: RechecksOptions) {
  const agenda = createAgenda<() => Promise<void>>(clock);
  const limit = pLimit(recheckedAtOnce);
  const underway = new Set<Promise<void>>();
  let ending = new AbortController().signal;
  let waiting = 0;

  async function check(payment: Payment): Promise<void> {
    if (ending.aborted) return;
    const result = await poll(payment, ending);
    if (result.kind !== 'failed') await flips.seen(payment, result.facts);
  }

  return {
    add(payment: Payment): void {
      if (payment.outcome === 'success' || waiting >= mostWaiting) return;
      waiting += 1;
      // Logged out meanwhile, the session is ended at the provider after this poll. Where another process
      // ends it earlier, the poll uses another session of the organization, or shows nothing.
      const release = sessions.hold(payment.sessionId);
      const recheck = () =>
        limit(() => check(payment)).finally(() => {
          release();
          waiting -= 1;
        });
      agenda.add(recheck, clock.monotonic() + recheckAfter);
    },
    /** Works until `signal` aborts; polls under way are given up. */
    async run(signal: AbortSignal): Promise<void> {
      setMaxListeners(0, signal);
      ending = signal;
      await agenda.run((due) => {
        for (const recheck of due) {
          const checking = recheck().finally(() => underway.delete(checking));
          underway.add(checking);
        }
      }, signal);
      await Promise.all(underway);
    },
  };
}
