import { dirname } from 'node:path';
import pLimit from 'p-limit';
import type { Act, Over } from '#validators/audit';
import type { ActUnderWay, AuditLine, PendingAct } from '../../base/audit.js';
import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import { startEvery } from '../../base/every.js';
import { ensureFolder } from '../../base/files/durable-write.js';
import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import { lazy } from '../../base/single-flight.js';
import type { Report } from '../../storage/json/check/data-checker.js';
import { closeAll } from '../../storage/json/close-parts.js';
import { isLeased, type Lease, takeLease } from '../../storage/json/ownership/lease.js';
import type { AuditReader, AuditStore } from '../store.js';
import { type Lane, openLane } from './lane.js';
import {
  findLanes,
  hasLinesBefore,
  laneLog,
  ownerPath,
  readClosed,
  readLaneState,
} from './lane-files.js';
import { readLanes } from './read-lanes.js';

export interface JsonAuditOptions {
  /** `<data>/audit`. */
  readonly folder: string;
  readonly clock: Clock;
  /** The name of this process in owner files: `serve`, `pay qr`. */
  readonly label: string;
  readonly files?: FileLayer;
  /** Called for damaged lines, which are skipped. */
  readonly onDamage?: Report;
  /** Called with errors of background work, which is retried. */
  onBackgroundFailure?(error: unknown): void;
  /** Size after which a lane starts a new segment, in bytes; 4 MiB by default. */
  readonly segmentLength?: number;
}

type ReaderOptions = Pick<JsonAuditOptions, 'folder' | 'files' | 'clock' | 'onDamage'>;

/** Reads the audit log while other processes write to it. Creates nothing, even if there is no audit log yet. */
export function createJsonAuditReader(options: ReaderOptions): AuditReader {
  const { folder, files = systemFiles, onDamage = () => {} } = options;
  return {
    read: (query = {}) => readLanes({ folder, files }, query, onDamage),
    pending: () => readPending(options),
    async hasAbandoned() {
      const audit = { folder, files };
      for (const number of await findLanes(audit)) {
        const log = laneLog(audit, number);
        if (await readClosed(log)) continue;
        const lease = { files, path: ownerPath(audit, number), clock: options.clock };
        if (await isLeased({ ...lease, ends: 'unseen' })) continue;
        if ((await readLaneState(log, () => {})).open.size > 0) return true;
      }
      return false;
    },
  };
}

/**
 * Returns the pending actions in all open lanes, in ascending order of lanes. Those of the process's own lane are in
 * memory.
 */
async function readPending(
  { folder, files = systemFiles, clock }: ReaderOptions,
  own?: Pick<OwnLane, 'number' | 'lane'>,
): Promise<readonly ActUnderWay[]> {
  const audit = { folder, files };
  const found: ActUnderWay[] = [];
  const add = (acts: Iterable<Act>, holder: ActUnderWay['holder']) => {
    for (const act of acts) found.push({ ...act, holder });
  };
  for (const number of await findLanes(audit)) {
    const log = laneLog(audit, number);
    if (number === own?.number) add(own.lane.open.values(), 'here');
    else if (!(await readClosed(log))) {
      // The owner is read first, so that its actions are not treated as abandoned if it exits in the meantime.
      const path = ownerPath(audit, number);
      const isHeld = await isLeased({ files, path, clock, ends: 'unseen' });
      // The process that opens the lane reports its damage.
      const { open } = await readLaneState(log, () => {});
      add(open.values(), isHeld ? 'elsewhere' : 'nobody');
    }
  }
  return found;
}

/** A lane that this process owns. */
interface OwnLane {
  readonly number: number;
  readonly lane: Lane;
  readonly lease: Lease;
  /** Unfinished actions of a previous owner. */
  readonly found: readonly Act[];
}

/** Determines the outcome of an action that a dead process has started. */
type Conclude = (act: PendingAct) => Promise<AuditLine>;
type Ending = Over & { readonly ends: string };

/** Time between attempts to store the ends of actions, in milliseconds. */
const retryEvery = 5_000;
/**
 * Maximum number of actions for which storing the end is retried. Other processes later determine the end of further
 * ones.
 */
const maxRetried = 1_000;

/**
 * Stores the audit log in files. It consists of lanes, which are logs with one writing process each. The first action
 * takes or creates a lane that no process owns. Until then, nothing is created.
 */
export function openJsonAuditStore(options: JsonAuditOptions): AuditStore {
  const { folder, clock, label, files = systemFiles, segmentLength } = options;
  const { onDamage = () => {}, onBackgroundFailure = () => {} } = options;
  const audit = { folder, files };
  /** Takes lanes one at a time, so that `recover` does not skip a lane that `takeFirst` owns only briefly. */
  const inTurn = pLimit(1);
  const recoverInTurn = pLimit(1);
  let own = lazy(() => inTurn(takeFirst));
  /** IDs of actions whose start is being written. */
  const beginning = new Set<string>();
  /** Ends that could not be stored, by action ID. */
  const unfinished = new Map<string, Ending>();
  let retrying: ReturnType<typeof startEvery> | undefined;
  let isClosed = false;

  /** Takes a lane, unless another process owns it. */
  async function take(number: number): Promise<OwnLane | undefined> {
    const path = ownerPath(audit, number);
    const lease = await takeLease({ files, path, label, clock, ends: 'unseen' });
    if (!lease) return undefined;
    try {
      const log = laneLog(audit, number);
      await ensureFolder(files, log.folder);
      const lane = await openLane({ log, report: onDamage, onBackgroundFailure, segmentLength });
      return { number, lane, lease, found: [...lane.open.values()] };
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  async function takeFirst(): Promise<OwnLane> {
    await ensureFolder(files, dirname(ownerPath(audit, 1)));
    for (let number = 1; ; number += 1) {
      const taken = await take(number);
      if (taken?.found.length === 0) return taken;
      // A lane with actions of a dead process is left to `recover`.
      if (taken) await giveBack(taken);
    }
  }

  async function ownLane(): Promise<Lane> {
    if (isClosed) throw new AppError('shutting_down', 'The storage is closed.');
    const current = own;
    const { lane, lease } = await current.get();
    if (await lease.isOurs()) return lane;
    // This process was suspended for a long time. The new owner of the lane concludes its actions.
    if (own === current) own = lazy(() => inTurn(takeFirst));
    await lane.abandon().catch(onBackgroundFailure);
    return ownLane();
  }

  function giveBack({ lane, lease }: OwnLane): Promise<void> {
    return closeAll([lane, { close: lease.release }]);
  }

  async function finish(ending: Ending): Promise<void> {
    try {
      await (await ownLane()).append(ending);
      unfinished.delete(ending.ends);
    } catch (error) {
      if (unfinished.size < maxRetried) unfinished.set(ending.ends, ending);
      retrying ??= startEvery(retryEvery, retry, { clock, sleepFirst: true, onError() {} });
      throw error;
    }
  }

  async function retry(): Promise<void> {
    for (const ending of [...unfinished.values()]) await finish(ending);
  }

  /** Ends the actions of a dead process in a lane. If any fail, throws the first error after handling all of them. */
  async function conclude({ lane, found }: OwnLane, how: Conclude): Promise<void> {
    const failures: unknown[] = [];
    for (const act of found) {
      try {
        await lane.append({ line: await how(act), ends: act.id });
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  async function recoverLane(number: number, how: Conclude): Promise<void> {
    if (await readClosed(laneLog(audit, number))) return;
    const taken = await inTurn(() => take(number));
    if (!taken) return;
    try {
      await conclude(taken, how);
    } finally {
      await giveBack(taken);
    }
  }

  async function recoverAll(how: Conclude): Promise<void> {
    const failures: unknown[] = [];
    for (const number of await findLanes(audit)) {
      await recoverLane(number, how).catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  return {
    ...createJsonAuditReader(options),
    async add(line) {
      await (await ownLane()).append({ line });
    },
    async begin(act) {
      const { id } = act;
      const lane = await ownLane();
      if (lane.open.has(id) || beginning.has(id)) {
        throw new AppError('conflict', `The action ${id} is already in progress.`);
      }
      beginning.add(id);
      await lane.append({ begun: act as Act }).finally(() => beginning.delete(id));
    },
    end: ({ id }, line) => finish({ line, ends: id }),
    async pending() {
      const mine = await own.made();
      return readPending(options, mine && (await mine.lease.renew()) ? mine : undefined);
    },
    recover: (how) => recoverInTurn(() => recoverAll(how)),
    async removeBefore(time) {
      const mine = await own.made();
      await mine?.lane.removeBefore(time);
      for (const number of await findLanes(audit)) {
        const log = laneLog(audit, number);
        const closed = await readClosed(log);
        if (!closed || !(await hasLinesBefore(log, closed, time))) continue;
        const taken = await take(number);
        if (!taken) continue;
        try {
          await taken.lane.removeBefore(time);
        } finally {
          await giveBack(taken);
        }
      }
    },
    async close() {
      if (isClosed) return;
      await recoverInTurn(async () => {});
      await retrying?.stop();
      await retry().catch(onBackgroundFailure);
      isClosed = true;
      const mine = await own.made();
      if (mine) await giveBack(mine);
    },
  };
}
