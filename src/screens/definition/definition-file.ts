import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '../../base/errors.js';
import {
  readInputStream,
  readRegularFile,
  UnreadableInput,
  unreadable,
} from '../../base/files/input-file.js';
import { escapeForeign } from '../../base/foreign-text.js';
import { withoutMark } from '../../json/strict-parse.js';
import { checkInterruptibly } from '../check/check-file.js';
import type { Finding } from '../findings/finding.js';

interface ReadOptions {
  /** Folder against which relative paths are resolved. */
  readonly cwd: string;
  /** Stream that is read if the name is `-`. */
  readonly stdin: Readable;
  /** Size limit, in bytes. */
  readonly maxBytes: number;
  /** Interrupts the check of a large definition. */
  readonly signal: AbortSignal;
}

/**
 * Reads, checks and parses a definition from a file, or from stdin for `-`. Throws `unreadable_input` if it cannot be
 * read, `bad_request` with up to 100 errors if it violates the contract, and `interrupted` if the signal aborts.
 */
export async function readDefinitionFile(file: string, options: ReadOptions): Promise<unknown> {
  const bytes = await readBytes(file, options);
  const report = await checkInterruptibly({ file, bytes, lint: {} }, options.signal);
  if (report === undefined) throw new AppError('interrupted', 'The check was interrupted.');
  if (report.counts.errors === 0) return JSON.parse(withoutMark(bytes.toString('utf8')));
  const errors = report.findings.filter(({ severity }) => severity === 'error').slice(0, maxErrors);
  const more = report.counts.errors - errors.length;
  const details = errors.map((error) => ({
    path: locationOf(file, error),
    message: error.message,
  }));
  const rest = more > 0 ? [{ path: '', message: `and ${more} more` }] : [];
  throw new AppError('bad_request', `${nameOf(file)} violates the screen contract.`, {
    details: [...details, ...rest],
    hint: `Run msgsite validate-screen ${escapeForeign(file)} to see the source lines and all warnings.`,
  });
}

/** Maximum number of errors that `render-screen` reports for one definition. */
const maxErrors = 100;

async function readBytes(file: string, { cwd, stdin, maxBytes }: ReadOptions): Promise<Buffer> {
  try {
    if (file === '-') return await readInputStream(stdin, maxBytes);
    return readRegularFile(resolve(cwd, file), maxBytes);
  } catch (error) {
    if (!(error instanceof UnreadableInput)) throw error;
    throw unreadable(file === '-' ? 'Standard input' : file, error);
  }
}

function nameOf(file: string): string {
  return file === '-' ? 'The definition' : file;
}

function locationOf(file: string, { line, column, path }: Finding): string {
  const name = file === '-' ? 'stdin' : file;
  return `${name}:${line}:${column}${path ? ` ${path}` : ''}`;
}
