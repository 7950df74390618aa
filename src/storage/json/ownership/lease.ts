import { join } from 'node:path';
import type { Clock } from '../../../base/clock.js';
import { AppError } from '../../../base/errors.js';
import { startEvery } from '../../../base/every.js';
import { ensureFolder } from '../../../base/files/durable-write.js';
import type { FileLayer } from '../../../base/files/file-layer.js';
import { systemFiles } from '../../../base/files/file-layer.js';
import { singleFlight } from '../../../base/single-flight.js';
import { leaseMs, renewEvery } from '../../lease-times.js';
import {
  endOwnership,
  livenessOf,
  newOwner,
  type Owner,
  readOwner,
  rewriteOwner,
  takeOwnership,
} from './ownership.js';

/** Time before the end of an `unrenewed` lease when its owner treats it as lost, in milliseconds. */
const safetyMs = 500;

/**
 * Determines when a lease ends, apart from its release and the death of its process. An `unrenewed` lease ends 15 s
 * after its last renewal, so a suspended process loses it. An `unseen` lease does so only if its process is not visible
 * from here because it runs in a different container or on a different machine.
 */
export type LeaseEnd = 'unrenewed' | 'unseen';

interface LeaseRequest {
  readonly files: FileLayer;
  /** The file that represents the lease. */
  readonly path: string;
  readonly label: string;
  readonly clock: Clock;
  readonly ends: LeaseEnd;
  /** Called once if another process has taken the lease. */
  onLost?(): void;
}

/** An exclusive right that expires. */
export interface Lease {
  /** Renews the lease if it is about to end. Returns whether it is still held. */
  isOurs(): Promise<boolean>;
  /** Renews the lease. Returns false if it was lost; the owner must then stop the work that it protects. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Takes a lease, or returns undefined if another owner has it, even one in this process. The caller renews an
 * `unrenewed` lease. An `unseen` lease is renewed automatically every 3 s.
 */
export async function takeLease(request: LeaseRequest): Promise<Lease | undefined> {
  const { files, path, label, clock, ends } = request;
  if (await isLeased(request)) return undefined;
  let owner = await newOwner(label, clock.now(), clock.now() + leaseMs);
  const isStale = (holder: Owner) => hasEnded(holder, ends, clock.now());
  if (await takeOwnership({ files, path, owner, isStale })) return undefined;
  let isLost = false;

  const remaining = () => owner.expires - clock.now();

  const renew = singleFlight(async () => {
    if (isLost) return;
    const isTaken = (await readOwner(files, path))?.nonce !== owner.nonce;
    isLost = isTaken || (ends === 'unrenewed' && remaining() <= safetyMs);
    if (isTaken) request.onLost?.();
    if (isLost) return;
    owner = { ...owner, expires: clock.now() + leaseMs };
    await rewriteOwner(files, path, owner);
  });

  // A brief disk failure does not mean that the lease is lost.
  const settings = { clock, sleepFirst: true, onError() {} };
  const renewing = ends === 'unseen' ? startEvery(renewEvery, renew, settings) : undefined;
  return {
    async isOurs() {
      if (!isLost && remaining() <= leaseMs - 3 * renewEvery) await renew();
      return !isLost;
    },
    async renew() {
      await renew();
      return !isLost;
    },
    async release() {
      await renewing?.stop();
      const isOurs = !isLost && (ends === 'unseen' || remaining() > safetyMs);
      if (isOurs) await endOwnership(files, path, owner.nonce);
    },
  };
}

/** Returns whether any process, including this one, holds a lease. */
export async function isLeased({
  files,
  path,
  clock,
  ends,
}: Omit<LeaseRequest, 'label'>): Promise<boolean> {
  const owner = await readOwner(files, path);
  return owner !== undefined && !(await hasEnded(owner, ends, clock.now()));
}

/** Returns whether an owner has lost its lease. */
export async function hasEnded(owner: Owner, ends: LeaseEnd, now: number): Promise<boolean> {
  const liveness = await livenessOf(owner.process);
  if (liveness === 'dead') return true;
  return (ends === 'unrenewed' || liveness === 'unknown') && owner.expires <= now;
}

interface DataLockOptions {
  /** The data directory; created if it does not exist. */
  readonly folder: string;
  /** The command that locks the folder, such as `msgsite serve`. Appears in messages. */
  readonly command: string;
  readonly clock: Clock;
  /** Called if another process took the folder while this one was suspended. This process must then stop writing. */
  onLost?: (() => void) | undefined;
}

const files = systemFiles;
const lockFile = (folder: string) => join(folder, 'serve.lock');
const ends = 'unseen';

/** Time within which a running process renews its lease, in milliseconds. */
const renewed = renewEvery + 1_000;

/**
 * Locks a data folder for one process. Throws `data_in_use` if another process has locked it. Takes over the lock of a
 * dead process immediately. If the process is not visible from here, waits until the lock has not been renewed for 15
 * seconds.
 */
export async function lockDataFolder({
  folder,
  command,
  clock,
  onLost,
}: DataLockOptions): Promise<{ release(): Promise<void> }> {
  await ensureFolder(files, folder);
  const path = lockFile(folder);
  let seen: Owner | undefined;
  for (let waited = 0; ; ) {
    const lease = await takeLease({
      ...{ files, path, label: command, clock, ends },
      ...(onLost ? { onLost } : {}),
    });
    if (lease) return lease;
    const holder = await readOwner(files, path);
    if (!holder) continue;
    const isRenewed = seen !== undefined && holder.expires !== seen.expires;
    if (isRenewed || (await livenessOf(holder.process)) === 'alive') throw inUse(folder, holder);
    // The clock of another machine may be ahead of this one.
    if (waited >= leaseMs) {
      await endOwnership(files, path, holder.nonce);
      continue;
    }
    seen = holder;
    const left = Math.min(renewed, Math.max(1, holder.expires - clock.now()));
    await clock.sleep(left);
    waited += left;
  }
}

/** Returns the process that has locked a data directory, unless it is dead. */
export async function readDataLock(folder: string): Promise<Owner | undefined> {
  const holder = await readOwner(files, lockFile(folder));
  if (!holder || (await livenessOf(holder.process)) === 'dead') return undefined;
  return holder;
}

/** Returns the error for a data directory that another process uses. */
export function inUse(
  folder: string,
  { process: holder, label, since }: Owner,
  hint = 'Stop that process, or choose another directory with --data.',
): AppError {
  const place = `process ${holder.pid} on ${holder.host}`;
  return new AppError(
    'data_in_use',
    `The data directory ${folder} is in use by ${label} (${place}, since ${new Date(since).toISOString()}).`,
    { hint },
  );
}
