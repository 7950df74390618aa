import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import { createAgenda } from '../../base/agenda.js';
import { type Clock, timeOf } from '../../base/clock.js';
import type { AppError } from '../../base/errors.js';
import type { Logger } from '../../base/log.js';
import { type Payment, type PaymentName, paymentKey } from '../payment.js';
import type { PaymentStore } from '../store.js';
import { OtherOperation, type Poll, type PollResult, seenBy } from './poll.js';
import { historyAfter, historyOf, isStuck, nextPoll, type PollHistory } from './poll-schedule.js';
import type { Settle } from './settle.js';

export interface PollerOptions {
  readonly store: PaymentStore;
  readonly poll: Poll;
  readonly settle: Settle;
  readonly clock: Clock;
  readonly log: Logger;
  /** Milliseconds from the start of one poll of a payment to the start of the next. */
  readonly interval: number;
  /** Called with every payment that was ended here. */
  onEnded?(payment: Payment): void;
  /** Called with how late each poll starts, in milliseconds; for measurements. */
  onPoll?(lateness: number): void;
}

interface Entry {
  payment: Payment;
  history: PollHistory;
  /** When the next poll is due; an agenda item with another time is out of date. */
  due: number;
  isPolling: boolean;
  /** Asked for again while a poll is under way. */
  isHurried: boolean;
  isGone: boolean;
  /** Whether it was said that answers were about another operation. */
  isWarnedOf: boolean;
  /** Whether it was said that its status is in no list for long. */
  isReported: boolean;
}

const fresh = {
  isPolling: false,
  isHurried: false,
  isGone: false,
  isWarnedOf: false,
  isReported: false,
} as const;

const pollsAtOnce = 512;
/** A failing streak is written down every so often (ms): a restart does not begin it again. */
const noteFailingEvery = 300_000;

/** Polls the payments it was given until each has ended. Moments are monotonic, in milliseconds. */
export function createPoller(options: PollerOptions) {
  const { store, poll, settle, clock, log, interval } = options;
  const entries = new Map<string, Entry>();
  const agenda = createAgenda<Entry>(clock);
  const limit = pLimit(pollsAtOnce);
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
    // What cannot be written down is seen again by the next poll.
    if (seen !== undefined) entry.history = historyAfter(entry.history, started, seen);
    else entry.history = { ...entry.history, lastStart: started };
    await record(entry, () => conclude(entry, result));
  }

  async function conclude(entry: Entry, result: PollResult): Promise<void> {
    const { payment } = entry;
    switch (result.kind) {
      case 'final': {
        const ended = await settle.end(payment, result);
        drop(paymentKey(payment));
        options.onEnded?.(ended);
        return;
      }
      case 'contradicted':
        await settle.giveUpOnAmount(payment, result);
        return drop(paymentKey(payment));
      case 'pending':
        entry.payment = await settle.note(payment, result);
        if (entry.isReported || !isStuck(entry.history)) return;
        entry.isReported = true;
        return settle.reportStuck(entry.payment);
      case 'failed':
        return noteFailure(entry, result.error);
    }
  }

  async function noteFailure(entry: Entry, error: AppError): Promise<void> {
    const { payment, history } = entry;
    const { failures, failingSince = history.lastStart, lastStart } = history;
    const isOther = error instanceof OtherOperation;
    // What the provider answered stays out of the log: it may name a client.
    const { message: reason } = error;
    if (isOther ? !entry.isWarnedOf : failures === 1) {
      log.warn({ payment: payment.id, reason }, 'A poll has failed.');
    }
    if (isOther) entry.isWarnedOf = true;
    const failingFor = Math.round(lastStart - failingSince);
    if (failingFor - (payment.failingFor ?? 0) < noteFailingEvery) return;
    entry.payment = { ...withFailingSince(entry), failingFor };
    await store.update(entry.payment);
  }

  /** For people: when the failing began by the wall clock, as it was first written down. */
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
      log.error({ payment: payment.id, err: error }, 'A payment could not be written down.');
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
    /** Polls a payment for the first time when it is `due`; one that is known stays as it is. */
    add(payment: Payment, due: number): void {
      const key = paymentKey(payment);
      if (entries.has(key)) return;
      const history = historyOf(payment, clock);
      const entry: Entry = { payment, history, due, ...fresh };
      entries.set(key, entry);
      schedule(entry, due);
    },
    /** Forgets a payment, by its key. */
    drop,
    dropAll(): void {
      for (const key of [...entries.keys()]) drop(key);
    },
    has: (key: string) => entries.has(key),
    /** Forgets up to `count` payments, whose next poll is farthest away; gives when each is due. */
    giveAway(count: number): ReadonlyMap<string, number> {
      const now = clock.monotonic();
      const given = [...entries.values()]
        // No poll is under way and the next is not due yet: from here on it is the other's.
        .filter(({ isPolling, isHurried, due }) => !isPolling && !isHurried && due > now)
        .sort((a, b) => b.due - a.due)
        .slice(0, count)
        .map(({ payment, due }) => [paymentKey(payment), due] as const);
      for (const [key] of given) drop(key);
      return new Map(given);
    },
    /** Polls at once the payments of an organization whose polls have been failing. */
    wake(organizationId: number): void {
      for (const entry of entries.values()) {
        const { payment, history } = entry;
        if (payment.organizationId === organizationId && history.failures > 0) soon(entry);
      }
    },
    /** Polls a payment at once, if it is known. */
    hurry(payment: PaymentName): void {
      const entry = entries.get(paymentKey(payment));
      if (entry) soon(entry);
    },
    /** Whether a known payment was made with this session. */
    uses(sessionId: string): boolean {
      for (const { payment } of entries.values()) if (payment.sessionId === sessionId) return true;
      return false;
    },
    /** How many payments are known. */
    get size(): number {
      return entries.size;
    },
    /** Works until `signal` aborts: polls under way are given up, what they found is written down. */
    async run(signal: AbortSignal): Promise<void> {
      // Every poll under way listens to it.
      setMaxListeners(0, signal);
      await agenda.run((due) => start(due, signal), signal);
      await Promise.all(underway);
    },
  };
}
