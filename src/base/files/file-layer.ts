import type { FileHandle } from 'node:fs/promises';
import * as promises from 'node:fs/promises';
import { makeFolders } from './make-folders.js';

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
