import { dirname } from 'node:path';
import { AppError } from '../errors.js';
import { ensureFolder, syncFolder } from './durable-write.js';
import type { FileLayer } from './file-layer.js';
import { isMissing } from './storage-errors.js';

/**
 * Creates folders on demand. Nothing is moved into a folder before the folder's own name is on disk, because a power cut
 * would remove both. That also holds for a folder that another task or process has just created.
 */
export function createDurableFolders(files: FileLayer) {
  const known = new Map<string, Promise<void>>();

  function ensure(folder: string): Promise<void> {
    const earlier = known.get(folder);
    if (earlier) return earlier;
    const made = ensureFolder(files, folder).then(() => syncFolder(files, dirname(folder)));
    known.set(folder, made);
    made.catch(() => known.delete(folder));
    return made;
  }

  return {
    /** Creates a folder if it does not exist, and makes its name durable. */
    ensure,
    /** Does `work` in a folder; creates the folder if it does not exist or is removed meanwhile. */
    async within<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
      await ensure(folder);
      try {
        return await work();
      } catch (error) {
        if (!isMissing(error instanceof AppError ? error.cause : error)) throw error;
      }
      known.delete(folder);
      await ensure(folder);
      return work();
    },
  };
}
