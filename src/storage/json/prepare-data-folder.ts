import { ensureFolder } from '../../base/files/durable-write.js';
import { systemFiles } from '../../base/files/file-layer.js';
import { folderError } from '../../base/files/storage-errors.js';

/** Makes the data folder where there is none; tells whether it was empty. Throws as `folderError` says. */
export async function prepareDataFolder(folder: string): Promise<boolean> {
  try {
    await ensureFolder(systemFiles, folder);
    return (await systemFiles.readdir(folder)).length === 0;
  } catch (cause) {
    throw folderError(cause, folder);
  }
}
