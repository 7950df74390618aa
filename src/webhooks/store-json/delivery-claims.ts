import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import { ensureFolder } from '../../base/files/durable-write.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { isMissing, storageError } from '../../base/files/storage-errors.js';
import type { Delivery } from '../delivery.js';
import type { ClaimedDelivery } from '../store.js';
import type { ClaimFolders } from './claim-folders.js';
import { addToFile, exists, replaceWhole } from './delivery-files.js';
import type { DeliveryFolders } from './delivery-folders.js';
import { changeText, type DeliveryText, wholeText } from './delivery-text.js';
import type { GroupSync } from './group-sync.js';

/** Claiming deliveries: a claimed one lies in its process's folder, where nobody else touches it. */
export interface DeliveryClaims {
  /** Claims what lies in a folder; undefined where it is not (or no longer) there. */
  take(place: string, id: string): Promise<ClaimedDelivery | undefined>;
  /** Puts everything in a claim folder back to where it belongs. */
  free(claimFolder: string): Promise<void>;
}

interface DeliveryClaimOptions {
  readonly files: FileLayer;
  readonly clock: Clock;
  readonly folders: DeliveryFolders;
  readonly claimFolders: ClaimFolders;
  readonly sync: GroupSync;
}

/** Far below the lease on claims: until then nobody can have taken one over. */
const sureOfClaimMs = 30_000;

export function createDeliveryClaims(options: DeliveryClaimOptions): DeliveryClaims {
  const { files, clock, folders, claimFolders, sync } = options;

  /** Moves a claimed file to where its state belongs; gives false where the claim was lost. */
  async function putBack(claimedPath: string, delivery: Delivery): Promise<boolean> {
    const place = folders.placeOf(delivery);
    const path = folders.pathIn(place, delivery.id);
    try {
      await folders.prepare(place);
      await files.rename(claimedPath, path).catch(async (cause) => {
        // The day's folder may have been removed since it was prepared.
        if (!isMissing(cause) || !(await exists(files, claimedPath))) throw cause;
        await ensureFolder(files, place);
        await files.rename(claimedPath, path);
      });
      if (mustLast(delivery)) await sync(place);
      return true;
    } catch (cause) {
      if (isMissing(cause)) return false;
      throw storageError(cause, place);
    }
  }

  function claimOf(path: string, { delivery, end }: DeliveryText): ClaimedDelivery {
    const claimedAt = clock.now();
    let written: Delivery | undefined;

    async function write(next: Delivery): Promise<void> {
      const lasting = mustLast(next);
      const line = changeText(delivery, next);
      if (end === null || line === undefined) {
        const content = wholeText(next);
        const temporaryFolder = folders.temporary;
        await replaceWhole({ files, temporaryFolder, path, content, lasting });
      } else if (!(await addToFile({ files, path, content: line, lasting, position: end }))) {
        throw lostClaim(delivery.id);
      }
    }

    return {
      delivery,
      async settle(next) {
        const mayBeLost = clock.now() - claimedAt > sureOfClaimMs;
        if (mayBeLost && !(await exists(files, path))) throw lostClaim(delivery.id);
        // Asked again because the second step failed, the first is not repeated.
        if (written !== next) await write(next);
        written = next;
        if (!(await putBack(path, next))) throw lostClaim(delivery.id);
      },
      async release() {
        await putBack(path, delivery);
      },
    };
  }

  return {
    async take(place, id) {
      const from = folders.pathIn(place, id);
      const path = folders.pathIn(await claimFolders.own(), id);
      try {
        await files.rename(from, path);
      } catch (cause) {
        if (isMissing(cause)) return undefined;
        throw storageError(cause, path);
      }
      try {
        const found = await folders.readText(path);
        return found && claimOf(path, found);
      } catch (error) {
        await files.rename(path, from);
        throw error;
      }
    },
    async free(claimFolder) {
      for (const id of await folders.idsIn(claimFolder)) {
        const path = folders.pathIn(claimFolder, id);
        const delivery = await folders.read(path).catch(ignoreDamage);
        if (delivery) await putBack(path, delivery);
        // What cannot be read is shown to whoever looks at what is pending.
        else await files.rename(path, folders.pathIn(folders.pending, id)).catch(ignoreMissing);
      }
    },
  };
}

/**
 * Whether a change has to survive a power cut before anything goes on. A success need not: if it is lost,
 * the event is sent once more, which receivers must expect anyway, and half of all fsyncs are saved.
 */
function mustLast({ state }: Delivery): boolean {
  return state !== 'delivered';
}

function lostClaim(id: string): AppError {
  return new AppError('conflict', `Delivery ${id} was taken over by another process.`);
}

function ignoreDamage(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'data_damaged') throw error;
}

function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}
