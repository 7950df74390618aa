import { channel } from 'node:diagnostics_channel';
import { AppError, systemErrorCode } from '../errors.js';

/** What a system error says in words, and what whoever runs the service does about it. */
interface Cause {
  readonly reason: string;
  readonly remedy: string;
}

const full = 'Free space on the disk; the service recovers on its own.';
const permissions =
  'Fix the permissions: this user must be allowed to read and write there. The service recovers on its own.';
const files = 'Raise the limit of open files (ulimit -n) and start again.';

const causes: Readonly<Record<string, Cause>> = {
  ENOSPC: { reason: 'the disk is full', remedy: full },
  EDQUOT: { reason: 'the disk quota is used up', remedy: full },
  EROFS: {
    reason: 'the disk is read-only',
    remedy: 'Make it writable, or choose another folder with --data.',
  },
  EACCES: { reason: 'access is denied', remedy: permissions },
  EPERM: { reason: 'access is denied', remedy: permissions },
  EIO: {
    reason: 'the disk reported an error',
    remedy: 'Fix the disk; the service recovers on its own.',
  },
  EMFILE: { reason: 'too many files are open', remedy: files },
  ENFILE: { reason: 'too many files are open', remedy: files },
  ENOENT: {
    reason: 'a file or folder is missing',
    remedy: 'See whether the folder of the data is still there; the service recovers on its own.',
  },
};

const otherwise: Cause = {
  reason: 'the disk could not be used',
  remedy: 'Fix the disk; the service recovers on its own.',
};

/** Says of every disk access that failed where that was, to those who count them. */
export const diskFailures = channel('msgsite:disk-failure');

/** What is said there. */
export interface DiskFailure {
  readonly path: string;
}

/**
 * What a failed disk access becomes: `storage_unavailable` (503). The message names no path, because
 * HTTP clients see it; the hint and the cause do.
 */
export function storageError(cause: unknown, path: string): AppError {
  if (cause instanceof AppError) return cause;
  diskFailures.publish({ path } satisfies DiskFailure);
  const code = systemErrorCode(cause) ?? 'Error';
  const { reason, remedy } = causes[code] ?? otherwise;
  return new AppError('storage_unavailable', `The data could not be stored or read: ${reason}.`, {
    hint: `${code} at ${path}. ${remedy}`,
    headers: { 'Retry-After': '5' },
    cause,
  });
}

/** Codes that say that a path can be no folder, whatever is done about the disk. */
const noFolder: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file',
  ENOTDIR: 'it is a file, or lies in one',
  ENOENT: 'no folder can be made there',
  ELOOP: 'its symbolic links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
};

/**
 * Why a folder that the operator named cannot be used: `configuration` (exit code 2) where it can be
 * none, `storage_unavailable` (1) where a disk or its permissions prevent it.
 */
export function folderError(cause: unknown, folder: string): AppError {
  const code = systemErrorCode(cause instanceof AppError ? cause.cause : cause);
  if (code === undefined) return storageError(cause, folder);
  const impossible = noFolder[code];
  const { reason, remedy } = causes[code] ?? otherwise;
  const message = `The data folder ${folder} cannot be used: ${impossible ?? reason} (${code}).`;
  return new AppError(impossible ? 'configuration' : 'storage_unavailable', message, {
    hint: impossible ? 'Choose another one with --data.' : remedy,
    cause,
  });
}

/** A file whose content cannot be trusted: `data_damaged`, naming where. */
export function damaged(path: string, where: string, what: string, cause?: unknown): AppError {
  return new AppError('data_damaged', `${path}, ${where}: ${what}.`, {
    hint: 'Run msgsite data check to see every fault, and msgsite data check --repair to put it right.',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** True for the system error that says "there is no such file". */
export function isMissing(error: unknown): boolean {
  return systemErrorCode(error) === 'ENOENT';
}

/** Lets "there is no such file" pass; other errors are rethrown. */
export function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

/** True for the system error that says "it is already there". */
export function isExisting(error: unknown): boolean {
  return systemErrorCode(error) === 'EEXIST';
}
