import { AppError } from '../base/errors.js';
import type { RecordKind, RecordReader } from '../base/records.js';
import type { SecretName } from './kinds.js';
import { createTally, type Summary } from './summary.js';

/** The first line of an export. */
export interface Header {
  readonly kind: 'msgsite-export';
  readonly format: 1;
  /** Version of the program that made it. */
  readonly program: string;
  /** ISO 8601; what had expired by then is left out. */
  readonly at: string;
  readonly storage: 'json' | 'postgres';
  /** Fingerprints of the secrets that were known, from which they cannot be found. */
  readonly secrets: Readonly<Record<string, string>>;
}

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

/** Bytes of a line; more cannot be imported. A delivery with a hundred long answers is a megabyte. */
export const longestLine = 16 * 1024 * 1024;

/** How many records go by between two words on progress. */
export const progressEvery = 1_000;

/** The records of a storage. One that breaks a rule is `data_damaged`: what is exported can be imported. */
export function streamRecords(options: StreamOptions): RecordStream {
  const { header, readers, signal, onProgress } = options;
  const kinds = options.kinds();
  const tally = createTally(kinds.map(({ name }) => name));

  async function* entries(): AsyncGenerator<Entry> {
    for (const { name: kind, check } of kinds) {
      const reader = readers.find((each) => each.kind === kind);
      for await (const given of reader?.read() ?? []) {
        const entry = entryOf(kind, given);
        const { record, line } = entry;
        const fault = check(record) ?? (line.length > longestLine ? 'is too long' : undefined);
        if (fault !== undefined) throw unsound(kind, record, fault);
        tally.add(kind, line, record);
        if (tally.records % progressEvery === 0) {
          assertGoingOn(signal);
          onProgress?.(tally.records, kind);
        }
        yield entry;
      }
    }
  }

  return {
    header,
    entries: entries(),
    summary: tally.summary,
    secrets: tally.secrets,
    place: () => `record ${tally.records}`,
  };
}

/** Throws where the user has had enough. */
export function assertGoingOn(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AppError('interrupted', 'Interrupted.');
}

/** Reads a stream to its end. */
export async function drain(stream: RecordStream): Promise<Summary> {
  for await (const _ of stream.entries);
  return stream.summary();
}

/**
 * A record with its line. Half of a surrogate pair, which no database keeps, becomes U+FFFD, as it does
 * wherever texts are sent. Pure.
 */
export function entryOf(kind: string, given: object): Entry {
  const text = JSON.stringify(given);
  const line = lineOf(kind, text);
  if (!/\\ud[89a-f]/.test(text)) return { kind, record: given, line };
  const mended = JSON.stringify(given, wellFormed);
  // A text may only speak of such an escape.
  if (mended === text) return { kind, record: given, line };
  return { kind, record: JSON.parse(mended) as object, line: lineOf(kind, mended) };
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
