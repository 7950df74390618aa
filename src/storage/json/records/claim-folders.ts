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
  /** Who works here, for people who look into the folder: `serve`, `pay`. */
  readonly label: string;
}

/** Milliseconds after which the folder of a process that is not visible from here may be removed. */
const folderLifeMs = 120_000;

/** The folder of a process whose claims have ended. */
export interface AbandonedFolder {
  readonly path: string;
  /** True if its process may be alive and may write to a file that it has open. */
  readonly mayWrite: boolean;
  /** True if it can be removed once it is empty. */
  readonly isOver: boolean;
}

/**
 * One folder a process for what it has claimed, `claimed/<owner>/`, and a file that says which process
 * that is, `owners/<owner>.json`.
 */
export function createClaimFolders({ files, folder, clock, label }: ClaimFolderOptions) {
  const claimed = join(folder, 'claimed');
  let own: { readonly path: string; readonly owner: Owner } | undefined;

  const ownerFile = (claimFolder: string) =>
    join(folder, 'owners', `${basename(claimFolder)}.json`);

  const make = singleFlight(async () => {
    const owner = await newOwner(label, clock.now(), clock.now() + leaseMs);
    const path = join(claimed, owner.nonce);
    // First who, then the folder: a folder without an owner counts as abandoned.
    await rewriteOwner(files, ownerFile(path), owner);
    await ensureFolder(files, path);
    own = { path, owner };
    return path;
  });

  /** Returns the folder if its claims have ended; undefined while they last. */
  async function judge(path: string): Promise<AbandonedFolder | undefined> {
    const owner = await readOwner(files, ownerFile(path));
    const liveness = owner ? await livenessOf(owner.process) : 'dead';
    if (!owner || liveness === 'dead') return { path, mayWrite: false, isOver: true };
    const past = clock.now() - owner.expires;
    if (past < 0) return undefined;
    return { path, mayWrite: true, isOver: liveness === 'unknown' && past >= folderLifeMs };
  }

  return {
    /** This process's folder, made when it is first asked for; says so that the process lives. */
    async own(): Promise<string> {
      // It may have been removed while this process was suspended.
      if (!own || !existsSync(own.path)) return make();
      const { path, owner } = own;
      const expires = clock.now() + leaseMs;
      if (expires - owner.expires >= renewEvery) {
        own = { path, owner: { ...owner, expires } };
        await rewriteOwner(files, ownerFile(path), own.owner);
      }
      return path;
    },
    /** This process's folder, where there is one. */
    current: () => own?.path,
    /** Returns the folders of processes that are dead or suspended. */
    async abandoned(): Promise<AbandonedFolder[]> {
      const found: AbandonedFolder[] = [];
      for (const name of await listFolder(files, claimed)) {
        const path = join(claimed, name);
        const judged = path === own?.path ? undefined : await judge(path);
        if (judged) found.push(judged);
      }
      return found;
    },
    /** Removes a folder from which everything has been taken; one that still holds something stays. */
    async remove(claimFolder: string): Promise<void> {
      if ((await listFolder(files, claimFolder)).length > 0) return;
      await removeFolder(files, claimFolder);
      await removeFile(files, ownerFile(claimFolder));
      if (claimFolder === own?.path) own = undefined;
    },
  };
}
