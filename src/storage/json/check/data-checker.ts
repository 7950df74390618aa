import { dirname, join, relative } from 'node:path';
import type { Clock } from '../../../base/clock.js';
import { AppError } from '../../../base/errors.js';
import {
  createFile,
  ensureFolder,
  readBytes,
  removeFile,
  syncFolder,
} from '../../../base/files/durable-write.js';
import type { FileLayer } from '../../../base/files/file-layer.js';
import { bytesOf, type Line } from '../lines/lines.js';

/** The location of a finding. */
export interface Place {
  readonly file: string;
  /** Counted from 1; undefined for the whole file. */
  readonly line?: number;
}

/** A fault (`error`), or something that the next start repairs automatically (`note`). */
export interface Finding extends Place {
  readonly severity: 'error' | 'note';
  readonly message: string;
  /** How to fix it. */
  readonly advice: string;
}

/** Receives a finding and, if a line is damaged, the bytes of the line in the file. */
export type Report = (finding: Finding, bytes?: Buffer) => void;

/** A change that a repair made to a file, as a sentence. */
export interface RepairStep extends Place {
  readonly message: string;
}

export interface Repair {
  readonly clock: Clock;
  /** Called after each change. */
  tell(done: RepairStep): void;
}

/** A feature's part of `msgsite data check`; `data` is the data folder. */
export interface DataChecker {
  readonly name: string;
  /** Reads the feature's files and reports findings; changes nothing. */
  check(data: string, report: Report): Promise<void>;
  /**
   * Sets aside damaged parts of a folder that no process uses, and restores what it can. May be repeated after an
   * interruption, and changes nothing if there is no damage.
   */
  repair(data: string, repair: Repair): Promise<void>;
}

/** Advice about damage that a checksum reveals. */
export const repairAdvice =
  'Run msgsite data check --repair: it sets damaged parts aside and restores what it can.';

/** Advice about undamaged records that contradict each other or cannot be decrypted. */
export const restoreAdvice =
  'Restore the file from a backup: a repair does not change undamaged records.';

/** The message about a line whose checksum is wrong. */
export const damagedLine = 'This line is damaged: its checksum does not match.';

/** Returns a fault that a repair sets aside or fixes. */
export function faultAt(place: Place, message: string): Finding {
  return { severity: 'error', ...place, message, advice: repairAdvice };
}

/** Reports a line if its line break is damaged. Nothing is lost, and a repair rewrites the line. */
export function noteBreak(line: Line, file: string, report: Report): void {
  if (!line.isUnbroken) return;
  const message = 'The line break after this line is damaged; the line itself is intact.';
  const note = {
    severity: 'note',
    file,
    line: line.number,
    message,
    advice: repairAdvice,
  } as const;
  report(note, bytesOf(line));
}

/** Throws an error as `data_damaged`; ignores notes. */
export function throwDamage({ severity, file, line, message }: Finding): void {
  if (severity === 'note') return;
  const place = line === undefined ? file : `${file}, line ${line}`;
  throw new AppError('data_damaged', `${place}: ${message}`, {
    hint: 'Run msgsite data check to list all faults, and msgsite data check --repair to repair them.',
  });
}

/** Reports a thrown `data_damaged` as a fault; rethrows other errors. */
export function reportError(error: unknown, file: string, report: Report): void {
  const { message } = asDamage(error);
  const [, line, what] = /, line (\d+)(?:, column \d+)?: (.*)/.exec(message) ?? [];
  report(faultAt(line === undefined ? { file } : { file, line: Number(line) }, what ?? message));
}

/** Returns the error if it is `data_damaged`; rethrows other errors. */
export function asDamage(error: unknown): AppError {
  if (error instanceof AppError && error.code === 'data_damaged') return error;
  throw error;
}

/**
 * Stores damaged bytes of a file in `<data>/damaged/<same path>.<n>`, with the first n that is free. Returns that path.
 * The bytes are on disk when it resolves.
 */
export async function setAside(
  files: FileLayer,
  data: string,
  path: string,
  bytes: Uint8Array,
): Promise<string> {
  const base = join(data, 'damaged', relative(data, path));
  await ensureFolder(files, dirname(base));
  for (let number = 1; ; number += 1) {
    const kept = `${base}.${number}`;
    if (await createFile(kept, [bytes], { files })) return kept;
  }
}

/** Stores a whole file that way and removes it; both are on disk when it resolves. */
export async function setFileAside(files: FileLayer, data: string, path: string): Promise<string> {
  const kept = await setAside(files, data, path, (await readBytes(files, path)) ?? Buffer.alloc(0));
  await removeFile(files, path);
  await syncFolder(files, dirname(path));
  return kept;
}
