import { join } from 'node:path';
import { systemClock } from '../../../base/clock.js';
import type { FileLayer } from '../../../base/files/file-layer.js';
import { isMissing, storageError } from '../../../base/files/storage-errors.js';

/** A temporary file lives for milliseconds; an older one belongs to a process that died. */
const temporaryLifeMs = 60_000;

/** Removes the temporary files that processes which died have left in a folder. */
export async function removeLeftovers(files: FileLayer, folder: string): Promise<void> {
  try {
    for (const name of await files.readdir(folder)) {
      const path = join(folder, name);
      const { mtimeMs } = await files.stat(path);
      // Files are stamped with the machine's own time, whatever clock the caller goes by.
      if (systemClock.now() - mtimeMs > temporaryLifeMs) await files.unlink(path);
    }
  } catch (cause) {
    if (!isMissing(cause)) throw storageError(cause, folder);
  }
}
