import { AppError, type ErrorDetail } from '../base/errors.js';
import { deepestJson, tooDeepAt } from './bounds.js';
import { findInText } from './find-in-text.js';
import { createLineIndex } from './lines.js';
import { findDuplicateKeys, parseText, withoutMark } from './strict-parse.js';
import { findSyntaxFault } from './syntax-fault.js';
import { describeViolation, type Violation } from './violations.js';

/** A fault at a JSON Pointer. With `atKey`, its location is the name instead of the value. */
export interface PointedFault {
  readonly path: string;
  readonly message: string;
  readonly atKey?: boolean;
}

export interface CheckedFile<T> {
  /** The file's name, for messages. */
  readonly file: string;
  readonly text: string;
  /** The subject of the message, such as `The statuses` in `The statuses in FILE are invalid.` */
  readonly what: string;
  /** A hint that names the documentation of the format. */
  readonly hint: string;
  readonly isSound: ((data: unknown) => data is T) & { errors?: readonly Violation[] | null };
  /** Checks what the schema cannot express. Called only with data that matches the schema. */
  furtherFaults?(data: T): readonly PointedFault[];
  /** Checks what the schema cannot express, even in data that does not match it. */
  looseFaults?(data: unknown): readonly PointedFault[];
}

/** A fault and its offset in the text. */
interface PlacedFault {
  readonly offset: number;
  readonly message: string;
}

/** Maximum number of faults that are reported for a file such as `webhooks.json`. @bound */
const shownFaults = 100;
/** Maximum number of faults that are located in the text. */
const locatedFaults = 1_000;

/**
 * Parses and validates a JSON file that an operator wrote. Throws one `configuration` error that lists every fault
 * with file, line, column and rule.
 */
export function readCheckedJson<T>(checked: CheckedFile<T>): T {
  const { isSound, furtherFaults, looseFaults } = checked;
  const text = withoutMark(checked.text);
  const deep = tooDeepAt(text);
  if (deep !== undefined) {
    const message = `nested more than ${deepestJson} levels deep`;
    throw faultyFile(checked, text, [{ offset: deep, message }]);
  }
  const parsed = parseText(text);
  if (!parsed.ok) throw faultyFile(checked, text, [findSyntaxFault(text, parsed.reason)]);
  const { data, duplicates } = parsed;
  const bySchema = isSound(data)
    ? (furtherFaults?.(data) ?? [])
    : (isSound.errors ?? []).map(schemaFault);
  const pointed = [...bySchema, ...(looseFaults?.(data) ?? [])];
  const faults = [
    ...placed(text, pointed.slice(0, locatedFaults)),
    ...(duplicates ? duplicateFaults(text) : []),
  ];
  if (faults.length > 0 || !isSound(data)) throw faultyFile(checked, text, faults);
  return data;
}

function schemaFault(violation: Violation): PointedFault {
  const { keyword } = violation;
  const { path, message } = describeViolation(violation);
  const atKey = keyword === 'additionalProperties';
  return { path, message: `${path || 'the file'} ${message} (${keyword})`, atKey };
}

function placed(text: string, faults: readonly PointedFault[]): PlacedFault[] {
  const ranges = findInText(text, faults);
  return faults.map(({ message }, index) => ({ offset: ranges[index]?.offset ?? 0, message }));
}

function duplicateFaults(text: string): PlacedFault[] {
  const faults: PlacedFault[] = [];
  findDuplicateKeys(text, ({ range, path }) => {
    faults.push({ offset: range.offset, message: `${path()} is given twice` });
  });
  return faults;
}

function faultyFile(
  { file, what, hint }: Pick<CheckedFile<unknown>, 'file' | 'what' | 'hint'>,
  text: string,
  faults: readonly PlacedFault[],
): AppError {
  const inOrder = [...faults].sort((a, b) => a.offset - b.offset);
  const lines = createLineIndex(text);
  const details: ErrorDetail[] = inOrder.slice(0, shownFaults).map(({ offset, message }) => {
    const { line, column } = lines.position({ offset, length: 1 });
    return { path: `${file}:${line}:${column}`, message };
  });
  const more = inOrder.length - details.length;
  if (more > 0) details.push({ path: file, message: `and at least ${more} more` });
  return new AppError('configuration', `${what} in ${file} are invalid.`, { details, hint });
}
