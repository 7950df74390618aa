import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import { createAgenda } from '../../base/agenda.js';
import { timeOf } from '../../base/clock.js';
import { every, inBackground } from '../../base/every.js';
import type { PaymentParts } from '../parts.js';
import type { Payment } from '../payment.js';
import type { PaymentLease } from '../store.js';
import type { Flips } from './flips.js';
import type { PaymentBalance } from './payment-balance.js';

import { firstPolls, handedOverPoll, isPastExpiry } from './poll-schedule.js';
import { createPoller, type PollerOptions } from './poller.js';

interface WatcherOptions extends Omit<PollerOptions, 'onEnded'>, Pick<PaymentParts, 'sessions'> {
  readonly flips: Flips;
  /** Interval between two scans for payments and sign-ins of other processes, in milliseconds; 1000 by default. */
  readonly scanInterval?: number;
  /** Called with the organization of a cashier who has signed in through another process. */
  onSignedIn(organizationId: number): void;
}

/** Number of scans after which the lease is renewed and ended sessions are erased. */
const scansPerRenewal = 3;
/** Number of scans after which payments are distributed among watchers. */
const scansPerSharing = 5;

/** Polls every open payment, including those of other processes, until it has ended. */
export function createWatcher(options: WatcherOptions) {
  const { store, sessions, clock, log, interval, scanInterval = 1000 } = options;
  const rechecks = createRechecks(options);
  const poller = createPoller({ ...options, onEnded: rechecks.add });
  const running = inBackground((signal) =>
    Promise.all([
      poller.run(signal),
      rechecks.run(signal),
      every(scanInterval, scanAndShare, { clock, signal, sleepFirst: true }),
    ]),
  );
  let isStarted = false;
  let lease: PaymentLease | undefined;
  let scans = 0;

  async function keepLease(): Promise<boolean> {
    if (lease && (await lease.renew())) return true;
    lease = await store.claimAll('serve');
    if (!lease) poller.dropAll();
    return lease !== undefined;
  }

  /** Adds the payments of other processes and detects their sign-ins. */
  async function scan(): Promise<void> {
    for (const organizationId of await sessions.refresh()) {
      poller.wake(organizationId);
      options.onSignedIn(organizationId);
    }
    for (const { payment, dueAt } of (await store.balance?.takeHandedOver()) ?? []) {
      poller.add(payment, handedOverPoll(dueAt, interval, clock));
    }
    addAll(await store.takeOpen(poller.has, poller.drop));
  }

  function addAll(payments: readonly Payment[]): void {
    for (const { payment, due } of firstPolls(payments, interval, clock)) poller.add(payment, due);
  }

  /** Hands surplus payments to watchers with fewer, so that a new watcher receives its share. */
  async function shareOut({ shares, handOver }: PaymentBalance): Promise<void> {
    for (const { to, count } of await shares(poller.size)) {
      const removed = [...poller.giveAway(count)];
      const dues = new Map(removed.map(([key, due]) => [key, timeOf(due, clock)]));
      if (removed.length > 0) await handOver(to, dues);
    }
  }

  async function scanAndShare(): Promise<void> {
    scans += 1;
    const renews = scans % scansPerRenewal === 0 || !lease;
    await attempt(async () => {
      if (!renews || (await keepLease())) await scan();
    }, 'Open payments could not be read.');
    const { balance } = store;
    if (lease && balance && scans % scansPerSharing === 0) {
      await attempt(() => shareOut(balance), 'Payments could not be distributed.');
    }
    if (renews) await attempt(() => sessions.eraseEnded(), 'Ended sessions could not be erased.');
  }

  async function attempt(work: () => Promise<void>, failure: string): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.error({ err: error }, failure);
    }
  }

  function warnOfExpiry({ id, type, expiresAt, createdAt }: Payment): void {
    log.warn(
      { payment: id, type, expiresAt, createdAt },
      'The ExpireDate of a new payment is in the past and is ignored. Check the clocks of the provider and of this machine, and MSGSITE_PROVIDER_ZONE.',
    );
  }

  return {
    /** Starts to poll the open payments of the store. */
    async start(): Promise<void> {
      isStarted = true;
      if (await keepLease()) await scan();
      running.start();
    },
    /** Stops polling. Aborts polls in progress and stores the results that have already arrived. */
    async stop(): Promise<void> {
      await running.stop();
      await lease?.release();
    },
    /** Polls a payment that this process has just created. */
    watch(payment: Payment): void {
      if (isPastExpiry(payment)) warnOfExpiry(payment);
      // `start` reads every open payment.
      if (isStarted) addAll([payment]);
    },
    wake: poller.wake,
    hurry: poller.hurry,
    uses: poller.uses,
    get size(): number {
      return poller.size;
    },
  };
}

/** Time from the end of a payment to its additional poll, in milliseconds. */
const recheckAfter = 60_000;
/** Maximum number of ended payments that wait for one more poll. Further payments are not polled again. */
const maxWaiting = 10_000;
/** Maximum number of concurrent polls of ended payments. Most calls remain available for open payments. */
const concurrentRechecks = 64;

/**
 * Polls each payment that ended without success once more, a minute after its end, because a late payment is the usual
 * reason for a changed status. The poll is not repeated if it fails, and is lost on a restart.
 */
function createRechecks({ poll, sessions, flips, clock }: WatcherOptions) {
  const agenda = createAgenda<() => Promise<void>>(clock);
  const limit = pLimit(concurrentRechecks);
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
      if (payment.outcome === 'success' || waiting >= maxWaiting) return;
      waiting += 1;
      // If the cashier logs out, the session is ended at the provider after this poll. If another process ends it
      // earlier, the poll uses another session of the organization, or fails.
      const release = sessions.hold(payment.sessionId);
      const recheck = () =>
        limit(() => check(payment)).finally(() => {
          release();
          waiting -= 1;
        });
      agenda.add(recheck, clock.monotonic() + recheckAfter);
    },
    /** Polls until `signal` aborts. Aborts polls in progress. */
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
