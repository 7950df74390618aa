import { isUtf8 } from 'node:buffer';
import { resolve } from 'node:path';
import { readRegularFile, UnreadableInput } from '../../base/files/input-file.js';
import type { LintOptions } from '../rules/lint.js';
import { withoutMark } from '../text/parse.js';
import { checkScreen } from './check.js';
import type { FileReport, Finding } from './findings.js';

/** How files are checked. */
export interface CheckOptions {
  readonly cwd: string;
  readonly lint: LintOptions;
  /** Larger files are not read, in bytes. */
  readonly mostBytes: number;
}

/** The bytes of a file, or the report that it cannot be read: a finding like any other. */
export type FileBytes =
  | { readonly bytes: Buffer }
  | { readonly bytes?: undefined; readonly report: FileReport };

/** Reads one file at once: most are small, and a detour costs more than the reading. */
export function readDefinition(file: string, { cwd, mostBytes }: CheckOptions): FileBytes {
  try {
    return { bytes: readRegularFile(resolve(cwd, file), mostBytes) };
  } catch (error) {
    if (!(error instanceof UnreadableInput)) throw error;
    const message = `The file cannot be read: ${error.reason}.`;
    const report = wholeFile(file, 'unreadable', message);
    return { report: { ...report, readable: false } };
  }
}

/** Checks the bytes of one file. Never throws: a check that fails is a finding like any other. */
export async function validateBytes(
  file: string,
  bytes: Uint8Array,
  options: LintOptions,
): Promise<FileReport> {
  if (!isUtf8(bytes)) {
    return wholeFile(file, 'encoding', 'The file is not UTF-8. Save it in that encoding.');
  }
  try {
    const text = withoutMark(textOf(bytes));
    return { file, ...(await checkScreen(text, options, file)), readable: true };
  } catch (error) {
    return unchecked(file, error instanceof Error ? error.message : String(error));
  }
}

/** The report of a file whose check failed, for whatever reason: the others are checked all the same. */
export function unchecked(file: string, reason: string): FileReport {
  return wholeFile(file, 'unchecked', `The file cannot be checked: ${reason.replace(/\.$/, '')}.`);
}

/** What another thread hands over is no Buffer any more. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/** The report of one error about the file as a whole. */
function wholeFile(file: string, rule: string, message: string): FileReport {
  const finding: Finding = {
    rule,
    severity: 'error',
    path: '',
    message,
    place: 'the whole file',
    line: 1,
    column: 1,
    endLine: 1,
    endColumn: 1,
    frame: [],
  };
  const counts = { errors: 1, warnings: 0, infos: 0 };
  return { file, findings: [finding], counts, readable: true };
}
