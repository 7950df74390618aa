import { isUtf8 } from 'node:buffer';
import { AppError } from '../base/errors.js';

/** A line of a file without its line break; the number counts from 1. */
export interface FileLine {
  readonly text: string;
  readonly number: number;
}

const lineBreak = 10;

/**
 * The lines of a text in UTF-8. Memory holds one line, and none that is longer than `longest` bytes: that is
 * `unreadable_input`, as are other encodings and a last line without an end.
 */
export async function* boundedLines(
  chunks: AsyncIterable<Uint8Array>,
  longest: number,
): AsyncGenerator<FileLine> {
  let parts: Uint8Array[] = [];
  let length = 0;
  let number = 1;
  for await (const chunk of chunks) {
    let begin = 0;
    for (let end = chunk.indexOf(lineBreak); end >= 0; end = chunk.indexOf(lineBreak, begin)) {
      parts.push(chunk.subarray(begin, end));
      if (length + end - begin > longest) throw tooLong(number, longest);
      yield { text: decode(parts, number), number };
      parts = [];
      length = 0;
      number += 1;
      begin = end + 1;
    }
    if (begin < chunk.length) parts.push(chunk.subarray(begin));
    length += chunk.length - begin;
    if (length > longest) throw tooLong(number, longest);
  }
  if (length > 0) {
    throw new AppError('unreadable_input', `Line ${number} has no end: the file is cut off.`, {
      hint: 'Copy or make the export again.',
    });
  }
}

function decode(parts: readonly Uint8Array[], number: number): string {
  const [first] = parts;
  const bytes = parts.length === 1 && first ? first : Buffer.concat(parts);
  if (!isUtf8(bytes)) {
    throw new AppError('unreadable_input', `Line ${number} is not text in UTF-8.`);
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

function tooLong(number: number, longest: number): AppError {
  return new AppError('unreadable_input', `Line ${number} is longer than ${longest} bytes.`, {
    hint: 'This is not an export of msgsite, or it is damaged.',
  });
}
