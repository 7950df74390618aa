import { createAgenda } from '../../base/agenda.js';
import { type Clock, momentOf } from '../../base/clock.js';
import { createReceivers, type EndpointLimits, type QueueEntry } from './endpoint-limits.js';

/** What became of an entry: when to come back to it (null = never), and whether the receiver failed. */
export interface EntryOutcome {
  readonly next: QueueEntry | null;
  /** Null: nothing was learned about the receiver. */
  readonly failed: boolean | null;
}

export interface DispatcherOptions {
  readonly clock: Clock;
  readonly limits?: EndpointLimits;
  /** Does the work of an entry that is due. Never rejects. */
  attempt(entry: QueueEntry, signal: AbortSignal): Promise<EntryOutcome>;
}

/** Runs entries when they are due, those of each receiver apart. Keeps entries, not deliveries. */
export function createDispatcher({ clock, limits, attempt }: DispatcherOptions) {
  const known = new Set<string>();
  const waiting = createAgenda<QueueEntry>(clock);
  const receivers = createReceivers(limits);
  const underway = new Set<Promise<void>>();

  function startWhatMay(signal: AbortSignal): void {
    for (let entry = receivers.take(); entry && !signal.aborted; entry = receivers.take()) {
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
    receivers.finished(entry.receiver, failed);
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
        for (const entry of entries) receivers.add(entry);
        startWhatMay(signal);
      }, signal);
      await Promise.all(underway);
    },
  };
}
