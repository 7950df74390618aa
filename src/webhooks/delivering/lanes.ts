import { createQueue, type Queue } from './queue.js';

/** A delivery as the dispatcher knows it: no more than when it is due and for whom. */
export interface QueueEntry {
  readonly id: string;
  /** The subscription it is for; each has a lane of its own. */
  readonly lane: string;
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
}

/** How many requests may be under way at once. */
export interface LaneLimits {
  /** For one receiver. */
  readonly perLane: number;
  /** For one receiver whose latest attempts all failed. */
  readonly perFailingLane: number;
  /** In all, but for the share that every lane is sure of. */
  readonly total: number;
  /** A lane's sure share: receivers that hang can never use up what the others need. */
  readonly reserved: number;
}

/** 64 keep a quick receiver busy; 512 requests in all stay far below usual limits on open files. */
const defaultLimits: LaneLimits = {
  perLane: 64,
  perFailingLane: 8,
  total: 512,
  reserved: 4,
};

/** Failures in a row after which a receiver counts as failing. */
const failingAfter = 8;

interface Lane {
  readonly ready: Queue<QueueEntry>;
  running: number;
  failuresInARow: number;
}

/** Shares out the requests that may run at once among receivers. Pure bookkeeping: it starts nothing. */
export interface Lanes {
  /** An entry that is due now. */
  add(entry: QueueEntry): void;
  /** The next entry that may run, counted as running; undefined when none may. */
  take(): QueueEntry | undefined;
  /** An entry's attempt has ended. `failed` null: nothing was learned about the receiver. */
  finished(lane: string, failed: boolean | null): void;
}

export function createLanes(limits: LaneLimits = defaultLimits): Lanes {
  const lanes = new Map<string, Lane>();
  let running = 0;

  function mayRun(lane: Lane): boolean {
    if (lane.ready.size === 0) return false;
    if (lane.running < limits.reserved) return true;
    const failing = lane.failuresInARow >= failingAfter;
    const own = failing ? limits.perFailingLane : limits.perLane;
    return lane.running < own && running < limits.total;
  }

  return {
    add(entry) {
      let lane = lanes.get(entry.lane);
      if (!lane) {
        lane = { ready: createQueue(), running: 0, failuresInARow: 0 };
        lanes.set(entry.lane, lane);
      }
      lane.ready.push(entry);
    },
    take() {
      let chosen: Lane | undefined;
      for (const lane of lanes.values()) {
        // The lane with the fewest requests under way goes first: all get an equal share.
        if (mayRun(lane) && (!chosen || lane.running < chosen.running)) chosen = lane;
      }
      const entry = chosen?.ready.shift();
      if (!chosen || !entry) return undefined;
      chosen.running += 1;
      running += 1;
      return entry;
    },
    finished(name, failed) {
      const lane = lanes.get(name);
      if (!lane) return;
      lane.running -= 1;
      running -= 1;
      if (failed !== null) lane.failuresInARow = failed ? lane.failuresInARow + 1 : 0;
      const idle = lane.running === 0 && lane.ready.size === 0 && lane.failuresInARow === 0;
      if (idle) lanes.delete(name);
    },
  };
}
