import type { Clock } from '../../../base/clock.js';
import type { FileLayer } from '../../../base/files/file-layer.js';
import {
  endOwnership,
  isOver,
  newOwner,
  type Owner,
  readOwner,
  rewriteOwner,
  takeOwnership,
} from './ownership.js';

/** Renewed well within this; a process that is killed loses it at once anyway. */
const leaseMs = 20_000;
/** A lease this close to its end counts as ended for its owner, so that two never act at once. */
const safetyMs = 500;

/**
 * The lease that a file stands for, or undefined while somebody else has it: a right that ends with its time,
 * with its release or with its process.
 */
export async function takeLease(files: FileLayer, path: string, label: string, clock: Clock) {
  let owner = await newOwner(label, clock.now(), clock.now() + leaseMs);
  const isStale = (holder: Owner) => isOver(holder, clock.now());
  if (await takeOwnership({ files, path, owner, isStale })) return undefined;
  const isOurs = () => (owner.expires ?? 0) - safetyMs > clock.now();
  return {
    /** Prolongs it; false = it was lost (it had ended), stop acting on it. */
    async renew(): Promise<boolean> {
      if (!isOurs() || (await readOwner(files, path))?.nonce !== owner.nonce) return false;
      owner = { ...owner, expires: clock.now() + leaseMs };
      await rewriteOwner(files, path, owner);
      return true;
    },
    async release(): Promise<void> {
      if (isOurs()) await endOwnership(files, path, owner.nonce);
    },
  };
}

/** Whether somebody, this process included, has the lease that a file stands for. */
export async function isLeased(files: FileLayer, path: string, now: number): Promise<boolean> {
  const owner = await readOwner(files, path);
  return owner !== undefined && !(await isOver(owner, now));
}
