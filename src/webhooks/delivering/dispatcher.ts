import type { Clock } from '../../base/clock.js';
import { createDueHeap } from './due-heap.js';
import { createLanes, type LaneLimits, type QueueEntry } from './lanes.js';

/** What became of an entry: when to come back to it (null = never), and whether the receiver failed. */
export interface EntryOutcome {
  readonly next: QueueEntry | null;
  /** Null: nothing was learned about the receiver. */
  readonly failed: boolean | null;
}

export interface DispatcherOptions {
  readonly clock: Clock;
  readonly limits?: LaneLimits;
  /** Does the work of an entry that is due. Never rejects. */
  attempt(entry: QueueEntry, signal: AbortSignal): Promise<EntryOutcome>;
}

/** Runs entries when they are due, each lane independent of the others. Holds entries, not deliveries. */
export interface Dispatcher {
  /** Takes an entry, unless one with its id is known already. */
  add(entry: QueueEntry): void;
  knows(id: string): boolean;
  /** Runs until `signal` aborts and what was under way has ended. */
  run(signal: AbortSignal): Promise<void>;
}

export function createDispatcher({ clock, limits, attempt }: DispatcherOptions): Dispatcher {
  const known = new Set<string>();
  const waiting = createDueHeap<QueueEntry>();
  const lanes = createLanes(limits);
  const underway = new Set<Promise<void>>();
  let alarm = new AbortController();

  /** Wakes the loop below. Aborting again what is aborted would cost an error object each time. */
  function ring(): void {
    if (!alarm.signal.aborted) alarm.abort();
  }

  function wait(entry: QueueEntry): void {
    const sooner = waiting.earliest === undefined || entry.dueAt < waiting.earliest;
    waiting.push(entry);
    if (sooner) ring();
  }

  function startWhatMay(signal: AbortSignal): void {
    const now = clock.now();
    for (let entry = waiting.popDue(now); entry; entry = waiting.popDue(now)) lanes.add(entry);
    for (let entry = lanes.take(); entry && !signal.aborted; entry = lanes.take()) {
      const work: Promise<void> = runEntry(entry, signal).finally(() => underway.delete(work));
      underway.add(work);
    }
  }

  async function runEntry(entry: QueueEntry, signal: AbortSignal): Promise<void> {
    const { next, failed } = await attempt(entry, signal);
    lanes.finished(entry.lane, failed);
    if (next) waiting.push(next);
    else known.delete(entry.id);
    if (!signal.aborted) startWhatMay(signal);
    if (next && next.dueAt === waiting.earliest) ring();
  }

  return {
    add(entry) {
      if (known.has(entry.id)) return;
      known.add(entry.id);
      wait(entry);
    },
    knows: (id) => known.has(id),
    async run(signal) {
      signal.addEventListener('abort', ring, { once: true });
      while (!signal.aborted) {
        alarm = new AbortController();
        startWhatMay(signal);
        const { earliest } = waiting;
        await clock.sleep((earliest ?? Number.POSITIVE_INFINITY) - clock.now(), alarm.signal);
      }
      signal.removeEventListener('abort', ring);
      await Promise.all(underway);
    },
  };
}
