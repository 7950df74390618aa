import type { Summary } from '#validators/export';
import type { Clock } from '../base/clock.js';
import { AppError } from '../base/errors.js';
import { readPackageVersion } from '../base/package-files.js';
import { OtherStream, type Source, type Target } from './place.js';
import {
  drain,
  type Header,
  type ReadOptions,
  type RecordStream,
  streamRecords,
} from './record-stream.js';
import type { SecretName } from './summary.js';
import { assertSame } from './summary.js';

/** Options of all transfers. */
export interface TransferOptions extends Pick<ReadOptions, 'kinds' | 'signal'> {
  readonly clock: Clock;
  /** Called with the current step and the number of records, for progress displays. */
  onProgress?(step: string, records: number): void;
}

/** The result of a transfer. */
export interface Transferred extends Summary {
  readonly header: Header;
  /** Secrets that a server requires for the data. */
  readonly secrets: readonly SecretName[];
}

/** Opens a stream and passes it to `work`. Each call reads from the beginning. */
export type WithStream = <Result>(
  work: (stream: RecordStream) => Promise<Result>,
) => Promise<Result>;

/** Passes all data of a source, as of one point in time, to `write`. */
export async function exportData(
  source: Source,
  write: (stream: RecordStream) => Promise<void>,
  options: TransferOptions,
): Promise<Transferred> {
  const withStream = streamOf(source, options);
  return withStream(async (stream) => {
    await write(stream);
    return transferred(stream);
  });
}

function transferred(stream: RecordStream): Transferred {
  return { ...stream.summary(), secrets: stream.secrets(), header: stream.header };
}

/** Returns a function that opens the records of a source as a stream. */
function streamOf(source: Source, options: TransferOptions): WithStream {
  // All streams use the same time, so records that expire in the meantime are in all of them.
  const now = options.clock.now();
  return async (work) => {
    const header: Header = {
      kind: 'msgsite-export',
      format: 1,
      program: await readPackageVersion(),
      at: new Date(now).toISOString(),
      storage: source.storage,
      secrets: source.secrets,
    };
    return source.read(now, (readers) =>
      work(
        streamRecords({
          ...options,
          header,
          readers,
          onProgress: (records, kind) => options.onProgress?.(`Reading ${kind} records`, records),
        }),
      ),
    );
  };
}

/**
 * Fills a target with a stream, reads everything back and compares it. Does not release the target. Can be repeated
 * after an interruption.
 */
async function fill(
  openTarget: () => Promise<Target>,
  withStream: WithStream,
  options: TransferOptions,
): Promise<Transferred> {
  const load = () =>
    withStream(async (stream) => {
      const target = await openTarget();
      await target.load(stream).catch((error) => {
        throw located(error, stream);
      });
      return transferred(stream);
    });
  const written = await load().catch(async (error) => {
    if (!(error instanceof OtherStream)) throw error;
    await (await openTarget()).restart();
    return load();
  });
  const target = await openTarget();
  const { header } = written;
  const at = Date.parse(header.at);
  const found = await target.read(at, (readers) =>
    drain(
      streamRecords({
        ...options,
        header,
        readers,
        onProgress: (records) => options.onProgress?.('Comparing', records),
      }),
    ),
  );
  assertSame(written, found, target.name);
  return written;
}

/** Adds the position in the stream to the error of a storage that rejected a record. */
function located(error: unknown, stream: RecordStream): unknown {
  if (!(error instanceof AppError) || error.code !== 'unreadable_input') return error;
  if (/\b(line|record) \d/i.test(error.message)) return error;
  return new AppError(error.code, `At ${stream.place()}: ${error.message}`, { cause: error });
}

/**
 * Imports the export that `open` reads, and releases the target. `openTarget` returns the same target each time. It is
 * called only after the export's header was validated.
 */
export async function importData(
  openTarget: () => Promise<Target>,
  open: (options: ReadOptions) => WithStream,
  options: TransferOptions,
): Promise<Transferred> {
  const onProgress = (records: number, kind: string) =>
    options.onProgress?.(`Importing ${kind} records`, records);
  const done = await fill(openTarget, open({ ...options, onProgress }), options);
  const target = await openTarget();
  await target.release(done.header.secrets);
  return done;
}

/**
 * Moves all data. Reads the source, fills the target and compares the result. Marks the source as moved before
 * releasing the target, so that both can never be served at the same time.
 */
export async function moveData(
  source: Source,
  target: Target,
  options: TransferOptions,
): Promise<Transferred> {
  const done = await fill(async () => target, streamOf(source, options), options);
  await source.markMoved(target.name);
  await target.release(done.header.secrets);
  return done;
}
