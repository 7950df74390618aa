import { basename, join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import { ensureFolder, removeFile } from '../../base/files/durable-write.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { storageError } from '../../base/files/storage-errors.js';
import { listFolder } from './collection-files.js';
import { newOwner, type Owner, readOwner, rewriteOwner } from './ownership.js';
import { livenessOf } from './process-identity.js';

/**
 * One folder a process for what it has claimed, `claimed/<owner>/`, and a file that says which process
 * that is, `owners/<owner>.json`.
 */
export interface ClaimFolders {
  /** This process's folder, made when it is first asked for; says so that the process lives. */
  own(): Promise<string>;
  /** This process's folder, where there is one. */
  current(): string | undefined;
  /** The folders of processes that run no more. */
  abandoned(): Promise<string[]>;
  /** Removes a folder from which everything has been taken; one that still holds something stays. */
  remove(folder: string): Promise<void>;
}

interface ClaimFolderOptions {
  readonly files: FileLayer;
  readonly folder: string;
  readonly clock: Clock;
  readonly label: string;
}

/**
 * How long a process counts as alive after it last said so. Only for processes whose life cannot be
 * seen from here (another container or machine); of one that can be seen, its life alone counts.
 */
const leaseMs = 120_000;
const renewAfterMs = 20_000;

export function createClaimFolders(options: ClaimFolderOptions): ClaimFolders {
  const { files, folder, clock, label } = options;
  const claimed = join(folder, 'claimed');
  let own: Promise<{ readonly path: string; owner: Owner }> | undefined;
  let path: string | undefined;

  const ownerFile = (claimFolder: string) =>
    join(folder, 'owners', `${basename(claimFolder)}.json`);

  async function begin() {
    const owner = await newOwner(label, clock.now(), clock.now() + leaseMs);
    path = join(claimed, owner.nonce);
    // First who, then the folder: a folder without an owner counts as abandoned.
    await rewriteOwner(files, ownerFile(path), owner);
    await ensureFolder(files, path);
    return { path, owner };
  }

  async function renew(current: { readonly path: string; owner: Owner }): Promise<void> {
    const { owner } = current;
    if (clock.now() + leaseMs - (owner.expires ?? 0) < renewAfterMs) return;
    current.owner = { ...owner, expires: clock.now() + leaseMs };
    await rewriteOwner(files, ownerFile(current.path), current.owner);
  }

  async function isAbandoned(claimFolder: string): Promise<boolean> {
    const owner = await readOwner(files, ownerFile(claimFolder));
    if (!owner) return true;
    const liveness = await livenessOf(owner.process);
    if (liveness !== 'unknown') return liveness === 'dead';
    return owner.expires !== null && owner.expires <= clock.now();
  }

  return {
    async own() {
      own ??= begin().catch((error) => {
        own = undefined;
        throw error;
      });
      const current = await own;
      await renew(current);
      return current.path;
    },
    current: () => path,
    async abandoned() {
      const found: string[] = [];
      for (const name of await listFolder(files, claimed)) {
        const claimFolder = join(claimed, name);
        if (claimFolder !== path && (await isAbandoned(claimFolder))) found.push(claimFolder);
      }
      return found;
    },
    async remove(claimFolder) {
      if ((await listFolder(files, claimFolder)).length > 0) return;
      await files.rm(claimFolder, { recursive: true, force: true }).catch((cause) => {
        throw storageError(cause, claimFolder);
      });
      await removeFile(files, ownerFile(claimFolder));
      if (claimFolder === path) {
        own = undefined;
        path = undefined;
      }
    },
  };
}
