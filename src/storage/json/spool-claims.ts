import { join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import {
  endOwnership,
  newNonce,
  type Owner,
  readOwner,
  rewriteOwner,
  takeOwnership,
} from './ownership.js';
import { currentProcess, livenessOf } from './process-identity.js';
import { fileNameOf } from './spool-paths.js';

/** The right to work on one record, until it is released, its lease ends or its process dies. */
export interface Lease {
  /** Prolongs the lease; false = it was lost (it had ended), stop working on the record. */
  renew(leaseMs: number): Promise<boolean>;
  release(): Promise<void>;
}

export interface Claims {
  /** The lease, or undefined while somebody else has it. */
  take(id: string, label: string, leaseMs: number): Promise<Lease | undefined>;
  /** Removes what dead processes left behind long ago. */
  sweep(): Promise<void>;
}

/** A lease this close to its end counts as ended for its owner, so that two never act at once. */
const safetyMs = 500;

const sweepAfterMs = 3_600_000;

/** Claim files in a folder, for several processes without a lock. */
export function createClaims(files: FileLayer, folder: string, clock: Clock): Claims {
  const isStale = async (holder: Owner) =>
    (holder.expires !== null && holder.expires <= clock.now()) ||
    (await livenessOf(holder.process)) === 'dead';

  async function acquire(path: string, label: string, leaseMs: number) {
    const owner: Owner = {
      nonce: newNonce(),
      process: await currentProcess(),
      label,
      since: clock.now(),
      expires: clock.now() + leaseMs,
    };
    const holder = await takeOwnership({ files, path, owner, isStale });
    return holder ? undefined : leaseOf(path, owner);
  }

  function leaseOf(path: string, first: Owner): Lease {
    let owner = first;
    const mine = () => (owner.expires ?? 0) - safetyMs > clock.now();
    return {
      async renew(leaseMs) {
        if (!mine() || (await readOwner(files, path))?.nonce !== owner.nonce) return false;
        owner = { ...owner, expires: clock.now() + leaseMs };
        await rewriteOwner(files, path, owner);
        return true;
      },
      async release() {
        if (mine()) await endOwnership(files, path, owner.nonce);
      },
    };
  }

  return {
    take: (id, label, leaseMs) => acquire(join(folder, `${fileNameOf(id)}.claim`), label, leaseMs),
    async sweep() {
      for (const name of await files.readdir(folder)) {
        const path = join(folder, name);
        if (!name.endsWith('.claim')) continue;
        const { expires } = (await readOwner(files, path)) ?? {};
        if (typeof expires !== 'number' || expires + sweepAfterMs > clock.now()) continue;
        await (await acquire(path, 'sweep', 60_000))?.release();
      }
    },
  };
}
