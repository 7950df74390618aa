import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip, type Gunzip, type Gzip } from 'node:zlib';
import { AppError, systemErrorCode } from '../base/errors.js';
import { openRegularFile, UnreadableInput, unreadable } from '../base/files/input-file.js';
import { type OutputFileOptions, writeOutputFile } from '../base/files/output-file.js';
import { boundedLines, openDocument } from './read-document.js';
import { longestLine, type ReadOptions, type RecordStream } from './record-stream.js';
import type { WithStream } from './transfer.js';

/** Text gathered before it is handed on. */
const chunkLength = 64 * 1024;

/** The text of an export: a header, a line a record, and a last line that counts them. */
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
 * Writes an export to a file, for its owner only, packed where the name ends in `.gz`. The name is there when
 * all of it is on disk, and not before.
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

/** What goes through a packer or unpacker. */
async function* through(
  content: AsyncIterable<string | Uint8Array>,
  packer: Gzip | Gunzip,
): AsyncGenerator<Uint8Array> {
  const feeding = pipeline(Readable.from(content), packer);
  // A failure ends the reading below, too, which reports it.
  feeding.catch(() => {});
  yield* packer;
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
  let head = Buffer.alloc(0);
  let next = await chunks.next();
  for (; !next.done && head.length < 2; next = await chunks.next()) {
    head = Buffer.concat([head, next.value]);
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield head;
    for (; !next.done; next = await chunks.next()) yield next.value;
  }
  const isPacked = head[0] === 0x1f && head[1] === 0x8b;
  try {
    yield* isPacked ? through(whole(), createGunzip()) : whole();
  } catch (error) {
    // Here, before whoever writes what was read takes it for a fault of the disk.
    throw inputError(error);
  }
}

function inputError(error: unknown): unknown {
  if (error instanceof AppError || !systemErrorCode(error)?.startsWith('Z_')) return error;
  return new AppError('unreadable_input', 'The packed export is cut off or damaged.', {
    hint: 'Copy or make it again.',
    cause: error,
  });
}
