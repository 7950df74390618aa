import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/log.js';
import { type Payment, paymentKey } from '../payment.js';
import type { PaymentLease, PaymentStore } from '../payment-store.js';
import type { Sessions } from '../sessions/sessions.js';
import { createDueQueue } from './due-queue.js';
import type { Look, LookAt } from './look.js';
import type { PaymentBalance } from './payment-balance.js';
import { firstPollAfterStart, nextPoll } from './poll-schedule.js';
import type { Settle } from './settle.js';

export interface WatcherOptions {
  readonly store: PaymentStore;
  readonly sessions: Sessions;
  readonly look: LookAt;
  readonly settle: Settle;
  readonly clock: Clock;
  readonly log: Logger;
  /** Milliseconds from the start of one look at a payment to the start of the next. */
  readonly interval: number;
  /** Looks under way at once; 512 unless told. */
  readonly concurrency?: number;
  /** How often other processes' payments and sign-ins are noticed, in milliseconds; 1000 unless told. */
  readonly scanInterval?: number;
  /** Told how late each look starts, in milliseconds; for measurements. */
  onLook?(lateness: number): void;
}

/** Looks at every open payment until it has ended. */
export interface Watcher {
  /** Begins, with the payments that are open in the store. */
  start(): Promise<void>;
  /** Ends: looks under way are given up, what they found already is written down. */
  stop(): Promise<void>;
  /** Takes charge of a payment just made by this process. */
  watch(payment: Payment): void;
  /** Looks at once at the payments of an organization whose looks have been failing. */
  wake(organizationId: number): void;
  /** Looks at one payment at once, if it is watched here. */
  hurry(payment: Pick<Payment, 'type' | 'id'>): void;
  /** Whether a watched payment was made with this session. */
  uses(sessionId: string): boolean;
  /** How many payments are watched. */
  readonly size: number;
}

interface Watched {
  payment: Payment;
  lastStart: number;
  failures: number;
  failingSince: number | undefined;
  /** When the next look is due; a queue slot with another time is out of date. */
  due: number;
  looking: boolean;
  /** Asked for again while a look is under way. */
  hurried: boolean;
  gone: boolean;
}

/** Logged-out sessions are looked through, and the lease is renewed, at every so many scans. */
const scansPerRenewal = 3;
/** Payments are shared out among watchers at every so many scans. */
const scansPerSharing = 5;
/** A failing streak this long is written down, so that a restart does not begin it anew. */
const noteFailingAfter = 300_000;

export function createWatcher(options: WatcherOptions): Watcher {
  const { store, sessions, look, settle, clock, log, interval } = options;
  const { concurrency = 512, scanInterval = 1000 } = options;
  const watched = new Map<string, Watched>();
  const queue = createDueQueue<Watched>();
  const limit = pLimit(concurrency);
  const stopping = new AbortController();
  // Every look under way listens to it.
  setMaxListeners(0, stopping.signal);
  const running: Promise<void>[] = [];
  const looks = new Set<Promise<void>>();
  let alarm = new AbortController();
  let lease: PaymentLease | undefined;
  let started = false;

  function schedule(entry: Watched, due: number): void {
    const earliest = queue.next();
    entry.due = due;
    queue.add(due, entry);
    if (earliest === undefined || due < earliest) alarm.abort();
  }

  function take(payment: Payment, due: number): void {
    const key = paymentKey(payment);
    if (watched.has(key)) return;
    const { createdAt: lastStart, failingSince } = payment;
    const failures = failingSince === undefined ? 0 : 1;
    const entry: Watched = {
      payment,
      lastStart,
      failures,
      failingSince,
      due,
      looking: false,
      hurried: false,
      gone: false,
    };
    watched.set(key, entry);
    schedule(entry, due);
  }

  function drop(key: string): void {
    const entry = watched.get(key);
    if (entry) entry.gone = true;
    watched.delete(key);
  }

  function soon(entry: Watched): void {
    if (entry.looking) entry.hurried = true;
    else schedule(entry, clock.now());
  }

  async function lookAt(entry: Watched): Promise<void> {
    if (entry.gone || stopping.signal.aborted) return;
    const started = clock.now();
    options.onLook?.(started - entry.due);
    entry.lastStart = started;
    const seen = await look(entry.payment, stopping.signal);
    if (stopping.signal.aborted && seen.kind === 'failed') return;
    try {
      await conclude(entry, seen, started);
    } catch (error) {
      log.error({ payment: entry.payment.id, err: error }, 'A payment could not be written down.');
    }
  }

  async function conclude(entry: Watched, seen: Look, started: number): Promise<void> {
    if (seen.kind === 'final') {
      await settle.end(entry.payment, seen);
      return drop(paymentKey(entry.payment));
    }
    if (seen.kind === 'pending') {
      entry.failures = 0;
      entry.failingSince = undefined;
      entry.payment = await settle.note(entry.payment, seen);
      return;
    }
    const { payment } = entry;
    entry.failures += 1;
    entry.failingSince ??= started;
    const { failures, failingSince } = entry;
    // What the provider answered stays out of the log: it may name a client.
    const { message: reason } = seen.error;
    if (failures === 1) log.warn({ payment: payment.id, reason }, 'A look has failed.');
    if (payment.failingSince === undefined && started - failingSince >= noteFailingAfter) {
      entry.payment = { ...payment, failingSince };
      await store.update(entry.payment);
    }
  }

  async function giveUp(entry: Watched): Promise<void> {
    const { payment, failingSince } = entry;
    try {
      await settle.giveUp({ ...payment, ...(failingSince === undefined ? {} : { failingSince }) });
      drop(paymentKey(payment));
    } catch (error) {
      log.error({ payment: payment.id, err: error }, 'A payment could not be written down.');
      schedule(entry, clock.now() + interval);
    }
  }

  async function turn(entry: Watched): Promise<void> {
    entry.looking = true;
    await limit(() => lookAt(entry));
    entry.looking = false;
    if (entry.gone || stopping.signal.aborted) return;
    if (entry.hurried) {
      entry.hurried = false;
      return schedule(entry, clock.now());
    }
    const { expiresAt } = entry.payment;
    const next = nextPoll({ ...entry, expiresAt: expiresAt ?? undefined }, interval);
    if (next.kind === 'poll') schedule(entry, next.at);
    else await giveUp(entry);
  }

  /** Starts what is due, then sleeps until the next is, or until something earlier comes in. */
  async function keepTime(): Promise<void> {
    while (!stopping.signal.aborted) {
      alarm = new AbortController();
      const now = clock.now();
      for (let entry = queue.take(now); entry; entry = queue.take(now)) {
        if (entry.gone || entry.looking || entry.due > now) continue;
        const under = turn(entry).finally(() => looks.delete(under));
        looks.add(under);
      }
      const pause = (queue.next() ?? now + scanInterval) - clock.now();
      await clock.sleep(Math.max(0, pause), alarm.signal);
    }
  }

  async function keepLease(): Promise<boolean> {
    if (lease && (await lease.renew())) return true;
    lease = await store.claimAll('serve');
    if (!lease) for (const key of [...watched.keys()]) drop(key);
    return lease !== undefined;
  }

  /** Payments and sign-ins of other processes. */
  async function scan(): Promise<void> {
    for (const organizationId of await sessions.refresh()) wake(organizationId);
    for (const { payment, dueAt } of (await store.balance?.takeHandedOver()) ?? []) {
      take(payment, dueAt);
    }
    const fresh = await store.takeOpen((key) => watched.has(key), drop);
    const now = clock.now();
    const overdue = fresh.filter(({ createdAt }) => createdAt + interval <= now);
    for (const payment of fresh) take(payment, payment.createdAt + interval);
    overdue.forEach((payment, position) => {
      const entry = watched.get(paymentKey(payment));
      const due = firstPollAfterStart(now, interval, position, overdue.length);
      if (entry && !entry.looking) schedule(entry, due);
    });
  }

  /** Hands what is too much to watchers that have less, so that one that joins gets its share. */
  async function shareOut({ shares, handOver }: PaymentBalance): Promise<void> {
    for (const { to, count } of await shares(watched.size)) {
      const given = [...watched.values()]
        // Nobody is looking, and the next look is not due yet: from here on it is the other's.
        .filter(({ looking, hurried, due }) => !looking && !hurried && due > clock.now())
        .sort((a, b) => b.due - a.due)
        .slice(0, count)
        .map(({ payment, due }) => [paymentKey(payment), due] as const);
      for (const [key] of given) drop(key);
      if (given.length > 0) await handOver(to, new Map(given));
    }
  }

  async function keepScanning(): Promise<void> {
    for (let count = 1; !stopping.signal.aborted; count++) {
      await clock.sleep(scanInterval, stopping.signal);
      if (stopping.signal.aborted) return;
      const renews = count % scansPerRenewal === 0 || !lease;
      await attempt(async () => {
        if (!renews || (await keepLease())) await scan();
      }, 'Open payments could not be read.');
      const { balance } = store;
      if (lease && balance && count % scansPerSharing === 0) {
        await attempt(() => shareOut(balance), 'Payments could not be shared out.');
      }
      if (renews) await attempt(() => sessions.reap(), 'Ended sessions could not be erased.');
    }
  }

  async function attempt(work: () => Promise<void>, failure: string): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.error({ err: error }, failure);
    }
  }

  function wake(organizationId: number): void {
    for (const entry of watched.values()) {
      if (entry.payment.organizationId === organizationId && entry.failures > 0) soon(entry);
    }
  }

  return {
    async start() {
      started = true;
      if (await keepLease()) await scan();
      running.push(keepTime(), keepScanning());
    },
    async stop() {
      stopping.abort();
      alarm.abort();
      await Promise.all(running);
      await Promise.all(looks);
      await lease?.release();
    },
    watch(payment) {
      // Before the start there is nothing to do: starting reads every open payment.
      if (started) take(payment, payment.createdAt + interval);
    },
    wake,
    hurry(payment) {
      const entry = watched.get(paymentKey(payment));
      if (entry) soon(entry);
    },
    uses(sessionId) {
      for (const { payment } of watched.values()) if (payment.sessionId === sessionId) return true;
      return false;
    },
    get size() {
      return watched.size;
    },
  };
}
