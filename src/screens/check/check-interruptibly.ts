import type { LintOptions } from '../rules/lint.js';
import type { FileReport } from './findings.js';
import { type CheckOptions, readDefinition, validateBytes } from './validate-files.js';

/**
 * A file of so many bytes takes up to a tenth of a second. Larger ones are checked in a process of their
 * own: it can be ended in the middle, while this one hears no signal as long as it works.
 */
const largeFile = 512 * 1024;

/** Checks a file here; undefined where it is large, and has to be checked apart. */
export async function checkUnlessLarge(
  file: string,
  options: CheckOptions,
): Promise<FileReport | undefined> {
  const read = readDefinition(file, options);
  if (read.bytes === undefined) return read.report;
  return read.bytes.length < largeFile ? validateBytes(file, read.bytes, options.lint) : undefined;
}

/** Checks a file so that an interruption is heard at any time; undefined when it was. */
export async function checkInterruptibly(
  file: string,
  options: CheckOptions,
  signal: AbortSignal,
): Promise<FileReport | undefined> {
  const read = readDefinition(file, options);
  return read.bytes ? checkBytesInterruptibly(file, read.bytes, options.lint, signal) : read.report;
}

/** The same for bytes that have been read. */
export async function checkBytesInterruptibly(
  file: string,
  bytes: Buffer,
  lint: LintOptions,
  signal: AbortSignal,
): Promise<FileReport | undefined> {
  if (bytes.length < largeFile) return validateBytes(file, bytes, lint);
  const { checkApart } = await import('./check-apart.js');
  return checkApart({ file, bytes, lint }, signal);
}
