import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import { createAgenda } from '../../base/agenda.js';
import type { Clock } from '../../base/clock.js';
import { timeOf } from '../../base/clock.js';
import { every, inBackground } from '../../base/every.js';
import type { Payment } from '../payment.js';
import type { Sessions } from '../sessions/sessions.js';
import type { PaymentLease } from '../store.js';
import type { Flips } from './flips.js';
import type { PaymentBalance } from './payment-balance.js';
import type { Poll } from './poll.js';
import { firstPolls, handedOverPoll, isPastExpiry } from './poll-schedule.js';
import { createPoller, type PollerOptions } from './poller.js';

export interface WatcherOptions extends Omit<PollerOptions, 'onEnded'> {
  readonly sessions: Sessions;
  readonly flips: Flips;
  /** How often other processes' payments and sign-ins are noticed, in milliseconds; 1000 by default. */
  readonly scanInterval?: number;
  /** Called with an organization when one of its cashiers has signed in at another process. */
  onSignedIn(organizationId: number): void;
}

/** Logged-out sessions are gone through, and the lease is renewed, at every so many scans. */
const scansPerRenewal = 3;
/** Payments are shared out among watchers at every so many scans. */
const scansPerSharing = 5;

/** Polls every open payment until it has ended, those that other processes make included. */
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

  /** Payments and sign-ins of other processes. */
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

  /** Hands what is too much to watchers that have less, so that one that joins gets its share. */
  async function shareOut({ shares, handOver }: PaymentBalance): Promise<void> {
    for (const { to, count } of await shares(poller.size)) {
      const given = [...poller.giveAway(count)];
      const dues = new Map(given.map(([key, due]) => [key, timeOf(due, clock)]));
      if (given.length > 0) await handOver(to, dues);
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
      await attempt(() => shareOut(balance), 'Payments could not be shared out.');
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
      'The ExpireDate of a new payment has passed already and is ignored. Check the clocks of the provider and of this machine, and MSGSITE_PROVIDER_ZONE.',
    );
  }

  return {
    /** Begins, with the payments that are open in the store. */
    async start(): Promise<void> {
      isStarted = true;
      if (await keepLease()) await scan();
      running.start();
    },
    /** Ends: polls under way are given up, what they found already is written down. */
    async stop(): Promise<void> {
      await running.stop();
      await lease?.release();
    },
    /** Takes charge of a payment just made by this process. */
    watch(payment: Payment): void {
      if (isPastExpiry(payment)) warnOfExpiry(payment);
      // Before the start there is nothing to do: starting reads every open payment.
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

interface RechecksOptions {
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
function createRechecks({ poll, sessions, flips, clock }: RechecksOptions) {
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
