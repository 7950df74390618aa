import { basename, join } from 'node:path';
import type { Clock } from '../../../base/clock.js';
import {
  ensureFolder,
  listFolder,
  removeFile,
  removeFolder,
} from '../../../base/files/durable-write.js';
import type { FileLayer } from '../../../base/files/file-layer.js';
import { newOwner, type Owner, readOwner, rewriteOwner } from '../ownership/ownership.js';
import { livenessOf } from '../ownership/process-identity.js';

export interface ClaimFolderOptions {
  readonly files: FileLayer;
  readonly folder: string;
  readonly clock: Clock;
  /** Who works here, for people who look into the folder: `serve`, `pay`. */
  readonly label: string;
}

/**
 * How long a process counts as alive after it last said so. Only for processes whose life cannot be
 * seen from here (another container or machine); of one that can be seen, its life alone counts.
 */
const leaseMs = 120_000;
const renewAfterMs = 20_000;

/**
 * One folder a process for what it has claimed, `claimed/<owner>/`, and a file that says which process
 * that is, `owners/<owner>.json`.
 */
export function createClaimFolders({ files, folder, clock, label }: ClaimFolderOptions) {
  const claimed = join(folder, 'claimed');
  let own: { readonly path: string; readonly owner: Owner } | undefined;
  let making: Promise<string> | undefined;

  const ownerFile = (claimFolder: string) =>
    join(folder, 'owners', `${basename(claimFolder)}.json`);

  async function make(): Promise<string> {
    const owner = await newOwner(label, clock.now(), clock.now() + leaseMs);
    const path = join(claimed, owner.nonce);
    // First who, then the folder: a folder without an owner counts as abandoned.
    await rewriteOwner(files, ownerFile(path), owner);
    await ensureFolder(files, path);
    own = { path, owner };
    return path;
  }

  async function isAbandoned(claimFolder: string): Promise<boolean> {
    const owner = await readOwner(files, ownerFile(claimFolder));
    if (!owner) return true;
    const liveness = await livenessOf(owner.process);
    if (liveness !== 'unknown') return liveness === 'dead';
    return owner.expires !== null && owner.expires <= clock.now();
  }

  return {
    /** This process's folder, made when it is first asked for; says so that the process lives. */
    async own(): Promise<string> {
      if (!own) {
        making ??= make().finally(() => {
          making = undefined;
        });
        return making;
      }
      const { path, owner } = own;
      const expires = clock.now() + leaseMs;
      if (expires - (owner.expires ?? 0) >= renewAfterMs) {
        own = { path, owner: { ...owner, expires } };
        await rewriteOwner(files, ownerFile(path), own.owner);
      }
      return path;
    },
    /** This process's folder, where there is one. */
    current: () => own?.path,
    /** The folders of processes that run no more. */
    async abandoned(): Promise<string[]> {
      const found: string[] = [];
      for (const name of await listFolder(files, claimed)) {
        const claimFolder = join(claimed, name);
        if (claimFolder !== own?.path && (await isAbandoned(claimFolder))) found.push(claimFolder);
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
