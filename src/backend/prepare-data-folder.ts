import { ensureFolder } from '../storage/json/durable-write.js';
import { systemFiles } from '../storage/json/file-layer.js';
import { folderError } from '../storage/json/storage-errors.js';

/** Makes the data folder where there is none; tells whether it was empty. Throws as `folderError` says. */
export async function prepareDataFolder(folder: string): Promise<boolean> {
  try {
    await ensureFolder(systemFiles, folder);
    return (await systemFiles.readdir(folder)).length === 0;
  } catch (cause) {
    throw folderError(cause, folder);
  }
}
