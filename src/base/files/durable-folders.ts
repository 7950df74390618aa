import { dirname } from 'node:path';
import { AppError } from '../errors.js';
import { ensureFolder, syncFolder } from './durable-write.js';
import type { FileLayer } from './file-layer.js';
import { isMissing } from './storage-errors.js';

/**
 * Folders that are made when something comes into them. Nothing is moved into one before its own name is durable: a power
 * cut would take both. Another task, or another process, may have made it a moment ago.
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
    /** Makes a folder, if it does not exist, and its name durable. */
    ensure,
    /** Does `work` in a folder, which is made if it does not exist, also if it is removed meanwhile. */
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
