import { basename, dirname, join } from 'node:path';
import { AppError } from '../errors.js';
import { type FileLayer, type OpenFile, systemFiles } from './file-layer.js';
import { ignoreMissing, isExisting, isMissing, storageError } from './storage-errors.js';

/** Writes all bytes at a position. After a short write, as on a nearly full disk, it continues or fails. */
export async function writeAll(file: OpenFile, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    if (bytesWritten === 0) throw Object.assign(new Error('Nothing was written'), { code: 'EIO' });
    done += bytesWritten;
  }
}

/** Opens a file, runs `work`, and closes the file. Throws the system's I/O errors. */
export async function withFile<Result>(
  files: FileLayer,
  path: string,
  flags: string,
  work: (file: OpenFile) => Promise<Result>,
): Promise<Result> {
  const file = await files.open(path, flags);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/**
 * Makes name changes in a folder (created, renamed, removed files) survive a power cut. Throws `storage_unavailable` if
 * that fails.
 */
export async function syncFolder(files: FileLayer, folder: string): Promise<void> {
  // Windows cannot open folders, and its file systems journal name changes.
  if (process.platform === 'win32') return;
  try {
    await withFile(files, folder, 'r', (handle) => handle.sync());
  } catch (cause) {
    throw storageError(cause, folder);
  }
}

/**
 * Creates a folder and its parents so that they survive a power cut. Does nothing if the folder exists. Only this user
 * may enter new folders, because they contain sessions, phone numbers and messages.
 */
export async function ensureFolder(files: FileLayer, folder: string): Promise<void> {
  try {
    const first = await files.mkdir(folder, { recursive: true, mode: 0o700 });
    if (first === undefined) return;
    for (let path = folder; ; path = dirname(path)) {
      await syncFolder(files, dirname(path));
      if (path === first || path === dirname(path)) return;
    }
  } catch (cause) {
    throw storageError(cause, folder);
  }
}

export interface ReplaceOptions {
  readonly files?: FileLayer;
  /** File mode. By default, only this user may read the file. */
  readonly mode?: number;
  /** Folder of the temporary file, on the same file system. By default, the folder of the file. */
  readonly temporaryFolder?: string;
  /** Makes the names in the file's folder durable. By default, `syncFolder`. */
  sync?(folder: string): Promise<void>;
}

type Chunks = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/**
 * Replaces a file atomically: at any moment, even after a power cut, it has either the old content or all of the new
 * content. Writes a temporary file, syncs it, renames it, and syncs the folder. Throws `storage_unavailable` for I/O
 * errors, which leave the old content in place.
 */
export async function replaceFile(
  path: string,
  content: string | Chunks,
  options: ReplaceOptions = {},
): Promise<void> {
  await writeWhole(path, content, options, async (files, temporary) => {
    await files.rename(temporary, path);
    return true;
  });
}

/**
 * Creates a file with all its content, or returns false and changes nothing if the file exists. If several processes
 * call it concurrently, it returns true in exactly one of them. The file is durable once the promise resolves.
 */
export function createFile(
  path: string,
  content: string | Chunks,
  options: ReplaceOptions = {},
): Promise<boolean> {
  return writeWhole(path, content, options, async (files, temporary) => {
    const isNew = await linkNew(files, temporary, path);
    await files.unlink(temporary).catch(() => {});
    return isNew;
  });
}

/** Writes a temporary file, which `giveName` renames to `path`. Returns false if `giveName` returns false. */
async function writeWhole(
  path: string,
  content: string | Chunks,
  options: ReplaceOptions,
  giveName: (files: FileLayer, temporary: string) => Promise<boolean>,
): Promise<boolean> {
  const { files = systemFiles, sync = (folder) => syncFolder(files, folder) } = options;
  try {
    const temporary = await writeTemporary(path, content, options);
    try {
      if (!(await giveName(files, temporary))) return false;
    } catch (error) {
      await files.unlink(temporary).catch(() => {});
      throw error;
    }
    await sync(dirname(path));
    return true;
  } catch (cause) {
    throw storageError(cause, path);
  }
}

/** Creates a hard link. Returns false if `path` exists. Of several concurrent calls, exactly one returns true. */
export async function linkNew(files: FileLayer, existing: string, path: string): Promise<boolean> {
  try {
    await files.link(existing, path);
    return true;
  } catch (error) {
    if (isExisting(error)) return false;
    throw error;
  }
}

/** Returns a unique path for a file that will be renamed to `path`. */
export function temporaryPath(path: string, folder = dirname(path)): string {
  const unique = crypto.randomUUID().slice(0, 13);
  return join(folder, `${basename(path)}.${process.pid}-${unique}.tmp`);
}

async function writeTemporary(
  path: string,
  content: string | Chunks,
  { files = systemFiles, mode, temporaryFolder }: ReplaceOptions,
): Promise<string> {
  const temporary = temporaryPath(path, temporaryFolder);
  const handle = await files.open(temporary, 'wx', mode);
  try {
    await writeChunks(handle, typeof content === 'string' ? [content] : content);
    await handle.sync();
    await handle.close();
    return temporary;
  } catch (error) {
    await handle.close().catch(() => {});
    await files.unlink(temporary).catch(() => {});
    throw error;
  }
}

async function writeChunks(handle: OpenFile, chunks: Chunks): Promise<void> {
  let position = 0;
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    await writeAll(handle, bytes, position);
    position += bytes.length;
  }
}

/** Returns the text of a file, or undefined if it does not exist. Throws `storage_unavailable` for I/O errors. */
export async function readTextFile(files: FileLayer, path: string): Promise<string | undefined> {
  return (await readBytes(files, path))?.toString('utf8');
}

/** Returns the bytes of a file, or undefined if it does not exist. Throws `storage_unavailable` for I/O errors. */
export async function readBytes(files: FileLayer, path: string): Promise<Buffer | undefined> {
  try {
    return await withFile(files, path, 'r', async (file) => {
      const { size } = await file.stat();
      return readAt(file, 0, size);
    });
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw storageError(cause, path);
  }
}

/** Returns `length` bytes from `position`, or fewer at the end of the file. */
export async function readAt(file: OpenFile, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

/** Removes a file if it exists. */
export async function removeFile(files: FileLayer, path: string): Promise<void> {
  try {
    await files.unlink(path).catch(ignoreMissing);
  } catch (cause) {
    throw storageError(cause, path);
  }
}

/** Removes a folder and its content if it exists. */
export async function removeFolder(files: FileLayer, path: string): Promise<void> {
  try {
    await files.rm(path, { recursive: true, force: true });
  } catch (cause) {
    throw storageError(cause, path);
  }
}

/** Returns the sorted names in a folder, or an empty list if the folder does not exist. */
export async function listFolder(files: FileLayer, folder: string): Promise<string[]> {
  try {
    return (await files.readdir(folder)).sort();
  } catch (cause) {
    if (isMissing(cause)) return [];
    throw storageError(cause, folder);
  }
}

/**
 * Creates folders on demand. Nothing is moved into a folder before the folder's own name is on disk, because a power
 * cut would remove both. This includes folders that another task or process has just created.
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
    /** Runs `work` in a folder. Creates the folder if it does not exist or is removed in the meantime. */
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
