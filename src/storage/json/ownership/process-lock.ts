import type { Clock } from '../../../base/clock.js';
import { startEvery } from '../../../base/every.js';
import type { FileLayer } from '../../../base/files/file-layer.js';
import {
  endOwnership,
  newOwner,
  type Owner,
  readOwner,
  rewriteOwner,
  takeOwnership,
} from './ownership.js';
import { livenessOf } from './process-identity.js';

/** Renewed this often, in milliseconds, for those who cannot see the process. */
const renewEvery = 5_000;
/** Milliseconds after its last renewal for which a process that is not visible from here counts as alive. */
export const beliefMs = 20_000;
/** A lock this close to the end of that is looked at before it is relied on. */
const safetyMs = 5_000;

/** The right to be alone with something, for as long as this process runs or until it is released. */
export interface ProcessLock {
  /**
   * Whether it is this process's still. Only one in another container or on another machine can have taken it
   * over, and only where this one stood still for 20 seconds.
   */
  isOurs(): Promise<boolean>;
  /** Extends the lock now. Returns false if another process has taken it over. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * The lock that a file stands for, or undefined while another process has it, or this one. One of a dead process
 * of this machine is taken over at once, one of a living one never; one of a process that cannot be seen from
 * here, when it was not renewed for 20 seconds.
 */
export async function takeProcessLock(
  files: FileLayer,
  path: string,
  label: string,
  clock: Clock,
): Promise<ProcessLock | undefined> {
  const present = await readOwner(files, path);
  if (present && (await isHeld(present, clock.now()))) return undefined;
  let owner = await newOwner(label, clock.now(), clock.now() + beliefMs);
  const isStale = async (holder: Owner) => !(await isHeld(holder, clock.now()));
  if (await takeOwnership({ files, path, owner, isStale })) return undefined;
  let isLost = false;

  let underWay: Promise<void> | undefined;

  function renew(): Promise<void> {
    underWay ??= renewOnce().finally(() => {
      underWay = undefined;
    });
    return underWay;
  }

  async function renewOnce(): Promise<void> {
    if (isLost) return;
    isLost = (await readOwner(files, path))?.nonce !== owner.nonce;
    if (isLost) return;
    owner = { ...owner, expires: clock.now() + beliefMs };
    await rewriteOwner(files, path, owner);
  }

  // A disk that fails just now says nothing about whose the lock is.
  const renewing = startEvery(renewEvery, renew, { clock, sleepFirst: true, onError() {} });
  return {
    async isOurs() {
      if (!isLost && (owner.expires ?? 0) - safetyMs <= clock.now()) await renew();
      return !isLost;
    },
    async renew() {
      await renew();
      return !isLost;
    },
    async release() {
      await renewing.stop();
      if (!isLost) await endOwnership(files, path, owner.nonce);
    },
  };
}

/** Returns whether any process, including this one, holds the lock in a file. */
export async function isLocked(files: FileLayer, path: string, clock: Clock): Promise<boolean> {
  const owner = await readOwner(files, path);
  return owner !== undefined && (await isHeld(owner, clock.now()));
}

/**
 * Returns whether an owner's process is running, or, if it is not visible from here, whether it has renewed recently.
 */
export async function isHeld({ process, expires }: Owner, now: number): Promise<boolean> {
  const liveness = await livenessOf(process);
  return liveness === 'unknown' ? (expires ?? 0) > now : liveness === 'alive';
}
