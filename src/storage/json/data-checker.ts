import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';

/** One thing that is wrong (`error`), or that the next start will put right by itself (`note`). */
export interface Finding {
  readonly severity: 'error' | 'note';
  readonly file: string;
  /** Counted from 1; undefined where the whole file is meant. */
  readonly line?: number;
  readonly message: string;
  /** What to do about it. */
  readonly advice: string;
}

/** `bytes`: the line as it stands in the file, where it is a line that is damaged. */
export type Report = (finding: Finding, bytes?: Buffer) => void;

/** Something that a repair did to a file, as a sentence. */
export interface RepairStep {
  readonly file: string;
  readonly line?: number;
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

/** Reports a thrown `data_damaged`, which a repair sets aside; anything else is thrown on. */
export function reportError(error: unknown, path: string, report: Report): void {
  if (!(error instanceof AppError) || error.code !== 'data_damaged') throw error;
  const found = /, line (\d+)(?:, column \d+)?: (.*)/.exec(error.message);
  report({
    severity: 'error',
    file: path,
    ...(found ? { line: Number(found[1]) } : {}),
    message: found?.[2] ?? error.message,
    advice: repairAdvice,
  });
}

/** Where a record was found. */
export interface Place {
  readonly file: string;
  readonly line?: number;
}
