import { access, constants, stat } from 'node:fs/promises';
import { AppError } from '../../base/errors.js';
import { readRegularFile, UnreadableInput, unreadable } from '../../base/files/input-file.js';
import { writeOutputFile } from '../../base/files/output-file.js';
import type { FileContent } from './check-file.js';
import { checkInterruptibly } from './check-interruptibly.js';
import type { FileReport } from './findings.js';
import { mendText } from './mend.js';

/** What came of mending the content of one file. */
export interface MendedContent {
  /** Of what is left. */
  readonly report: FileReport;
  /** Findings that were mended. */
  readonly fixed: number;
  readonly before: string;
  readonly after: string;
}

/** The most findings that one round of `--fix` considers. */
const mostInOneRound = 20_000;

/** Mends what has one right answer in the content of a file; undefined when it was interrupted. */
export async function mendContent(
  { file, bytes, lint }: FileContent,
  signal: AbortSignal,
): Promise<MendedContent | undefined> {
  const before = Buffer.from(bytes).toString('utf8');
  const options = { ...lint, most: mostInOneRound };
  const recheck = (text: string): Promise<FileReport | undefined> =>
    checkInterruptibly({ file, bytes: Buffer.from(text), lint: options }, signal);
  const { text: after, fixed, checked } = await mendText(before, recheck);
  if (checked === undefined || signal.aborted) return undefined;
  return { report: { file, readable: true, ...checked }, fixed, before, after };
}

/** Whether something in a file can be mended. */
export function canBeMended({ findings }: FileReport): boolean {
  return findings.some(({ fix }) => fix !== undefined);
}

/**
 * Writes a mended file in one step; a link to it stays one. Refuses, as `refused`, a file that may not be
 * written, or that somebody has changed meanwhile.
 */
export async function writeMended(
  path: string,
  { before, after }: Pick<MendedContent, 'before' | 'after'>,
): Promise<void> {
  const { mode } = await stat(path).catch(gone(path));
  const isWritable = await access(path, constants.W_OK).then(
    () => (mode & anyoneWrites) !== 0,
    () => false,
  );
  if (!isWritable) throw notMended(path, 'it may not be written');
  if (contentOf(path) !== before) throw notMended(path, 'it has changed meanwhile');
  await writeOutputFile(path, after);
}

/** A file that its owner has made read-only can still be replaced by another one, and must not be. */
const anyoneWrites = 0o222;

function contentOf(path: string): string {
  try {
    return readRegularFile(path, Number.POSITIVE_INFINITY).toString('utf8');
  } catch (error) {
    throw error instanceof UnreadableInput ? unreadable(path, error) : error;
  }
}

function gone(path: string): () => never {
  return () => {
    throw notMended(path, 'it is not there any more');
  };
}

function notMended(path: string, reason: string): AppError {
  return new AppError('refused', `${path} cannot be mended: ${reason}.`);
}
