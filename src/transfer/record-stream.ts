import type { Header as ExportHeader, Summary } from '#validators/export';
import { AppError } from '../base/errors.js';
import type { RecordKind, RecordReader } from '../base/records.js';
import { parseExact, stringifyExact } from '../json/exact-json.js';
import type { SecretName } from './summary.js';
import { createTally } from './summary.js';

/** The first line of an export. */
export type Header = Required<ExportHeader>;

/** A record on its way, with the line that stands for it in an export. */
export interface Entry {
  readonly kind: string;
  readonly record: object;
  readonly line: string;
}

/** Everything of a deployment, record after record, checked; memory for one record at a time. */
export interface RecordStream {
  readonly header: Header;
  /** To be read once, to its end. */
  readonly entries: AsyncIterable<Entry>;
  /** What has gone by; of all once the entries have ended. */
  summary(): Summary;
  secrets(): readonly SecretName[];
  /** Where a reader is, for messages: a line of a file, or a record's number. */
  place(): string;
}

export interface ReadOptions {
  /** Every kind of record, in the order of an export, with fresh checks. */
  kinds(): readonly RecordKind[];
  /** Ends the stream with `interrupted`. */
  readonly signal?: AbortSignal;
  /** Told now and then how many records have gone by, and of which kind the last one was. */
  onProgress?(records: number, kind: string): void;
}

export interface StreamOptions extends ReadOptions {
  readonly header: Header;
  readonly readers: readonly RecordReader[];
}

/** Bytes of a line of an imported file. A delivery with a hundred long answers is a megabyte. */
export const longestLine = 16 * 1024 * 1024;

/** How many records go by between two words on progress. */
const progressEvery = 1_000;

/** The records of a storage. One that breaks a rule is `data_damaged`: what is exported can be imported. */
export function streamRecords(options: StreamOptions): RecordStream {
  const { header, readers } = options;
  const kinds = options.kinds();
  async function* checked(): AsyncGenerator<Entry> {
    for (const { name: kind, check } of kinds) {
      const reader = readers.find((each) => each.kind === kind);
      for await (const given of reader?.read() ?? []) {
        const entry = entryOf(kind, given);
        const { record, line } = entry;
        const fault = check(record) ?? (line.length > longestLine ? 'is too long' : undefined);
        if (fault !== undefined) throw unsound(kind, record, fault);
        yield entry;
      }
    }
  }
  return countedStream(header, kinds, checked(), (records) => `record ${records}`, options);
}

/**
 * A stream that counts checked entries as they go by, says so now and then, and ends where the user has had
 * enough. `place` says where a reader is when so many records have gone by.
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

/**
 * A record with its line. Half of a surrogate pair, which no database keeps, becomes U+FFFD, as it does
 * wherever texts are sent.
 */
export function entryOf(kind: string, given: object): Entry {
  const text = stringifyExact(given);
  const line = lineOf(kind, text);
  if (!/\\ud[89a-f]/.test(text)) return { kind, record: given, line };
  const mended = stringifyExact(given, wellFormed);
  // A text may only speak of such an escape.
  if (mended === text) return { kind, record: given, line };
  return { kind, record: parseExact(mended) as object, line: lineOf(kind, mended) };
}

function lineOf(kind: string, record: string): string {
  return `{"kind":"${kind}","record":${record}}`;
}

function wellFormed(_: string, value: unknown): unknown {
  return typeof value === 'string' ? Buffer.from(value).toString() : value;
}

function unsound(kind: string, record: object, fault: string): AppError {
  const name = 'id' in record ? `${kind} ${record.id}` : `A ${kind}`;
  return new AppError('data_damaged', `The data is not sound: ${name} ${fault}.`, {
    hint: 'Mend it first; with JSON files, msgsite data check names the file and the line.',
  });
}
