import type { FileHandle } from 'node:fs/promises';
import * as promises from 'node:fs/promises';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemErrorCode } from '../errors.js';

/** The part of an open file that the storage uses. */
export type OpenFile = Pick<
  FileHandle,
  'read' | 'write' | 'truncate' | 'sync' | 'datasync' | 'stat' | 'close'
>;

/**
 * The storage accesses the disk only through this interface, so that tests can make any single step fail (disk full,
 * I/O error, short write). Its methods are those of node:fs/promises, the real implementation.
 */
export interface FileLayer {
  open(path: string, flags: string, mode?: number): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  link(existing: string, path: string): Promise<void>;
  unlink(path: string): Promise<void>;
  mkdir(path: string, options: { recursive: true; mode: number }): Promise<string | undefined>;
  readdir(path: string): Promise<string[]>;
  rm(path: string, options: { recursive: true; force: true }): Promise<void>;
  stat(
    path: string,
  ): Promise<{ size: number; ino: number; mtimeMs: number; isDirectory(): boolean }>;
  utimes(path: string, accessed: Date, modified: Date): Promise<void>;
}

/** Only this user may read the files, because they contain messages, phone numbers and sessions. */
const ownMode = 0o600;

/** The files of this machine. Only this user may read new files, even in a folder that others may enter. */
export const systemFiles: FileLayer = {
  ...promises,
  mkdir: makeFolders,
  open: (path, flags, mode = ownMode) => promises.open(path, flags, mode),
};

/**
 * Creates a folder and its missing parents. Returns the first one that it created, or undefined if all existed.
 *
 * The `recursive` option of Node.js never returns on a file system that cannot create folders, such as /proc. Such a
 * file system reports that the new name does not exist, and Node.js endlessly recreates the existing parent.
 */
export async function makeFolders(
  path: string,
  options: { readonly mode: number },
): Promise<string | undefined> {
  const made = await makeOne(path, options.mode);
  if (made !== 'no parent') return made ? path : undefined;
  const parent = dirname(path);
  const first = parent === path ? undefined : await makeFolders(parent, options);
  if ((await makeOne(path, options.mode)) === 'no parent') {
    throw Object.assign(new Error(`No folder can be created at ${path}`), { code: 'ENOENT', path });
  }
  return first ?? path;
}

/** Returns true if it created the folder, and false if the folder existed. */
async function makeOne(path: string, mode: number): Promise<boolean | 'no parent'> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return 'no parent';
    // A read-only disk and the root of a drive may report other errors for a folder that exists.
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory()) return false;
    throw error;
  }
}
