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
 * Every access to the disk goes through this seam, so that tests can make any single step fail
 * (disk full, I/O error, short write). Shaped like node:fs/promises, which is the real one.
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

/** Of this user alone: the files hold messages, phone numbers and sessions. */
const ownMode = 0o600;

/** The machine's own files. New ones are for nobody else, also in a folder that others may enter. */
export const systemFiles: FileLayer = {
  ...promises,
  mkdir: makeFolders,
  open: (path, flags, mode = ownMode) => promises.open(path, flags, mode),
};

/**
 * Makes a folder and the parents that it lacks; gives the first one made, undefined where all were there.
 *
 * Node.js's own `recursive` never ends where a file system takes no folders (/proc says that the new name
 * does not exist): it makes the parent, which is there, and tries again, for ever.
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
    throw Object.assign(new Error(`No folder can be made at ${path}`), { code: 'ENOENT', path });
  }
  return first ?? path;
}

/** True where the folder was made, false where it was there already. */
async function makeOne(path: string, mode: number): Promise<boolean | 'no parent'> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return 'no parent';
    // A read-only disk may say so of a folder that is there, and so may the root of a drive.
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory()) return false;
    throw error;
  }
}
