import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Clock } from '../../../base/clock.js';
import {
  ensureFolder,
  listFolder,
  removeFile,
  removeFolder,
} from '../../../base/files/durable-write.js';
import type { FileLayer } from '../../../base/files/file-layer.js';
import { singleFlight } from '../../../base/single-flight.js';
import { leaseMs, renewEvery } from '../../lease-times.js';
import {
  livenessOf,
  newOwner,
  type Owner,
  readOwner,
  rewriteOwner,
} from '../ownership/ownership.js';

export interface ClaimFolderOptions {
  readonly files: FileLayer;
  readonly folder: string;
  readonly clock: Clock;
  /** The name of this process in owner files, such as `serve` or `pay`. */
  readonly label: string;
}

/** Time from the end of a lease until the folder of a process that is not visible may be removed, in milliseconds. */
const folderLifeMs = 120_000;

/** The folder of a process whose claims have ended. */
export interface AbandonedFolder {
  readonly path: string;
  /** True if its process may still write to a file that it has open. */
  readonly mayWrite: boolean;
  /** True if it can be removed once it is empty. */
  readonly isRemovable: boolean;
}

/**
 * Manages the claim folders. Each process has a folder, `claimed/<owner>/`, and a file that identifies the process,
 * `owners/<owner>.json`.
 */
export function createClaimFolders({ files, folder, clock, label }: ClaimFolderOptions) {
  const claimed = join(folder, 'claimed');
  let own: { readonly path: string; readonly owner: Owner } | undefined;

  const ownerFile = (claimFolder: string) =>
    join(folder, 'owners', `${basename(claimFolder)}.json`);

  const make = singleFlight(async () => {
    const owner = await newOwner(label, clock.now(), clock.now() + leaseMs);
    const path = join(claimed, owner.nonce);
    // The owner file comes first, because a folder without one is treated as abandoned.
    await rewriteOwner(files, ownerFile(path), owner);
    await ensureFolder(files, path);
    own = { path, owner };
    return path;
  });

  const renew = singleFlight(async () => {
    if (!own) return;
    const { path, owner } = own;
    const renewed = { ...owner, expires: clock.now() + leaseMs };
    await rewriteOwner(files, ownerFile(path), renewed);
    if (own?.path === path) own = { path, owner: renewed };
  });

  /** Returns the folder if its claims have ended, otherwise undefined. */
  async function ifAbandoned(path: string): Promise<AbandonedFolder | undefined> {
    const owner = await readOwner(files, ownerFile(path));
    const liveness = owner ? await livenessOf(owner.process) : 'dead';
    if (!owner || liveness === 'dead') return { path, mayWrite: false, isRemovable: true };
    const past = clock.now() - owner.expires;
    if (past < 0) return undefined;
    return { path, mayWrite: true, isRemovable: liveness === 'unknown' && past >= folderLifeMs };
  }

  return {
    /** Returns this process's folder, and renews the lease if necessary. The first call creates the folder. */
    async own(): Promise<string> {
      // Another process may have removed it while this one was suspended.
      if (!own || !existsSync(own.path)) return make();
      const { path, owner } = own;
      // Every caller waits, because other processes may release the claims until the renewal is stored.
      if (clock.now() + leaseMs - owner.expires >= renewEvery) await renew();
      return path;
    },
    /** Returns this process's folder, if there is one. */
    current: () => own?.path,
    /** Returns the folders of processes that are dead or suspended. */
    async abandoned(): Promise<AbandonedFolder[]> {
      const found: AbandonedFolder[] = [];
      for (const name of await listFolder(files, claimed)) {
        const path = join(claimed, name);
        const folder = path === own?.path ? undefined : await ifAbandoned(path);
        if (folder) found.push(folder);
      }
      return found;
    },
    /** Removes a folder if it is empty. */
    async remove(claimFolder: string): Promise<void> {
      if ((await listFolder(files, claimFolder)).length > 0) return;
      await removeFolder(files, claimFolder);
      await removeFile(files, ownerFile(claimFolder));
      if (claimFolder === own?.path) own = undefined;
    },
  };
}
