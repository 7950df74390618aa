import { basename, join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import { ensureFolder, removeFile } from '../../base/files/durable-write.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { storageError } from '../../base/files/storage-errors.js';
import { newNonce, type Owner, readOwner, rewriteOwner } from '../../storage/json/ownership.js';
import { currentProcess, livenessOf } from '../../storage/json/process-identity.js';
import { namesIn } from './delivery-files.js';

/** One folder a process for what it has claimed, and a file that says which process that is. */
export interface ClaimFolders {
  /** This process's folder, made when it is first asked for. */
  own(): Promise<string>;
  /** This process's folder, where there is one. */
  current(): string | undefined;
  /** The folders of all processes. */
  all(): Promise<string[]>;
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
  const sending = join(folder, 'sending');
  const owners = join(folder, 'owners');
  let own: Promise<{ readonly path: string; owner: Owner }> | undefined;
  let path: string | undefined;

  const ownerFile = (claimFolder: string) => join(owners, `${basename(claimFolder)}.json`);

  async function begin() {
    const nonce = newNonce();
    const now = clock.now();
    const process = await currentProcess();
    const owner = { nonce, process, label, since: now, expires: now + leaseMs };
    path = join(sending, nonce);
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
    all: async () => (await namesIn(files, sending)).map((name) => join(sending, name)),
    async abandoned() {
      const found: string[] = [];
      for (const name of await namesIn(files, sending)) {
        const claimFolder = join(sending, name);
        if (claimFolder !== path && (await isAbandoned(claimFolder))) found.push(claimFolder);
      }
      return found;
    },
    async remove(claimFolder) {
      if ((await namesIn(files, claimFolder)).length > 0) return;
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
