import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import { createAgenda } from '../../base/agenda.js';
import { timeOf } from '../../base/clock.js';
import type { AppError } from '../../base/errors.js';
import type { PaymentParts } from '../parts.js';
import { type Payment, type PaymentName, paymentKey } from '../payment.js';
import { OtherOperation, type Poll, type PollResult, seenBy } from './poll.js';
import { historyAfter, historyOf, isStuck, nextPoll, type PollHistory } from './poll-schedule.js';
import type { Settle } from './settle.js';

export interface PollerOptions extends Pick<PaymentParts, 'store' | 'clock' | 'log' | 'interval'> {
  readonly poll: Poll;
  readonly settle: Settle;
  /** Called with every payment that ended here. */
  onEnded?(payment: Payment): void;
  /** Called at the start of each poll with its delay in milliseconds; for measurements. */
  onPoll?(lateness: number): void;
}

interface Entry {
  payment: Payment;
  history: PollHistory;
  /** Due time of the next poll. An agenda item with a different time is outdated. */
  due: number;
  isPolling?: boolean;
  /** True if another poll was requested while one is in progress. */
  isHurried?: boolean;
  isGone?: boolean;
  /** True if a warning about answers for a different operation was logged. */
  isWarnedOf?: boolean;
  /** True if the unknown status was reported as persistent. */
  isReported?: boolean;
}

const concurrentPolls = 512;
/** Interval at which the duration of failing polls is stored, in milliseconds, so that a restart does not reset it. */
const noteFailingEvery = 300_000;

/** Polls added payments until each has ended. Times are monotonic, in milliseconds. */
export function createPoller(options: PollerOptions) {
  const { store, poll, settle, clock, log, interval } = options;
  const entries = new Map<string, Entry>();
  const agenda = createAgenda<Entry>(clock);
  const limit = pLimit(concurrentPolls);
  const underway = new Set<Promise<void>>();

  function schedule(entry: Entry, due: number): void {
    entry.due = due;
    agenda.add(entry, due);
  }

  function drop(key: string): void {
    const entry = entries.get(key);
    if (entry) entry.isGone = true;
    entries.delete(key);
  }

  function soon(entry: Entry): void {
    if (entry.isPolling) entry.isHurried = true;
    else schedule(entry, clock.monotonic());
  }

  async function pollOnce(entry: Entry, signal: AbortSignal): Promise<void> {
    if (entry.isGone || signal.aborted) return;
    const started = clock.monotonic();
    options.onPoll?.(started - entry.due);
    const result = await poll(entry.payment, signal);
    const seen = seenBy(result);
    if (signal.aborted && seen === 'failed') return;
    // If a result cannot be stored, the next poll returns it again.
    if (seen !== undefined) entry.history = historyAfter(entry.history, started, seen);
    else entry.history = { ...entry.history, lastStart: started };
    await record(entry, () => conclude(entry, result));
  }

  async function conclude(entry: Entry, result: PollResult): Promise<void> {
    if (result.kind === 'failed') return noteFailure(entry, result.error);
    const payment = await settle.conclude(entry.payment, result);
    if (payment.state !== 'open') {
      drop(paymentKey(payment));
      if (payment.state === 'ended') options.onEnded?.(payment);
      return;
    }
    entry.payment = payment;
    if (entry.isReported || !isStuck(entry.history)) return;
    entry.isReported = true;
    settle.reportStuck(payment);
  }

  async function noteFailure(entry: Entry, error: AppError): Promise<void> {
    const { payment, history } = entry;
    const { failures, failingSince = history.lastStart, lastStart } = history;
    const isOther = error instanceof OtherOperation;
    // The answer is not logged, because it may contain personal data.
    const { message: reason } = error;
    if (isOther ? !entry.isWarnedOf : failures === 1) {
      log.warn({ payment: payment.id, reason }, 'A poll failed.');
    }
    if (isOther) entry.isWarnedOf = true;
    const failingFor = Math.round(lastStart - failingSince);
    if (failingFor - (payment.failingFor ?? 0) < noteFailingEvery) return;
    entry.payment = { ...withFailingSince(entry), failingFor };
    await store.update(entry.payment);
  }

  /** Adds the wall-clock time at which polls began to fail, for display. */
  function withFailingSince({ payment, history: { failingSince } }: Entry): Payment {
    if (failingSince === undefined || payment.failingSince !== undefined) return payment;
    return { ...payment, failingSince: Math.max(0, timeOf(failingSince, clock)) };
  }

  async function giveUp(entry: Entry): Promise<void> {
    await record(entry, async () => {
      await settle.giveUp(withFailingSince(entry));
      drop(paymentKey(entry.payment));
    });
    if (!entry.isGone) schedule(entry, clock.monotonic() + interval);
  }

  async function record({ payment }: Entry, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.error({ payment: payment.id, err: error }, 'A payment could not be stored.');
    }
  }

  async function turn(entry: Entry, signal: AbortSignal): Promise<void> {
    entry.isPolling = true;
    await limit(() => pollOnce(entry, signal));
    entry.isPolling = false;
    if (entry.isGone || signal.aborted) return;
    if (entry.isHurried) {
      entry.isHurried = false;
      return schedule(entry, clock.monotonic());
    }
    const next = nextPoll(entry.history, interval);
    if (next === undefined) await giveUp(entry);
    else schedule(entry, next);
  }

  function start(due: readonly Entry[], signal: AbortSignal): void {
    const now = clock.monotonic();
    for (const entry of due) {
      if (entry.isGone || entry.isPolling || entry.due > now) continue;
      const polling = turn(entry, signal).finally(() => underway.delete(polling));
      underway.add(polling);
    }
  }

  return {
    /** Adds a payment unless it is already known. `due` is the time of its first poll. */
    add(payment: Payment, due: number): void {
      const key = paymentKey(payment);
      if (entries.has(key)) return;
      const entry: Entry = { payment, history: historyOf(payment, clock), due };
      entries.set(key, entry);
      schedule(entry, due);
    },
    /** Removes a payment by its key. */
    drop,
    dropAll(): void {
      for (const key of [...entries.keys()]) drop(key);
    },
    has: (key: string) => entries.has(key),
    /**
     * Removes up to `count` payments, starting with those whose next poll is due last. Returns the due times by key.
     */
    giveAway(count: number): ReadonlyMap<string, number> {
      const now = clock.monotonic();
      const removed = [...entries.values()]
        // Only payments that are not being polled and are not due yet can be handed over.
        .filter(({ isPolling, isHurried, due }) => !isPolling && !isHurried && due > now)
        .sort((a, b) => b.due - a.due)
        .slice(0, count)
        .map(({ payment, due }) => [paymentKey(payment), due] as const);
      for (const [key] of removed) drop(key);
      return new Map(removed);
    },
    /** Immediately polls the payments of an organization whose polls are failing. */
    wake(organizationId: number): void {
      for (const entry of entries.values()) {
        const { payment, history } = entry;
        if (payment.organizationId === organizationId && history.failures > 0) soon(entry);
      }
    },
    /** Polls a known payment immediately. */
    hurry(payment: PaymentName): void {
      const entry = entries.get(paymentKey(payment));
      if (entry) soon(entry);
    },
    /** Returns whether a known payment was made with this session. */
    uses(sessionId: string): boolean {
      for (const { payment } of entries.values()) if (payment.sessionId === sessionId) return true;
      return false;
    },
    get size(): number {
      return entries.size;
    },
    /** Polls until `signal` aborts. Aborts polls in progress and stores the results that have already arrived. */
    async run(signal: AbortSignal): Promise<void> {
      // Every poll in progress adds a listener.
      setMaxListeners(0, signal);
      await agenda.run((due) => start(due, signal), signal);
      await Promise.all(underway);
    },
  };
}
