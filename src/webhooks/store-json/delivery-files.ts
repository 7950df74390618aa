import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import { systemClock } from '../../base/clock.js';
import { writeAll } from '../../base/files/durable-write.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { isExisting, isMissing, storageError } from '../../base/files/storage-errors.js';

export interface DeliveryFile {
  readonly files: FileLayer;
  /** On the same file system as `path`. */
  readonly temporaryFolder: string;
  readonly path: string;
  readonly content: string;
  /** Whether the content has to be durable, which takes an fsync. */
  readonly lasting: boolean;
}

/**
 * Creates a file with all its content, or gives false where it exists already. The name is
 * durable once its folder has been synced, which is left to the caller so that many share one fsync.
 */
export async function createWhole(file: DeliveryFile): Promise<boolean> {
  const { files, path } = file;
  try {
    const temporary = await writeTemporary(file);
    try {
      await files.link(temporary, path);
      return true;
    } catch (error) {
      if (isExisting(error)) return false;
      throw error;
    } finally {
      await files.unlink(temporary).catch(() => {});
    }
  } catch (cause) {
    throw storageError(cause, path);
  }
}

/** Replaces a file in one step; about its folder the same holds as for `createWhole`. */
export async function replaceWhole(file: DeliveryFile): Promise<void> {
  const { files, path } = file;
  try {
    const temporary = await writeTemporary(file);
    await files.rename(temporary, path).catch(async (error) => {
      await files.unlink(temporary).catch(() => {});
      throw error;
    });
  } catch (cause) {
    throw storageError(cause, path);
  }
}

/** Where and what to add to a file. */
export interface Addition extends Omit<DeliveryFile, 'temporaryFolder'> {
  /** Bytes of the file that count; what a failed addition left behind them is written over. */
  readonly position: number;
}

/** Adds to a file, or gives false where there is none. */
export async function addToFile(addition: Addition): Promise<boolean> {
  const { files, path, content, lasting, position } = addition;
  try {
    const handle = await files.open(path, 'r+');
    try {
      await writeAll(handle, Buffer.from(content), position);
      if (lasting) await handle.sync();
    } finally {
      await handle.close();
    }
    return true;
  } catch (cause) {
    if (isMissing(cause)) return false;
    throw storageError(cause, path);
  }
}

async function writeTemporary(file: DeliveryFile): Promise<string> {
  const { files, temporaryFolder, path, content, lasting } = file;
  const name = `${basename(path)}.${process.pid}-${randomBytes(6).toString('hex')}.tmp`;
  const temporary = join(temporaryFolder, name);
  const handle = await files.open(temporary, 'wx', 0o600);
  try {
    await writeAll(handle, Buffer.from(content), 0);
    if (lasting) await handle.sync();
    await handle.close();
    return temporary;
  } catch (error) {
    await handle.close().catch(() => {});
    await files.unlink(temporary).catch(() => {});
    throw error;
  }
}

/** A temporary file lives for milliseconds; an older one belongs to a process that died. */
const temporaryLifeMs = 60_000;

/** Removes what processes that died were writing. */
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

/** The names in a folder; none where there is no such folder. */
export async function namesIn(files: FileLayer, folder: string): Promise<string[]> {
  try {
    return await files.readdir(folder);
  } catch (cause) {
    if (isMissing(cause)) return [];
    throw storageError(cause, folder);
  }
}

/** Whether there is a file. */
export async function exists(files: FileLayer, path: string): Promise<boolean> {
  try {
    await files.stat(path);
    return true;
  } catch (cause) {
    if (isMissing(cause)) return false;
    throw storageError(cause, path);
  }
}
