import { isUtf8 } from 'node:buffer';
import { Header as isHeader, Summary as isSummary, type Summary } from '#validators/export';
import { AppError } from '../base/errors.js';
import type { RecordKind } from '../base/records.js';
import { deepestJson, isDeeperThan } from '../json/bounds.js';
import { parseExact } from '../json/exact-json.js';
import { isObject } from '../json/pointers.js';
import { isInEveryDeployment } from './place.js';
import {
  countedStream,
  type Entry,
  entryOf,
  type Header,
  type ReadOptions,
  type RecordStream,
} from './record-stream.js';
import { differences } from './summary.js';

/** A line of a file without its line break. Line numbers start at 1. */
interface FileLine {
  readonly text: string;
  readonly number: number;
}

const lineBreak = 10;

/**
 * Splits UTF-8 text into lines, with only one line in memory. Throws `unreadable_input` for a line of more than
 * `maxLength` bytes, for invalid UTF-8, and for a last line without a line break.
 */
export async function* boundedLines(
  chunks: AsyncIterable<Uint8Array>,
  maxLength: number,
): AsyncGenerator<FileLine> {
  let parts: Uint8Array[] = [];
  let length = 0;
  let number = 1;
  for await (const chunk of chunks) {
    let begin = 0;
    for (let end = chunk.indexOf(lineBreak); end >= 0; end = chunk.indexOf(lineBreak, begin)) {
      parts.push(chunk.subarray(begin, end));
      if (length + end - begin > maxLength) throw tooLong(number, maxLength);
      yield { text: decode(parts, number), number };
      parts = [];
      length = 0;
      number += 1;
      begin = end + 1;
    }
    if (begin < chunk.length) parts.push(chunk.subarray(begin));
    length += chunk.length - begin;
    if (length > maxLength) throw tooLong(number, maxLength);
  }
  if (length > 0) {
    throw new AppError(
      'unreadable_input',
      `Line ${number} does not end with a line break. The file is truncated.`,
      {
        hint: 'Copy or create the export again.',
      },
    );
  }
}

function decode(parts: readonly Uint8Array[], number: number): string {
  const [first] = parts;
  const bytes = parts.length === 1 && first ? first : Buffer.concat(parts);
  if (!isUtf8(bytes)) {
    throw new AppError('unreadable_input', `Line ${number} is not valid UTF-8.`);
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

function tooLong(number: number, maxLength: number): AppError {
  return new AppError('unreadable_input', `Line ${number} is longer than ${maxLength} bytes.`, {
    hint: 'The file is not an export of msgsite, or it is damaged.',
  });
}

/**
 * Reads an export as a stream. Checks each line, and the totals in the last line. Throws `unreadable_input` with the
 * number of a faulty line. Stored entries must not be used until the stream has ended without an error.
 */
export async function openDocument(
  lines: AsyncGenerator<FileLine>,
  options: ReadOptions,
): Promise<RecordStream> {
  const first = await lines.next();
  const header = readHeader(first.done ? undefined : first.value);
  const kinds = options.kinds();

  async function* entries(): AsyncGenerator<Entry> {
    let position = 0;
    let number = 1;
    for await (const line of lines) {
      number = line.number;
      const value = parse(line);
      if (value.kind === 'end') {
        assertComplete(value, stream.summary(), number);
        return assertNothingFollows(lines);
      }
      position = nextPosition(kinds, position, value.kind, number);
      const kind = kinds[position] as RecordKind; // `nextPosition` returns a valid index.
      yield readEntry(kind, value, line);
    }
    throw fault(number, 'is the last one. The file is truncated before the end of the export');
  }

  // The first line is the header.
  const place = (records: number) => `line ${records + 1}`;
  const stream = countedStream(header, kinds, entries(), place, options);
  return stream;
}

type Parsed = Readonly<Record<string, unknown>>;

/** Number of nesting levels that an export adds to a provider's data. */
const ownLevels = 8;

function parse({ text, number }: FileLine): Parsed {
  if (isDeeperThan(text, deepestJson + ownLevels)) throw fault(number, 'is nested too deeply');
  let value: unknown;
  try {
    value = parseExact(text);
  } catch {
    throw fault(number, 'is not valid JSON');
  }
  if (isObject(value)) return value;
  throw fault(number, 'is not a JSON object');
}

function readHeader(line: FileLine | undefined): Header {
  const value = line ? parse(line) : {};
  if (value.kind !== 'msgsite-export')
    throw fault(1, 'is not the first line of an export of msgsite');
  if (value.format !== 1) {
    throw new AppError(
      'unreadable_input',
      `This export has format ${String(value.format)}, but this version of msgsite reads only format 1.`,
      { hint: 'Import it with the version of msgsite that created it, or a newer one.' },
    );
  }
  if (!isHeader(value)) throw fault(1, 'lacks program, at, storage or secrets');
  return { secrets: {}, ...value };
}

/** Returns the position of a line's kind. The kinds must be in order. */
function nextPosition(
  kinds: readonly RecordKind[],
  position: number,
  kind: unknown,
  line: number,
): number {
  const next = kinds.findIndex(({ name }, index) => index >= position && name === kind);
  if (next >= 0) return next;
  const isKnown = kinds.some(({ name }) => name === kind);
  if (isKnown) throw fault(line, `contains a ${kind} record out of order`);
  throw fault(line, `has an unknown kind: ${String(kind).slice(0, 60)}`);
}

function readEntry({ name, check }: RecordKind, value: Parsed, { text, number }: FileLine): Entry {
  const { record } = value;
  const hasNothingElse = Object.keys(value).length === 2;
  if (!isObject(record) || !hasNothingElse) {
    throw fault(number, 'must have exactly the members kind and record');
  }
  const problem = check(record) ?? (/\\ud/i.test(text) ? textFault(name, record) : undefined);
  if (problem !== undefined) throw fault(number, `is invalid: ${name} ${problem}`);
  return { kind: name, record, line: text };
}

/**
 * Returns a fault if a record contains an unpaired surrogate, which databases cannot store and exports never contain.
 */
function textFault(kind: string, record: object): string | undefined {
  return entryOf(kind, record).record === record ? undefined : 'contains an unpaired surrogate';
}

/** Throws if the last line does not match the records before it. */
function assertComplete(end: Parsed, found: Summary, line: number): void {
  if (!isSummary(end)) throw fault(line, 'lacks the number of records by kind');
  for (const [kind, count] of Object.entries(found.kinds)) {
    if (count.records === 0 && isInEveryDeployment(kind))
      throw fault(line, `ends the export, but there is no ${kind} record before it`);
  }
  const different = differences(end, found);
  if (end.records === found.records && end.sha256 === found.sha256 && different.length === 0) {
    return;
  }
  const part = different.length > 0 ? different.join(', ') : 'in total';
  throw fault(
    line,
    `does not match the records before it (${part}). The file was changed or damaged`,
  );
}

async function assertNothingFollows(lines: AsyncGenerator<FileLine>): Promise<void> {
  const more = await lines.next();
  if (!more.done) throw fault(more.value.number, 'follows the end of the export');
}

function fault(line: number, message: string): AppError {
  return new AppError('unreadable_input', `Line ${line} ${message}.`, {
    hint: 'None of the imported data can be used. Copy or create the export again, then import it.',
  });
}
