import type { Clock } from '../../../base/clock.js';
import { startEvery } from '../../../base/every.js';
import type { FileLayer } from '../../../base/files/file-layer.js';
import { singleFlight } from '../../../base/single-flight.js';
import { leaseMs, renewEvery } from '../../lease-times.js';
import {
  endOwnership,
  newOwner,
  type Owner,
  readOwner,
  rewriteOwner,
  takeOwnership,
} from './ownership.js';
import { livenessOf } from './process-identity.js';

/** A lease this close to its end is renewed before its owner relies on it, so that two processes never act at once. */
const safetyMs = 500;

/**
 * When a lease ends besides its release and the death of its process. `unrenewed`: 15 s after its last renewal, so
 * that a stopped process loses it. `unseen`: then as well, but only if its process is not visible from here, in
 * another container or on another machine.
 */
export type LeaseEnd = 'unrenewed' | 'unseen';

export interface LeaseRequest {
  readonly files: FileLayer;
  /** The file that stands for the lease. */
  readonly path: string;
  readonly label: string;
  readonly clock: Clock;
  readonly ends: LeaseEnd;
  /** Called once if another process has taken the lease. */
  onLost?(): void;
}

/** The right to act on something alone. */
export interface Lease {
  /** Returns whether the lease is still held, and renews it if it is about to end. */
  isOurs(): Promise<boolean>;
  /** Renews the lease. Returns false if it was lost: its owner must stop acting on it. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Takes a lease, or returns undefined if another owner, also of this process, has it. One that ends `unrenewed` is
 * renewed by the work that relies on it; one that ends `unseen` renews itself every 3 s.
 */
export async function takeLease(request: LeaseRequest): Promise<Lease | undefined> {
  const { files, path, label, clock, ends } = request;
  if (await isLeased(request)) return undefined;
  let owner = await newOwner(label, clock.now(), clock.now() + leaseMs);
  const isStale = (holder: Owner) => isOver(holder, ends, clock.now());
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

  // A disk that fails for a moment does not say whose the lease is.
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

/** Returns whether any process, including this one, has a lease. */
export async function isLeased({
  files,
  path,
  clock,
  ends,
}: Omit<LeaseRequest, 'label'>): Promise<boolean> {
  const owner = await readOwner(files, path);
  return owner !== undefined && !(await isOver(owner, ends, clock.now()));
}

/** Returns whether an owner has lost its lease. */
export async function isOver(owner: Owner, ends: LeaseEnd, now: number): Promise<boolean> {
  const liveness = await livenessOf(owner.process);
  if (liveness === 'dead') return true;
  return (ends === 'unrenewed' || liveness === 'unknown') && owner.expires <= now;
}
