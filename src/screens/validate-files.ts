import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemErrorCode } from '../errors.js';
import { checkScreen } from './check.js';
import type { FileReport, Finding } from './findings.js';
import { withoutMark } from './parse.js';
import type { LintOptions } from './rules/lint.js';

/** How files are checked. */
export interface CheckOptions {
  readonly cwd: string;
  readonly lint: LintOptions;
  /** Cores that may be kept busy. */
  readonly cores: number;
}

/** No definition comes near this many bytes; more is a file of another kind, and is not loaded. */
const largestFile = 64 * 1024 * 1024;

/**
 * Checks one file. What keeps it from being read is a finding like any other. It is read at once:
 * the files are small, one run does nothing else, and a detour costs more than the reading.
 */
export async function validateFile(
  file: string,
  cwd: string,
  options: LintOptions,
): Promise<FileReport> {
  const path = resolve(cwd, file);
  try {
    const bytes = readWhole(path);
    if (bytes === undefined) return unreadable(file, 'it is larger than 64 MB');
    return await validateBytes(file, bytes, options);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    return unreadable(file, reasons[code] ?? `the system says ${code}`);
  }
}

/** The bytes of a file, or undefined where there are too many. */
function readWhole(path: string): Buffer | undefined {
  const descriptor = openSync(path, 'r');
  try {
    return fstatSync(descriptor).size > largestFile ? undefined : readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ELOOP: 'its symbolic links lead in a circle',
};

/** Checks the bytes of one file. */
export async function validateBytes(
  file: string,
  bytes: Buffer,
  options: LintOptions,
): Promise<FileReport> {
  if (!isUtf8(bytes)) {
    const message = 'The file is not UTF-8. Save it in that encoding.';
    return { file, findings: [whole('encoding', message)], readable: true };
  }
  const text = withoutMark(bytes.toString('utf8'));
  return { file, findings: await checkScreen(text, options), readable: true };
}

function unreadable(file: string, reason: string): FileReport {
  const message = `The file cannot be read: ${reason}.`;
  return { file, findings: [whole('unreadable', message)], readable: false };
}

/** A finding about the file as a whole. */
function whole(rule: string, message: string): Finding {
  return {
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
}
