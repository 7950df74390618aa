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

/** What a feature contributes to `msgsite data check`: it reads its files, changes nothing, and reports. */
export interface DataChecker {
  readonly name: string;
  /** `folder` is the data directory. */
  check(folder: string, report: Report): Promise<void>;
}

/** What to do about damage that is found by its checksum. */
export const repairAdvice =
  'Run msgsite data check --repair: it sets aside what is damaged and restores what it can.';

const restore = 'Restore the file from a backup, or mend or remove that line by hand.';

/** Reports a thrown `data_damaged`; anything else is thrown on. */
export function reportError(error: unknown, path: string, report: Report): void {
  if (!(error instanceof AppError) || error.code !== 'data_damaged') throw error;
  const found = /, line (\d+)(?:, column \d+)?: (.*)/.exec(error.message);
  report({
    severity: 'error',
    file: path,
    ...(found ? { line: Number(found[1]) } : {}),
    message: found?.[2] ?? error.message,
    advice: restore,
  });
}

/** Where a record was found. */
export interface Place {
  readonly file: string;
  readonly line?: number;
}
