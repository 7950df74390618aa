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

/** How a transfer is watched and ended. */
export interface TransferOptions extends Pick<ReadOptions, 'kinds' | 'signal'> {
  readonly clock: Clock;
  /** Told what is being done, for people who wait. */
  onProgress?(step: string, records: number): void;
}

/** What went over. */
export interface Transferred extends Summary {
  readonly header: Header;
  /** Secrets that the data needs where it is served. */
  readonly secrets: readonly SecretName[];
}

/** A stream that can be had again where it has to be read from its beginning. */
export type WithStream = <Result>(
  work: (stream: RecordStream) => Promise<Result>,
) => Promise<Result>;

/** Gives everything that a source holds, as of one moment, to `write`. */
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

/** The records of a source as a stream. */
function streamOf(source: Source, options: TransferOptions): WithStream {
  // The same moment for every stream: what expires meanwhile is in all of them.
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
 * Fills a target with a stream, reads everything back and compares, and leaves it closed to others. Cut off
 * at any moment, it can be done again.
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

/** A storage that does not take a record does not know where that came from. */
function located(error: unknown, stream: RecordStream): unknown {
  if (!(error instanceof AppError) || error.code !== 'unreadable_input') return error;
  if (/\b(line|record) \d/i.test(error.message)) return error;
  return new AppError(error.code, `At ${stream.place()}: ${error.message}`, { cause: error });
}

/**
 * Imports an export, which `open` gives, and lets the target be used. That is opened, the same each time, when the
 * export is known to be one: nothing is begun for any other file.
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
 * Moves everything: the source is read, the target filled and compared; then the source is closed, and only
 * then the target opened, so that there is no moment at which both could be served.
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
