import type { Header as ExportHeader, Summary } from '#validators/export';
import { AppError } from '../base/errors.js';
import type { RecordKind, RecordReader } from '../base/records.js';
import { parseExact, stringifyExact } from '../json/exact-json.js';
import type { SecretName } from './summary.js';
import { createTally } from './summary.js';

/** The first line of an export. */
export type Header = Required<ExportHeader>;

/** A record and its line in an export. */
export interface Entry {
  readonly kind: string;
  readonly record: object;
  readonly line: string;
}

/** All records of a deployment, checked. Only one record at a time is in memory. */
export interface RecordStream {
  readonly header: Header;
  /** Must be read exactly once, to the end. */
  readonly entries: AsyncIterable<Entry>;
  /** Returns totals of the entries read so far. */
  summary(): Summary;
  secrets(): readonly SecretName[];
  /** Returns the position of the reader for messages: a line number or a record number. */
  place(): string;
}

export interface ReadOptions {
  /** Returns all kinds of records, in the order of an export, with new checks. */
  kinds(): readonly RecordKind[];
  /** Ends the stream with `interrupted`. */
  readonly signal?: AbortSignal;
  /** Called at intervals with the number of records read and the kind of the last one. */
  onProgress?(records: number, kind: string): void;
}

export interface StreamOptions extends ReadOptions {
  readonly header: Header;
  readonly readers: readonly RecordReader[];
}

/**
 * Maximum length of a line in an imported file, in bytes. A delivery with a hundred long responses takes one megabyte.
 */
export const maxLineLength = 16 * 1024 * 1024;

/** Number of records between two progress reports. */
const progressEvery = 1_000;

/**
 * Reads the records of a storage. Throws `data_damaged` for an invalid record, so that every export can be imported.
 */
export function streamRecords(options: StreamOptions): RecordStream {
  const { header, readers } = options;
  const kinds = options.kinds();
  async function* checked(): AsyncGenerator<Entry> {
    for (const { name: kind, check } of kinds) {
      const reader = readers.find((each) => each.kind === kind);
      for await (const stored of reader?.read() ?? []) {
        const entry = entryOf(kind, stored);
        const { record, line } = entry;
        const fault = check(record) ?? (line.length > maxLineLength ? 'is too long' : undefined);
        if (fault !== undefined) throw invalid(kind, record, fault);
        yield entry;
      }
    }
  }
  return countedStream(header, kinds, checked(), (records) => `record ${records}`, options);
}

/**
 * Returns a stream that counts entries, reports progress, and stops with `interrupted` when the signal aborts. `place`
 * describes the position after a number of records.
 */
export function countedStream(
  header: Header,
  kinds: readonly RecordKind[],
  entries: AsyncIterable<Entry>,
  place: (records: number) => string,
  { signal, onProgress }: ReadOptions,
): RecordStream {
  const tally = createTally(kinds.map(({ name }) => name));
  async function* counted(): AsyncGenerator<Entry> {
    for await (const entry of entries) {
      tally.add(entry.kind, entry.line, entry.record);
      if (tally.records % progressEvery === 0) {
        if (signal?.aborted) throw new AppError('interrupted', 'Interrupted.');
        onProgress?.(tally.records, entry.kind);
      }
      yield entry;
    }
  }
  return {
    header,
    entries: counted(),
    summary: tally.summary,
    secrets: tally.secrets,
    place: () => place(tally.records),
  };
}

/** Reads a stream to its end. */
export async function drain(stream: RecordStream): Promise<Summary> {
  for await (const _ of stream.entries);
  return stream.summary();
}

/** Returns a record with its line. Replaces unpaired surrogates, which databases cannot store, with U+FFFD. */
export function entryOf(kind: string, record: object): Entry {
  const text = stringifyExact(record);
  const line = lineOf(kind, text);
  if (!/\\ud[89a-f]/.test(text)) return { kind, record, line };
  const repaired = stringifyExact(record, wellFormed);
  // The text of the record may contain such an escape sequence literally.
  if (repaired === text) return { kind, record, line };
  return { kind, record: parseExact(repaired) as object, line: lineOf(kind, repaired) };
}

function lineOf(kind: string, record: string): string {
  return `{"kind":"${kind}","record":${record}}`;
}

function wellFormed(_: string, value: unknown): unknown {
  return typeof value === 'string' ? Buffer.from(value).toString() : value;
}

function invalid(kind: string, record: object, fault: string): AppError {
  const name = 'id' in record ? `${kind} ${record.id}` : `a ${kind} record`;
  return new AppError('data_damaged', `The data is invalid: ${name} ${fault}.`, {
    hint: 'Repair it first. For JSON files, `msgsite data check` reports the file and the line.',
  });
}
