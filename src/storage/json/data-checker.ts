import { join } from 'node:path';
import { AppError } from '../../base/errors.js';
import { readTextFile } from '../../base/files/durable-write.js';
import { type OpenFile, systemFiles } from '../../base/files/file-layer.js';
import { isMissing, storageError } from '../../base/files/storage-errors.js';
import { parseJsonText } from '../../json/parse-text.js';
import { isChangeList, journalNumbers, listFolder } from './collection-files.js';
import { type Line, readLines } from './line-reader.js';
import { isDay, isSpoolRecord } from './spool-paths.js';

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

export type Report = (finding: Finding) => void;

/** What a feature contributes to `msgsite data check`: it reads its files, changes nothing, and reports. */
export interface DataChecker {
  readonly name: string;
  /** `folder` is the data directory. */
  check(folder: string, report: Report): Promise<void>;
}

const restore = 'Restore the file from a backup, or mend or remove that line by hand.';

/** Reads a JSON file; reports one that is none. undefined where it is missing or damaged. */
export async function checkJsonFile(path: string, report: Report): Promise<unknown> {
  const text = await readTextFile(systemFiles, path);
  if (text === undefined) return undefined;
  try {
    return parseJsonText(text, path);
  } catch (error) {
    reportError(error, path, report);
    return undefined;
  }
}

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

/** Reads every line of a JSON-Lines file, if it exists, and reports those that are no JSON. */
export async function checkJsonLines(
  path: string,
  report: Report,
  onValue: (value: unknown, line: number) => void,
): Promise<void> {
  await withFile(path, async (file) => {
    const { size } = await file.stat();
    let end = 0;
    for await (const line of readLines(file)) {
      end = line.end;
      checkLine(line, line.end === size, path, report, onValue);
    }
    if (end < size) reportTorn(path, report);
  });
}

function checkLine(
  { text, number }: Line,
  isLast: boolean,
  path: string,
  report: Report,
  onValue: (value: unknown, line: number) => void,
): void {
  const value = parsed(text);
  if (value !== undefined) onValue(value, number);
  else if (isLast && text.includes('\0')) reportTorn(path, report);
  else {
    const message = 'This line is not valid JSON.';
    report({ severity: 'error', file: path, line: number, message, advice: restore });
  }
}

/** undefined (which no JSON text means) where it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reportTorn(path: string, report: Report): void {
  report({
    severity: 'note',
    file: path,
    message: 'The last line is torn: a crash cut it off before it was acknowledged.',
    advice: 'Nothing to do: the next start drops it.',
  });
}

async function withFile(path: string, use: (file: OpenFile) => Promise<void>): Promise<void> {
  let file: OpenFile;
  try {
    file = await systemFiles.open(path, 'r');
  } catch (cause) {
    if (isMissing(cause)) return;
    throw storageError(cause, path);
  }
  try {
    await use(file);
  } finally {
    await file.close();
  }
}

/** Where a record was found. */
export interface Place {
  readonly file: string;
  readonly line?: number;
}

/**
 * Reads a collection's snapshot and journals the way opening it does, without changing anything, and
 * gives its records by key with where each was found last.
 */
export async function checkCollection<T>(
  folder: string,
  name: string,
  keyOf: (record: T) => string | number,
  report: Report,
): Promise<Map<string | number, { record: T; place: Place }>> {
  const records = new Map<string | number, { record: T; place: Place }>();
  const file = join(folder, `${name}.json`);
  const snapshot = (await checkJsonFile(file, report)) as
    | { format?: unknown; journal?: unknown; records?: unknown }
    | undefined;
  const isWhole = typeof snapshot?.journal === 'number' && Array.isArray(snapshot.records);
  if (snapshot !== undefined && !isWhole) {
    const message = 'journal or records is missing.';
    report({ severity: 'error', file, message, advice: restore });
  }
  const stored = isWhole ? (snapshot.records as T[]) : []; // Checked by the feature that knows them.
  for (const record of stored) records.set(keyOf(record), { record, place: { file } });
  const first = isWhole ? Number(snapshot?.journal) : 1;
  for (const number of await journalNumbers(systemFiles, folder, name)) {
    if (number < first) continue;
    const path = join(folder, `${name}.${number}.jsonl`);
    await checkJsonLines(path, report, (value, line) => {
      if (!isChangeList(value)) {
        const message = 'This line is no list of changes.';
        return report({ severity: 'error', file: path, line, message, advice: restore });
      }
      for (const [kind, subject] of value) {
        if (kind === 'delete') records.delete(subject as string | number);
        else
          records.set(keyOf(subject as T), { record: subject as T, place: { file: path, line } });
      }
    });
  }
  return records;
}

/** Folders of a spool that hold no records. */
const spoolTools = ['claims', 'tmp'];

/** Reads every record of a spool in these states (all where undefined); reports damaged files. */
export async function checkSpool(
  folder: string,
  states: readonly string[] | undefined,
  report: Report,
): Promise<void> {
  const found = (await listFolder(systemFiles, folder)).filter(
    (name) => !spoolTools.includes(name),
  );
  for (const state of states ?? found) {
    const names = await listFolder(systemFiles, join(folder, state));
    const places = [
      join(folder, state),
      ...names.filter(isDay).map((day) => join(folder, state, day)),
    ];
    for (const place of places) {
      for (const name of await listFolder(systemFiles, place)) {
        if (!name.endsWith('.json')) continue;
        const path = join(place, name);
        const value = await checkJsonFile(path, report);
        if (value === undefined || isSpoolRecord(value)) continue;
        const message = 'id, revision or record is missing.';
        report({ severity: 'error', file: path, message, advice: restore });
      }
    }
  }
}
