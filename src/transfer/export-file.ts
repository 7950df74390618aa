import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { AppError, systemErrorCode } from '../base/errors.js';
import { openRegularFile, UnreadableInput, unreadable } from '../base/files/input-file.js';
import { type OutputFileOptions, writeOutputFile } from '../base/files/output-file.js';
import { boundedLines } from './bounded-lines.js';
import { openDocument } from './read-document.js';
import { longestLine, type ReadOptions, type RecordStream } from './record-stream.js';
import type { WithStream } from './transfer.js';
import { documentText } from './write-document.js';

/**
 * Writes an export to a file, for its owner only, packed where the name ends in `.gz`. The name is there when
 * all of it is on disk, and not before.
 */
export async function writeExport(
  path: string,
  stream: RecordStream,
  options: Omit<OutputFileOptions, 'mode'>,
): Promise<void> {
  const text = documentText(stream);
  const content = path.endsWith('.gz') ? packed(text) : text;
  await writeOutputFile(path, content, { ...options, mode: 0o600 });
}

async function* packed(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const gzip = createGzip({ level: 6 });
  const feeding = pipeline(Readable.from(text), gzip);
  // A failure ends the reading below, too, which reports it.
  feeding.catch(() => {});
  yield* gzip;
  await feeding;
}

/** Writes an export to a stream that stays open. */
export async function sendExport(output: Writable, stream: RecordStream): Promise<void> {
  const text = Readable.from(documentText(stream));
  await pipeline(text, output, { end: false }).catch((cause) => {
    const code = systemErrorCode(cause);
    // The data's own faults are told as they are.
    if (cause instanceof AppError || code === undefined) throw cause;
    throw new AppError('storage_unavailable', `The export cannot be written (${code}).`, {
      hint: 'What was written of it is not whole and cannot be imported.',
      cause,
    });
  });
}

/** An export in a file, from its beginning each time. */
export function fromFile(path: string, options: ReadOptions): WithStream {
  return async (work) => {
    const file = await openExport(path);
    try {
      return await withDocument(file.createReadStream({ autoClose: false }), options, work);
    } finally {
      await file.close();
    }
  };
}

/** Throws `unreadable_input` where a file cannot be read: asked before anything is made ready for it. */
export async function assertReadable(path: string): Promise<void> {
  const file = await openExport(path);
  await file.close();
}

function openExport(path: string) {
  return openRegularFile(path).catch((error: unknown) => {
    const hint = 'Give the file of an export, or - for standard input.';
    throw error instanceof UnreadableInput ? unreadable(path, error, hint) : error;
  });
}

/** An export that can be read only once. */
export function fromInput(input: Readable, options: ReadOptions): WithStream {
  let isRead = false;
  return (work) => {
    if (isRead) {
      throw new AppError(
        'unreadable_input',
        'This is another export than the one that the import was begun with.',
        { hint: 'What that one left has been removed. Run the same again.' },
      );
    }
    isRead = true;
    return withDocument(input, options, work);
  };
}

async function withDocument<Result>(
  input: Readable,
  options: ReadOptions,
  work: (stream: RecordStream) => Promise<Result>,
): Promise<Result> {
  const lines = boundedLines(unpacked(input), longestLine);
  try {
    return await work(await openDocument(lines, options));
  } catch (error) {
    throw inputError(error);
  } finally {
    await lines.return(undefined);
    input.destroy();
  }
}

/** The bytes of an input, unpacked where it begins like gzip. */
async function* unpacked(input: Readable): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = input[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  for (let length = 0; length < 2; ) {
    const { done, value } = await chunks.next();
    if (done) break;
    head.push(value);
    length += value.length;
  }
  const whole = (async function* () {
    yield* head;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  })();
  const start = Buffer.concat(head);
  if (start[0] !== 0x1f || start[1] !== 0x8b) return yield* whole;
  const gunzip = createGunzip();
  const feeding = pipeline(Readable.from(whole), gunzip);
  feeding.catch(() => {});
  yield* gunzip;
  await feeding;
}

function inputError(error: unknown): unknown {
  const code = systemErrorCode(error);
  if (code === undefined || error instanceof AppError) return error;
  if (code.startsWith('Z_')) {
    return new AppError('unreadable_input', 'The packed export is cut off or damaged.', {
      hint: 'Copy or make it again.',
      cause: error,
    });
  }
  return error;
}
