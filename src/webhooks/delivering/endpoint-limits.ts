import TinyQueue from 'tinyqueue';

import type { QueueEntry } from '../../events/delivery.js';

/** Maximum numbers of concurrent requests. */
export interface EndpointLimits {
  /** To one receiver. */
  readonly perReceiver: number;
  /** To one receiver whose latest attempts all failed. */
  readonly perFailingReceiver: number;
  /** To all receivers, in addition to their guaranteed shares. */
  readonly total: number;
  /** Each receiver's guaranteed share, which hanging receivers cannot use up. */
  readonly reserved: number;
}

/** 64 requests keep a fast receiver busy, and 512 in total are far below usual limits on open files. */
const defaultLimits: EndpointLimits = {
  /** Maximum number of concurrent webhook requests to one receiver. */
  perReceiver: 64,
  /** Maximum number of concurrent webhook requests to one receiver whose latest attempts all failed. */
  perFailingReceiver: 8,
  /** Maximum number of concurrent webhook requests in total, in addition to each receiver's guaranteed share. */
  total: 512,
  /** Number of concurrent webhook requests that every receiver is guaranteed. @internal */
  reserved: 4,
};

/** Number of consecutive failures after which a receiver is treated as failing. */
const failingAfter = 8;

interface Receiver {
  /** Entries that are due, earliest first. */
  readonly ready: TinyQueue<QueueEntry>;
  running: number;
  failuresInARow: number;
}

/** Returns a scheduler that decides which requests may start. It divides the limits among receivers. */
export function createShares(limits: EndpointLimits = defaultLimits) {
  const receivers = new Map<string, Receiver>();
  let running = 0;

  function mayRun(receiver: Receiver): boolean {
    if (receiver.ready.length === 0) return false;
    if (receiver.running < limits.reserved) return true;
    const failing = receiver.failuresInARow >= failingAfter;
    const max = failing ? limits.perFailingReceiver : limits.perReceiver;
    return receiver.running < max && running < limits.total;
  }

  return {
    /** Adds an entry that is due now. */
    add(entry: QueueEntry): void {
      let receiver = receivers.get(entry.receiver);
      if (!receiver) {
        const ready = new TinyQueue<QueueEntry>([], (a, b) => a.dueAt - b.dueAt);
        receiver = { ready, running: 0, failuresInARow: 0 };
        receivers.set(entry.receiver, receiver);
      }
      receiver.ready.push(entry);
    },
    /** Returns the next entry that may start and counts it as running; undefined if there is none. */
    take(): QueueEntry | undefined {
      let chosen: Receiver | undefined;
      for (const receiver of receivers.values()) {
        // The receiver with the fewest running requests comes first, so that all receive an equal share.
        if (mayRun(receiver) && (!chosen || receiver.running < chosen.running)) chosen = receiver;
      }
      const entry = chosen?.ready.pop();
      if (!chosen || !entry) return undefined;
      chosen.running += 1;
      running += 1;
      return entry;
    },
    /** Records the end of an attempt. `failed` is null if the receiver was not called. */
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
