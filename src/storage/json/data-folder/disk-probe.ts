import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { removeFile, withFile, writeAll } from '../../../base/files/durable-write.js';
import { type FileLayer, systemFiles } from '../../../base/files/file-layer.js';
import { storageError } from '../../../base/files/storage-errors.js';

/** Bytes that a disk must have room for: some thousands fit on many that are full. */
const probeSize = 64 * 1024;

/** One name, which the next probe writes again: what a crash leaves is one file, which nothing reads. */
const probeFile = 'ready.tmp';

/**
 * Gives what finds out by writing whether the disk of a data folder can be written: `storage_unavailable` where it
 * cannot. Called by one at a time.
 */
export function createDiskProbe(
  folder: string,
  files: FileLayer = systemFiles,
): () => Promise<void> {
  const path = join(folder, probeFile);
  // By chance, since file systems that compress need no room for zeros.
  const bytes = randomBytes(probeSize);
  return async function probeDisk() {
    try {
      await withFile(files, path, 'w', async (file) => {
        await writeAll(file, bytes, 0);
        await file.datasync();
      });
    } catch (cause) {
      await files.unlink(path).catch(() => {});
      throw storageError(cause, path);
    }
    await removeFile(files, path);
  };
}
