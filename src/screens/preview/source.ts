import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import { every } from '../../base/every.js';
import { fileMark, readRegularFile, UnreadableInput } from '../../base/files/input-file.js';
import { parseText, withoutMark } from '../../json/strict-parse.js';
import { checkInterruptibly } from '../check/check-file.js';
import { type Finding, wholeFile } from '../findings/finding.js';
import type { LintOptions } from '../rules/lint.js';

export interface Source {
  /** Incremented on every change. */
  readonly version: number;
  /** The last definition that was parsed successfully; undefined before the first one. */
  readonly definition: unknown;
  /** False if the file's current content cannot be read or parsed, so that `definition` is out of date. */
  readonly current: boolean;
  readonly findings: readonly Finding[];
}

/** Time between checks of the file, in milliseconds. Polling works on every file system. */
const interval = 200;

interface WatchOptions {
  readonly file: string;
  readonly lint: LintOptions;
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called after every change. */
  readonly changed: () => void;
}

/**
 * Reads a definition and reloads it whenever the file changes, until the signal aborts. Throws if the first read
 * fails.
 */
export async function watchSource(options: WatchOptions) {
  let mark = await fileMark(options.file);
  let source = await read(options, undefined);
  const poll = async (signal: AbortSignal): Promise<void> => {
    const seen = await fileMark(options.file);
    if (signal.aborted || seen === mark) return;
    mark = seen;
    source = await read(options, source);
    options.changed();
  };
  const ended = every(interval, poll, { ...options, sleepFirst: true });
  return { current: () => source, ended };
}

async function read(options: WatchOptions, before: Source | undefined): Promise<Source> {
  const { file, lint, maxBytes, signal } = options;
  const version = (before?.version ?? 0) + 1;
  try {
    const bytes = readRegularFile(file, maxBytes);
    const report = await checkInterruptibly({ file, bytes, lint }, signal);
    const findings = report?.findings ?? [];
    const parsed = parseText(withoutMark(bytes.toString('utf8')));
    if (parsed.ok) return { version, definition: parsed.data, current: true, findings };
    return { version, definition: before?.definition, current: false, findings };
  } catch (error) {
    if (before === undefined) throw error;
    // Some editors briefly remove a file when they save it.
    return { ...before, version, current: false, findings: [faultOf(error)] };
  }
}

function faultOf(error: unknown): Finding {
  if (error instanceof UnreadableInput) {
    const message = `The file cannot be read: ${error.reason}.`;
    return wholeFile('unreadable', 'error', message);
  }
  if (error instanceof AppError) return wholeFile('unreadable', 'error', error.message);
  throw error;
}
