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

/** Where something was found. */
export interface Place {
  readonly file: string;
  /** Counted from 1; undefined where the whole file is meant. */
  readonly line?: number;
}

/** One thing that is wrong (`error`), or that the next start will put right by itself (`note`). */
export interface Finding extends Place {
  readonly severity: 'error' | 'note';
  readonly message: string;
  /** What to do about it. */
  readonly advice: string;
}

/** `bytes`: the line as it stands in the file, where it is a line that is damaged. */
export type Report = (finding: Finding, bytes?: Buffer) => void;

/** Something that a repair did to a file, as a sentence. */
export interface RepairStep extends Place {
  readonly message: string;
}

export interface Repair {
  readonly clock: Clock;
  tell(done: RepairStep): void;
}

/** What a feature contributes to `msgsite data check`; `data` is the data folder. */
export interface DataChecker {
  readonly name: string;
  /** Reads the feature's files, changes nothing, and reports. */
  check(data: string, report: Report): Promise<void>;
  /**
   * Sets aside what is damaged in a folder that nobody works on, and restores what it can. Harmless where
   * nothing is damaged, and where it was cut off before.
   */
  repair(data: string, repair: Repair): Promise<void>;
}

/** What to do about damage that is found by its checksum. */
export const repairAdvice =
  'Run msgsite data check --repair: it sets aside what is damaged and restores what it can.';

/** What to do about records that are whole, but do not fit together or cannot be decrypted. */
export const restoreAdvice =
  'Restore the file from a backup: a repair leaves alone what is as it was written.';

/** What is said of a line whose checksum does not fit. */
export const damagedLine = 'This line is damaged: its checksum does not fit.';

/** A fault that a repair sets aside or makes good. */
export function faultAt(place: Place, message: string): Finding {
  return { severity: 'error', ...place, message, advice: repairAdvice };
}

/** Reports a line whose line break is damaged: nothing is lost, and a repair writes the line again. */
export function noteBreak(line: Line, file: string, report: Report): void {
  if (!line.isUnbroken) return;
  const message = 'The line break after this line is damaged; the line itself is whole.';
  const note = {
    severity: 'note',
    file,
    line: line.number,
    message,
    advice: repairAdvice,
  } as const;
  report(note, bytesOf(line));
}

/** Throws `data_damaged` for what is wrong; a line that a crash cut short is nothing wrong. */
export function throwDamage({ severity, file, line, message }: Finding): void {
  if (severity === 'note') return;
  const place = line === undefined ? file : `${file}, line ${line}`;
  throw new AppError('data_damaged', `${place}: ${message}`, {
    hint: 'Run msgsite data check to see every fault, and msgsite data check --repair to put it right.',
  });
}

/** Reports a thrown `data_damaged`, which a repair sets aside; anything else is thrown on. */
export function reportError(error: unknown, file: string, report: Report): void {
  const { message } = asDamage(error);
  const [, line, what] = /, line (\d+)(?:, column \d+)?: (.*)/.exec(message) ?? [];
  report(faultAt(line === undefined ? { file } : { file, line: Number(line) }, what ?? message));
}

/** An error that says that a file is damaged; other errors are rethrown. */
export function asDamage(error: unknown): AppError {
  if (error instanceof AppError && error.code === 'data_damaged') return error;
  throw error;
}

/**
 * Keeps damaged bytes of a file of a data folder in `<data>/damaged/<same path>.<n>`, n being the first that
 * is free, and gives that path. On disk when it resolves.
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

/** Keeps a whole file so, then removes it; both are on disk when it resolves. */
export async function setFileAside(files: FileLayer, data: string, path: string): Promise<string> {
  const kept = await setAside(files, data, path, (await readBytes(files, path)) ?? Buffer.alloc(0));
  await removeFile(files, path);
  await syncFolder(files, dirname(path));
  return kept;
}
