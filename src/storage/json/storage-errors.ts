import { AppError, systemErrorCode } from '../../errors.js';

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  EIO: 'the disk reported an error',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
};

/**
 * What a failed disk access becomes: `storage_unavailable` (503). The message names no path, because
 * HTTP clients see it; the hint and the cause do.
 */
export function storageError(cause: unknown, path: string): AppError {
  if (cause instanceof AppError) return cause;
  const code = systemErrorCode(cause);
  const reason = (code && reasons[code]) ?? 'the disk could not be used';
  return new AppError('storage_unavailable', `The data could not be stored or read: ${reason}.`, {
    hint: `${code ?? 'Error'} at ${path}. Free space or mend the disk; it goes on by itself then.`,
    headers: { 'Retry-After': '5' },
    cause,
  });
}

/** A file whose content cannot be trusted: `data_damaged`, naming the place. */
export function damaged(path: string, place: string, what: string, cause?: unknown): AppError {
  return new AppError('data_damaged', `${path}, ${place}: ${what}.`, {
    hint: 'Run msgsite data check to see every fault; restore the file from a backup or mend it.',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** True for the system error that says "there is no such file". */
export function isMissing(error: unknown): boolean {
  return systemErrorCode(error) === 'ENOENT';
}

/** True for the system error that says "it is already there". */
export function isExisting(error: unknown): boolean {
  return systemErrorCode(error) === 'EEXIST';
}
