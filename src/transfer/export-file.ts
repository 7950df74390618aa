import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip, type Gunzip, type Gzip } from 'node:zlib';
import { AppError, systemErrorCode } from '../base/errors.js';
import { openRegularFile, UnreadableInput, unreadable } from '../base/files/input-file.js';
import { type OutputFileOptions, writeOutputFile } from '../base/files/output-file.js';
import { boundedLines, openDocument } from './read-document.js';
import { maxLineLength, type ReadOptions, type RecordStream } from './record-stream.js';
import type { WithStream } from './transfer.js';

/** Minimum length of a chunk of an export, in characters. */
const chunkLength = 64 * 1024;

/** Yields the text of an export: a header, one line per record, and a last line with the totals. */
async function* documentText(stream: RecordStream): AsyncGenerator<string> {
  let text = `${JSON.stringify(stream.header)}\n`;
  for await (const { line } of stream.entries) {
    text += `${line}\n`;
    if (text.length < chunkLength) continue;
    yield text;
    text = '';
  }
  yield `${text}${JSON.stringify({ kind: 'end', ...stream.summary() })}\n`;
}

/**
 * Writes an export to a file that only its owner can read. Compresses it if the name ends in `.gz`. The file receives
 * its name after it is completely on disk.
 */
export async function writeExport(
  path: string,
  stream: RecordStream,
  options: Omit<OutputFileOptions, 'mode'>,
): Promise<void> {
  const text = documentText(stream);
  const content = path.endsWith('.gz') ? through(text, createGzip()) : text;
  await writeOutputFile(path, content, { ...options, mode: 0o600 });
}

/** Compresses or decompresses content. */
async function* through(
  content: AsyncIterable<string | Uint8Array>,
  transform: Gzip | Gunzip,
): AsyncGenerator<Uint8Array> {
  const feeding = pipeline(Readable.from(content), transform);
  // A failure also makes the reading below fail, which reports it.
  feeding.catch(() => {});
  yield* transform;
  await feeding;
}

/** Writes an export to a stream, and leaves the stream open. */
export async function sendExport(output: Writable, stream: RecordStream): Promise<void> {
  const text = Readable.from(documentText(stream));
  await pipeline(text, output, { end: false }).catch((cause) => {
    const code = systemErrorCode(cause);
    // A fault in the data is not an output error.
    if (cause instanceof AppError || code === undefined) throw cause;
    throw new AppError('storage_unavailable', `The export cannot be written (${code}).`, {
      hint: 'The output is incomplete and cannot be imported.',
      cause,
    });
  });
}

/** Returns a function that reads an export from a file, each time from the beginning. */
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

function openExport(path: string) {
  return openRegularFile(path).catch((error: unknown) => {
    const hint = 'Specify an export file, or - for standard input.';
    throw error instanceof UnreadableInput ? unreadable(path, error, hint) : error;
  });
}

/** Returns a function that reads an export from standard input, which is possible only once. */
export function fromInput(input: Readable, options: ReadOptions): WithStream {
  let isRead = false;
  return (work) => {
    if (isRead) {
      throw new AppError(
        'unreadable_input',
        'The interrupted import was started with a different export.',
        { hint: 'Its data has been removed. Run the same command again.' },
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
  const lines = boundedLines(decompressed(input), maxLineLength);
  try {
    return await work(await openDocument(lines, options));
  } catch (error) {
    throw inputError(error);
  } finally {
    await lines.return(undefined);
    input.destroy();
  }
}

/** Yields the bytes of an input. Decompresses gzip. */
async function* decompressed(input: Readable): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = input[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  let next = await chunks.next();
  for (; !next.done && head.length < 2; next = await chunks.next()) {
    head = Buffer.concat([head, next.value]);
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield head;
    for (; !next.done; next = await chunks.next()) yield next.value;
  }
  const isCompressed = head[0] === 0x1f && head[1] === 0x8b;
  try {
    yield* isCompressed ? through(whole(), createGunzip()) : whole();
  } catch (error) {
    // Converted here, so that a writer does not mistake it for a disk failure.
    throw inputError(error);
  }
}

function inputError(error: unknown): unknown {
  if (error instanceof AppError || !systemErrorCode(error)?.startsWith('Z_')) return error;
  return new AppError('unreadable_input', 'The compressed export is truncated or damaged.', {
    hint: 'Copy or create it again.',
    cause: error,
  });
}
