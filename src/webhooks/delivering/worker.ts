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
  /** How long records of a state are kept, in milliseconds; Infinity = for ever. */
  readonly keptMs: Readonly<Record<EndedState, number>>;
  readonly limits?: EndpointLimits;
}

/** How often to search for what other processes stored, and for what dead ones left. */
const searchEveryMs = 2_000;
/** A notification that something changed is followed this much later, together with those after it. */
const notificationPauseMs = 100;
const cleanEveryMs = 3_600_000;
/** Going through a long backlog takes its time: so many times as long nothing is searched then. */
const pausePerSearch = 20;
/** Milliseconds of that pause at most: what other processes store waits seconds, also on a busy machine. @internal */
const longestPauseMs = 10_000;
/** How long to leave an entry alone that the storage could not be asked about. */
const storageRestMs = 2_000;

/** There is nothing more to do here for a delivery, and its receiver was not asked. */
const notOurs: EntryOutcome = { next: null, failed: null };

/** Sends what is pending when it is due. */
export function createWorker(options: WorkerOptions) {
  const { clock, deletionTime, log, store, makeAttempt, keptMs, limits } = options;
  const damagedIds = new Set<string>();
  const dispatcher = createDispatcher({ clock, attempt, ...(limits ? { limits } : {}) });

  async function attempt(entry: QueueEntry, signal: AbortSignal): Promise<EntryOutcome> {
    try {
      return await tryAttempt(entry, signal);
    } catch (error) {
      reportTrouble(entry.id, error);
      // What is damaged or was taken over is no longer ours; any other failure is tried again later.
      if (isCode(error, 'data_damaged') || isCode(error, 'conflict')) return notOurs;
      return { next: { ...entry, dueAt: clock.now() + storageRestMs }, failed: null };
    }
  }

  async function tryAttempt(entry: QueueEntry, signal: AbortSignal): Promise<EntryOutcome> {
    const claimed = await store.claim(entry.id, ['pending']);
    if (!claimed) return notOurs;
    if (claimed.record.state !== 'pending') {
      // It was in the wrong folder; giving it up puts it where it belongs.
      await claimed.release();
      return notOurs;
    }
    const current = entryOf(claimed.record);
    // Put off by another process meanwhile; times that were stored are compared with each other alone.
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

  function reportTrouble(delivery: string, error: unknown): void {
    if (isCode(error, 'data_damaged')) {
      if (damagedIds.has(delivery)) return;
      damagedIds.add(delivery);
    }
    const reason = error instanceof Error ? error.message : String(error);
    log.error({ delivery, reason }, 'A webhook delivery could not be worked on.');
  }

  /** True where there is more to find at once. */
  function searchOnce(): Promise<boolean> {
    return store.findPending({
      isKnown: (id) => dispatcher.knows(id) || damagedIds.has(id),
      onFound: dispatcher.add,
      onUnreadable: reportTrouble,
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
        reportTrouble('any', error);
      }
      if (startedAt >= freeAt) freeAt = startedAt + searchEveryMs;
      const pause = pausePerSearch * (clock.monotonic() - startedAt);
      await clock.sleep(Math.min(Math.max(notificationPauseMs, pause), longestPauseMs), signal);
    };
    await every(searchEveryMs, round, { clock: alarm, signal });
    stopWatching();
  }

  async function clean(state: EndedState, dayBefore: (milliseconds: number) => string) {
    const before = dayBefore(keptMs[state]);
    const days = await store.removeEndedBefore(state, before);
    if (days > 0) log.info({ state, before, days }, 'Old records of webhook deliveries removed.');
  }

  /** What nobody wanted is kept as long as what was delivered. */
  async function cleanEvents(dayBefore: (milliseconds: number) => string): Promise<void> {
    const before = dayBefore(keptMs.delivered);
    const days = await store.events.removeBefore(before);
    if (days > 0) log.info({ before, days }, 'Old records of webhook events removed.');
  }

  async function cleanAll(): Promise<void> {
    const onError = (error: unknown) => reportTrouble('old records', error);
    const now = await deletionTime().catch(onError);
    if (now === undefined) return;
    /** Returns the UTC day on which the moment so many milliseconds ago falls. */
    const dayBefore = (milliseconds: number) =>
      new Date(Math.max(0, now - milliseconds)).toISOString().slice(0, 10);
    for (const state of ['delivered', 'dropped'] as const) {
      await clean(state, dayBefore).catch(onError);
    }
    await cleanEvents(dayBefore).catch(onError);
  }

  return {
    /** Takes a delivery that has just been stored. */
    take(delivery: Delivery): void {
      dispatcher.add(entryOf(delivery));
    },
    /** Works until `signal` aborts; requests under way are then cut off and will be made again. */
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

/** What became of an entry: when to come back to it (null = never), and whether the receiver failed. */
interface EntryOutcome {
  readonly next: QueueEntry | null;
  /** Null: nothing was learned about the receiver. */
  readonly failed: boolean | null;
}

interface DispatcherOptions {
  readonly clock: Clock;
  readonly limits?: EndpointLimits;
  /** Does the work of an entry that is due. Never rejects. */
  attempt(entry: QueueEntry, signal: AbortSignal): Promise<EntryOutcome>;
}

/** Runs entries when they are due, those of each receiver apart. Keeps entries, not deliveries. */
function createDispatcher({ clock, limits, attempt }: DispatcherOptions) {
  const known = new Set<string>();
  const waiting = createAgenda<QueueEntry>(clock);
  const shares = createShares(limits);
  const underway = new Set<Promise<void>>();

  function startWhatMay(signal: AbortSignal): void {
    for (let entry = shares.take(); entry && !signal.aborted; entry = shares.take()) {
      const work: Promise<void> = runEntry(entry, signal).finally(() => underway.delete(work));
      underway.add(work);
    }
  }

  /** By what the clocks show now: should the wall clock step later, the wait stays as long as it is. */
  function wait(entry: QueueEntry): void {
    waiting.add(entry, momentOf(entry.dueAt, clock));
  }

  async function runEntry(entry: QueueEntry, signal: AbortSignal): Promise<void> {
    const { next, failed } = await attempt(entry, signal);
    shares.finished(entry.receiver, failed);
    if (next) wait(next);
    else known.delete(entry.id);
    if (!signal.aborted) startWhatMay(signal);
  }

  return {
    /** Takes an entry, unless one with its id is known already. */
    add(entry: QueueEntry): void {
      if (known.has(entry.id)) return;
      known.add(entry.id);
      wait(entry);
    },
    knows: (id: string) => known.has(id),
    /** Runs until `signal` aborts and what was under way has ended. */
    async run(signal: AbortSignal): Promise<void> {
      await waiting.run((entries) => {
        for (const entry of entries) shares.add(entry);
        startWhatMay(signal);
      }, signal);
      await Promise.all(underway);
    },
  };
}
