import TinyQueue from 'tinyqueue';

import type { QueueEntry } from '../../events/delivery.js';

/** How many requests may be under way at once. */
export interface EndpointLimits {
  /** For one receiver. */
  readonly perReceiver: number;
  /** For one receiver whose latest attempts all failed. */
  readonly perFailingReceiver: number;
  /** In all, but for the share that every receiver is sure of. */
  readonly total: number;
  /** A receiver's sure share: receivers that hang can never use up what the others need. */
  readonly reserved: number;
}

/** 64 keep a quick receiver busy; 512 requests in all stay far below usual limits on open files. */
const defaultLimits: EndpointLimits = {
  /** Requests at once to one receiver. */
  perReceiver: 64,
  /** Requests at once to one receiver whose latest attempts all failed. */
  perFailingReceiver: 8,
  /** Requests at once in all, but for the share that every receiver is sure of. */
  total: 512,
  /** Requests at once that every receiver is sure of. @internal */
  reserved: 4,
};

/** Failures in a row after which a receiver counts as failing. */
const failingAfter = 8;

interface Receiver {
  /** The earliest due first. */
  readonly ready: TinyQueue<QueueEntry>;
  running: number;
  failuresInARow: number;
}

/** Shares out the requests that may run at once among receivers. It starts none itself. */
export function createShares(limits: EndpointLimits = defaultLimits) {
  const receivers = new Map<string, Receiver>();
  let running = 0;

  function mayRun(receiver: Receiver): boolean {
    if (receiver.ready.length === 0) return false;
    if (receiver.running < limits.reserved) return true;
    const failing = receiver.failuresInARow >= failingAfter;
    const own = failing ? limits.perFailingReceiver : limits.perReceiver;
    return receiver.running < own && running < limits.total;
  }

  return {
    /** Takes an entry that is due now. */
    add(entry: QueueEntry): void {
      let receiver = receivers.get(entry.receiver);
      if (!receiver) {
        const ready = new TinyQueue<QueueEntry>([], (a, b) => a.dueAt - b.dueAt);
        receiver = { ready, running: 0, failuresInARow: 0 };
        receivers.set(entry.receiver, receiver);
      }
      receiver.ready.push(entry);
    },
    /** Returns the next entry that may run, counted as running; undefined when none may. */
    take(): QueueEntry | undefined {
      let chosen: Receiver | undefined;
      for (const receiver of receivers.values()) {
        // The receiver with the fewest requests under way goes first: all get an equal share.
        if (mayRun(receiver) && (!chosen || receiver.running < chosen.running)) chosen = receiver;
      }
      const entry = chosen?.ready.pop();
      if (!chosen || !entry) return undefined;
      chosen.running += 1;
      running += 1;
      return entry;
    },
    /** An entry's attempt has ended. `failed` null: nothing was learned about the receiver. */
    finished(name: string, failed: boolean | null): void {
      const receiver = receivers.get(name);
      if (!receiver) return;
      receiver.running -= 1;
      running -= 1;
      if (failed !== null) receiver.failuresInARow = failed ? receiver.failuresInARow + 1 : 0;
      const idle =
        receiver.running === 0 && receiver.ready.length === 0 && receiver.failuresInARow === 0;
      if (idle) receivers.delete(name);
    },
  };
}
