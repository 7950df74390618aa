import { syncFolder, writeAll } from '../../base/files/durable-write.js';
import { systemFiles } from '../../base/files/file-layer.js';
import { storageError } from '../../base/files/storage-errors.js';

/** Writes a file in place and syncs its content, for where nobody reads before all is complete. */
export async function writeNewFile(path: string, text: string): Promise<void> {
  try {
    const file = await systemFiles.open(path, 'w');
    try {
      await writeAll(file, Buffer.from(text), 0);
      await file.datasync();
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw storageError(cause, path);
  }
}

/** Makes the names in folders durable. */
export async function syncFolders(folders: Iterable<string>): Promise<void> {
  for (const folder of folders) {
    await syncFolder(systemFiles, folder).catch((cause) => {
      throw storageError(cause, folder);
    });
  }
}
