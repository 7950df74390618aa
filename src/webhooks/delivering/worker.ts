import { createAgenda } from '../../base/agenda.js';
import type { Clock } from '../../base/clock.js';
import { momentOf } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import { createAlarm, every } from '../../base/every.js';
import type { MoneyClock } from '../../base/money-clock.js';
import { type Delivery, entryOf, type QueueEntry } from '../../events/delivery.js';
import type { DeliveryStore, EndedState } from '../../events/store.js';
import type { WebhookLog } from '../log.js';
import type { EndpointLimits } from './endpoint-limits.js';
import { createShares } from './endpoint-limits.js';
import type { MakeAttempt } from './make-attempt.js';

export interface WorkerOptions {
  readonly clock: Clock;
  readonly deletionTime: MoneyClock['deletionTime'];
  readonly log: WebhookLog;
  readonly store: DeliveryStore;
  readonly makeAttempt: MakeAttempt;
  /** Time for which records of a state are stored, in milliseconds; Infinity = forever. */
  readonly keptMs: Readonly<Record<EndedState, number>>;
  readonly limits?: EndpointLimits;
}

/** Interval between searches for deliveries that other processes stored or abandoned, in milliseconds. */
const searchEveryMs = 2_000;
/** Minimum pause after a search, in milliseconds. It combines notifications. */
const notificationPauseMs = 100;
const cleanEveryMs = 3_600_000;
/** Length of the pause after a search, as a multiple of the search's duration. */
const pausePerSearch = 20;
/** Maximum length of that pause, in milliseconds, so that deliveries of other processes wait only seconds. @internal */
const maxPauseMs = 10_000;
/** Time until an entry is retried after a storage failure, in milliseconds. */
const storageRestMs = 2_000;

/** The outcome if this process has nothing more to do for a delivery and did not call its receiver. */
const notOurs: EntryOutcome = { next: null, failed: null };

/** Returns a worker that sends pending deliveries when they are due. */
export function createWorker(options: WorkerOptions) {
  const { clock, deletionTime, log, store, makeAttempt, keptMs, limits } = options;
  const damagedIds = new Set<string>();
  const dispatcher = createDispatcher({ clock, attempt, ...(limits ? { limits } : {}) });

  async function attempt(entry: QueueEntry, signal: AbortSignal): Promise<EntryOutcome> {
    try {
      return await tryAttempt(entry, signal);
    } catch (error) {
      reportFailure(entry.id, error);
      // Damaged deliveries and those of other processes are not retried here; other failures are.
      if (isCode(error, 'data_damaged') || isCode(error, 'conflict')) return notOurs;
      return { next: { ...entry, dueAt: clock.now() + storageRestMs }, failed: null };
    }
  }

  async function tryAttempt(entry: QueueEntry, signal: AbortSignal): Promise<EntryOutcome> {
    const claimed = await store.claim(entry.id, ['pending']);
    if (!claimed) return notOurs;
    if (claimed.record.state !== 'pending') {
      // The file was in the wrong folder. Releasing the claim moves it to the right one.
      await claimed.release();
      return notOurs;
    }
    const current = entryOf(claimed.record);
    // Another process has postponed the delivery. Both times are stored, so the clock does not matter.
    if (current.dueAt > entry.dueAt) {
      await claimed.release();
      return { next: current, failed: null };
    }
    const report = await makeAttempt(claimed, { replay: false, signal });
    if (!report) return { next: current, failed: null };
    const { delivery, attempt: made } = report;
    return {
      next: delivery.state === 'pending' ? entryOf(delivery) : null,
      failed: made.error !== null,
    };
  }

  function reportFailure(delivery: string, error: unknown): void {
    if (isCode(error, 'data_damaged')) {
      if (damagedIds.has(delivery)) return;
      damagedIds.add(delivery);
    }
    const reason = error instanceof Error ? error.message : String(error);
    log.error({ delivery, reason }, 'A webhook delivery could not be processed.');
  }

  /** Searches once. Returns true if an immediate second search would find more. */
  function searchOnce(): Promise<boolean> {
    return store.findPending({
      isKnown: (id) => dispatcher.knows(id) || damagedIds.has(id),
      onFound: dispatcher.add,
      onUnreadable: reportFailure,
    });
  }

  async function searchRegularly(signal: AbortSignal): Promise<void> {
    const alarm = createAlarm(clock);
    const stopWatching = store.watch(alarm.ring);
    let freeAt = clock.monotonic();
    const round = async () => {
      const startedAt = clock.monotonic();
      try {
        if (startedAt >= freeAt) await store.freeAbandoned();
        if (await searchOnce()) alarm.ring();
      } catch (error) {
        reportFailure('any', error);
      }
      if (startedAt >= freeAt) freeAt = startedAt + searchEveryMs;
      const pause = pausePerSearch * (clock.monotonic() - startedAt);
      await clock.sleep(Math.min(Math.max(notificationPauseMs, pause), maxPauseMs), signal);
    };
    await every(searchEveryMs, round, { clock: alarm, signal });
    stopWatching();
  }

  async function clean(state: EndedState, dayBefore: (milliseconds: number) => string) {
    const before = dayBefore(keptMs[state]);
    const days = await store.removeEndedBefore(state, before);
    if (days > 0) log.info({ state, before, days }, 'Old records of webhook deliveries removed.');
  }

  /** Removes old events without a subscription, which are stored as long as delivered records. */
  async function cleanEvents(dayBefore: (milliseconds: number) => string): Promise<void> {
    const before = dayBefore(keptMs.delivered);
    const days = await store.events.removeBefore(before);
    if (days > 0) log.info({ before, days }, 'Old records of webhook events removed.');
  }

  async function cleanAll(): Promise<void> {
    const onError = (error: unknown) => reportFailure('old records', error);
    const now = await deletionTime().catch(onError);
    if (now === undefined) return;
    /** Returns the UTC day of the time that many milliseconds ago. */
    const dayBefore = (milliseconds: number) =>
      new Date(Math.max(0, now - milliseconds)).toISOString().slice(0, 10);
    for (const state of ['delivered', 'dropped'] as const) {
      await clean(state, dayBefore).catch(onError);
    }
    await cleanEvents(dayBefore).catch(onError);
  }

  return {
    /** Adds a delivery that has just been stored. */
    take(delivery: Delivery): void {
      dispatcher.add(entryOf(delivery));
    },
    /** Works until `signal` aborts. Running requests are then interrupted and will be repeated. */
    async run(signal: AbortSignal): Promise<void> {
      await Promise.all([
        dispatcher.run(signal),
        searchRegularly(signal),
        every(cleanEveryMs, cleanAll, { clock, signal }),
      ]);
    },
  };
}

function isCode(error: unknown, code: AppError['code']): boolean {
  return error instanceof AppError && error.code === code;
}

/** The outcome of an attempt. */
interface EntryOutcome {
  /** The entry of the next attempt; null if there is none. */
  readonly next: QueueEntry | null;
  /** True if the receiver failed; null if it was not called. */
  readonly failed: boolean | null;
}

interface DispatcherOptions {
  readonly clock: Clock;
  readonly limits?: EndpointLimits;
  /** Attempts a due delivery. Never rejects. */
  attempt(entry: QueueEntry, signal: AbortSignal): Promise<EntryOutcome>;
}

/** Returns a dispatcher, which runs entries when they are due, with separate limits for each receiver. */
function createDispatcher({ clock, limits, attempt }: DispatcherOptions) {
  const known = new Set<string>();
  const waiting = createAgenda<QueueEntry>(clock);
  const shares = createShares(limits);
  const running = new Set<Promise<void>>();

  function startAllowed(signal: AbortSignal): void {
    for (let entry = shares.take(); entry && !signal.aborted; entry = shares.take()) {
      const work: Promise<void> = runEntry(entry, signal).finally(() => running.delete(work));
      running.add(work);
    }
  }

  /** Adds an entry to the agenda. Later changes to the wall clock do not affect the wait. */
  function wait(entry: QueueEntry): void {
    waiting.add(entry, momentOf(entry.dueAt, clock));
  }

  async function runEntry(entry: QueueEntry, signal: AbortSignal): Promise<void> {
    const { next, failed } = await attempt(entry, signal);
    shares.finished(entry.receiver, failed);
    if (next) wait(next);
    else known.delete(entry.id);
    if (!signal.aborted) startAllowed(signal);
  }

  return {
    /** Adds an entry, unless one with its ID is already known. */
    add(entry: QueueEntry): void {
      if (known.has(entry.id)) return;
      known.add(entry.id);
      wait(entry);
    },
    knows: (id: string) => known.has(id),
    /** Runs until `signal` aborts and the running attempts have ended. */
    async run(signal: AbortSignal): Promise<void> {
      await waiting.run((entries) => {
        for (const entry of entries) shares.add(entry);
        startAllowed(signal);
      }, signal);
      await Promise.all(running);
    },
  };
}
