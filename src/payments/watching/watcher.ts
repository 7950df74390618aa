import { timeOf } from '../../base/clock.js';
import { every, inBackground } from '../../base/every.js';
import type { Payment } from '../payment.js';
import type { Sessions } from '../sessions/sessions.js';
import type { PaymentLease } from '../store.js';
import type { Flips } from './flips.js';
import type { PaymentBalance } from './payment-balance.js';
import { firstPolls, handedOverPoll, isPastExpiry } from './poll-schedule.js';
import { createPoller, type Poller, type PollerOptions } from './poller.js';
import { createRechecks } from './rechecks.js';

export interface WatcherOptions extends Omit<PollerOptions, 'onEnded'> {
  readonly sessions: Sessions;
  readonly flips: Flips;
  /** How often other processes' payments and sign-ins are noticed, in milliseconds; 1000 by default. */
  readonly scanInterval?: number;
  /** Called with an organization when one of its cashiers has signed in at another process. */
  onSignedIn(organizationId: number): void;
}

/** Polls every open payment until it has ended, those that other processes make included. */
export interface Watcher extends Pick<Poller, 'wake' | 'hurry' | 'uses' | 'size'> {
  /** Begins, with the payments that are open in the store. */
  start(): Promise<void>;
  /** Ends: polls under way are given up, what they found already is written down. */
  stop(): Promise<void>;
  /** Takes charge of a payment just made by this process. */
  watch(payment: Payment): void;
}

/** Logged-out sessions are gone through, and the lease is renewed, at every so many scans. */
const scansPerRenewal = 3;
/** Payments are shared out among watchers at every so many scans. */
const scansPerSharing = 5;

export function createWatcher(options: WatcherOptions): Watcher {
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
    async start() {
      isStarted = true;
      if (await keepLease()) await scan();
      running.start();
    },
    async stop() {
      await running.stop();
      await lease?.release();
    },
    watch(payment) {
      if (isPastExpiry(payment)) warnOfExpiry(payment);
      // Before the start there is nothing to do: starting reads every open payment.
      if (isStarted) addAll([payment]);
    },
    wake: poller.wake,
    hurry: poller.hurry,
    uses: poller.uses,
    get size() {
      return poller.size;
    },
  };
}
