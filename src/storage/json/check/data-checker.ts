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

/** Receives a finding and, for a damaged line, the bytes of that line. */
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

/** Advice for damage that a checksum detects. */
export const repairAdvice =
  'Run msgsite data check --repair, which sets damaged parts aside and restores what it can.';

/** Advice for intact records that contradict each other or cannot be decrypted. */
export const restoreAdvice =
  'Restore the file from a backup. A repair does not change intact records.';

/** The message for a line whose checksum does not match. */
export const damagedLine = 'This line is damaged: its checksum does not match.';

/** Returns a fault with the advice to run a repair. */
export function faultAt(place: Place, message: string): Finding {
  return { severity: 'error', ...place, message, advice: repairAdvice };
}

/** Reports a damaged line break after a line. No data is lost, and a repair rewrites the line. */
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

/** Throws `data_damaged` for an error; ignores notes. */
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
  const [, line, reason] = /, line (\d+)(?:, column \d+)?: (.*)/.exec(message) ?? [];
  report(faultAt(line === undefined ? { file } : { file, line: Number(line) }, reason ?? message));
}

/** Returns the error if it is `data_damaged`; rethrows other errors. */
export function asDamage(error: unknown): AppError {
  if (error instanceof AppError && error.code === 'data_damaged') return error;
  throw error;
}

/**
 * Stores damaged bytes of a file in `<data>/damaged/<same path>.<n>`, where n is the first free number. Resolves with
 * that path when the bytes are on disk.
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

/** Sets a whole file aside and removes it. Both changes are on disk when the promise resolves. */
export async function setFileAside(files: FileLayer, data: string, path: string): Promise<string> {
  const kept = await setAside(files, data, path, (await readBytes(files, path)) ?? Buffer.alloc(0));
  await removeFile(files, path);
  await syncFolder(files, dirname(path));
  return kept;
}
