import { channel } from 'node:diagnostics_channel';
import { AppError, systemErrorCode } from '../errors.js';

/** The reason for a system error, and what the operator can do about it. */
interface Cause {
  readonly reason: string;
  readonly remedy: string;
}

const full = 'Free space on the disk. The service recovers automatically.';
const permissions =
  'Fix the permissions: this user must be allowed to read and write there. The service recovers automatically.';
const files = 'Raise the limit of open files (ulimit -n) and restart.';

const causes: Readonly<Record<string, Cause>> = {
  ENOSPC: { reason: 'the disk is full', remedy: full },
  EDQUOT: { reason: 'the disk quota is exceeded', remedy: full },
  EROFS: {
    reason: 'the disk is read-only',
    remedy: 'Make it writable, or choose another folder with --data.',
  },
  EACCES: { reason: 'access is denied', remedy: permissions },
  EPERM: { reason: 'access is denied', remedy: permissions },
  EIO: {
    reason: 'the disk reported an error',
    remedy: 'Fix the disk. The service recovers automatically.',
  },
  EMFILE: { reason: 'too many files are open', remedy: files },
  ENFILE: { reason: 'too many files are open', remedy: files },
  ENOENT: {
    reason: 'a file or folder is missing',
    remedy: 'Check that the data folder still exists. The service recovers automatically.',
  },
};

const defaultCause: Cause = {
  reason: 'the disk could not be used',
  remedy: 'Fix the disk. The service recovers automatically.',
};

/** Publishes every failed disk access for the metrics. */
export const diskFailures = channel('msgsite:disk-failure');

/** A message of `diskFailures`. */
export interface DiskFailure {
  readonly path: string;
}

/**
 * Returns `storage_unavailable` (503) for a failed disk access. The hint and the cause contain the path. The message
 * does not, because it is sent to HTTP clients.
 */
export function storageError(cause: unknown, path: string): AppError {
  if (cause instanceof AppError) return cause;
  diskFailures.publish({ path } satisfies DiskFailure);
  const code = systemErrorCode(cause) ?? 'Error';
  const { reason, remedy } = causes[code] ?? defaultCause;
  return new AppError('storage_unavailable', `The data could not be stored or read: ${reason}.`, {
    hint: `${code} at ${path}. ${remedy}`,
    headers: { 'Retry-After': '5' },
    cause,
  });
}

/** Error codes of paths that cannot be a folder, regardless of the state of the disk. */
const noFolder: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file',
  ENOTDIR: 'it is a file, or a part of its path is one',
  ENOENT: 'no folder can be created there',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'its name is too long',
};

/**
 * Returns the error for a folder that cannot be used: `configuration` (exit code 2) if the path cannot be a folder, or
 * `storage_unavailable` (exit code 1) if the disk or its permissions prevent access.
 */
export function folderError(cause: unknown, folder: string): AppError {
  const code = systemErrorCode(cause instanceof AppError ? cause.cause : cause);
  if (code === undefined) return storageError(cause, folder);
  const impossible = noFolder[code];
  const { reason, remedy } = causes[code] ?? defaultCause;
  const message = `The data folder ${folder} cannot be used: ${impossible ?? reason} (${code}).`;
  return new AppError(impossible ? 'configuration' : 'storage_unavailable', message, {
    hint: impossible ? 'Choose another one with --data.' : remedy,
    cause,
  });
}

/** Returns `data_damaged` for a file whose content cannot be trusted. */
export function damaged(path: string, where: string, what: string, cause?: unknown): AppError {
  return new AppError('data_damaged', `${path}, ${where}: ${what}.`, {
    hint: 'Run msgsite data check to list all damage, and msgsite data check --repair to repair it.',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Returns whether a system error means that a file does not exist. */
export function isMissing(error: unknown): boolean {
  return systemErrorCode(error) === 'ENOENT';
}

/** Ignores the error that a file does not exist. Rethrows other errors. */
export function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

/** Returns whether a system error means that a file already exists. */
export function isExisting(error: unknown): boolean {
  return systemErrorCode(error) === 'EEXIST';
}
