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

interface Surroundings {
  /** Folder that relative names refer to. */
  readonly cwd: string;
  /** Source for the name `-`. */
  readonly stdin: Readable;
  /** Size limit, in bytes. */
  readonly maxBytes: number;
  /** Interrupts the check of a large definition. */
  readonly signal: AbortSignal;
}

/**
 * Reads and parses a definition from a file, or from stdin for `-`, in order to render it. Throws `unreadable_input` if
 * it cannot be read, `bad_request` with all errors if it violates the contract, and `interrupted`.
 */
export async function readDefinitionFile(file: string, around: Surroundings): Promise<unknown> {
  const bytes = await readBytes(file, around);
  const report = await checkInterruptibly({ file, bytes, lint: {} }, around.signal);
  if (report === undefined) throw new AppError('interrupted', 'The check was interrupted.');
  if (report.counts.errors === 0) return JSON.parse(withoutMark(bytes.toString('utf8')));
  const errors = report.findings.filter(({ severity }) => severity === 'error').slice(0, maxErrors);
  const more = report.counts.errors - errors.length;
  const details = errors.map((error) => ({ path: placeOf(file, error), message: error.message }));
  const rest = more > 0 ? [{ path: '', message: `and ${more} more errors` }] : [];
  throw new AppError('bad_request', `${nameOf(file)} violates the screen contract.`, {
    details: [...details, ...rest],
    hint: `msgsite validate-screen ${escapeForeign(file)} shows the source lines and all warnings.`,
  });
}

/** The most errors of a definition that `render-screen` reports. */
const maxErrors = 100;

async function readBytes(file: string, { cwd, stdin, maxBytes }: Surroundings): Promise<Buffer> {
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

function placeOf(file: string, { line, column, path }: Finding): string {
  const name = file === '-' ? 'stdin' : file;
  return `${name}:${line}:${column}${path ? ` ${path}` : ''}`;
}
