import { readAt } from '../../../base/files/durable-write.js';
import type { FileLayer, OpenFile } from '../../../base/files/file-layer.js';
import { isMissing, storageError } from '../../../base/files/storage-errors.js';
import { crc32c } from './checksum.js';

/**
 * Encodes a line of a file in a data folder. Each line is one JSON object whose last member, `"crc"`, is the CRC-32C of
 * the bytes before `,"crc"` in eight hexadecimal digits. Any JSON tool can read it, and each line can be verified
 * separately. Callers pass and receive the JSON text without that member.
 */
export function encodeLine(json: string): string {
  return encodeLines([json]).toString();
}

/**
 * Encodes several lines. Each JSON text must be an object with at least one member and without line breaks. `mark` is
 * put before the checksum of every line except the first.
 */
export function encodeLines(jsons: readonly string[], mark?: ' ' | '\t'): Buffer {
  // Allocates room for the longest possible result, because counting the bytes takes as long as writing them.
  const maxSize = (json: string) => bytesOfUnit * json.length + 1 + suffixLength + 1;
  const bytes = Buffer.allocUnsafe(jsons.reduce((sum, json) => sum + maxSize(json), 0));
  let end = 0;
  for (const json of jsons) {
    const start = end;
    // The closing brace follows the checksum.
    end += bytes.write(json, start) - 1;
    if (start > 0 && mark !== undefined) {
      bytes[end] = mark.charCodeAt(0);
      end += 1;
    }
    const checksum = crc32c(bytes, start, end);
    bytes.set(checksumStart, end);
    end += checksumStart.length;
    for (let shift = 28; shift >= 0; shift -= 4) {
      bytes[end] = digits.charCodeAt((checksum >>> shift) & 15);
      end += 1;
    }
    bytes[end] = quote;
    bytes[end + 1] = brace;
    bytes[end + 2] = lineBreak;
    end += 3;
  }
  return bytes.subarray(0, end);
}

/** Maximum number of UTF-8 bytes of one UTF-16 code unit. */
const bytesOfUnit = 3;
const digits = '0123456789abcdef';
const checksumStart = Buffer.from(',"crc":"');
/** Length of the checksum member, with its eight digits and the object's closing brace, in bytes. */
const suffixLength = checksumStart.length + 8 + 2;
const quote = 34;
const brace = 125;
const lineBreak = 10;

/** Returns the JSON text of a line without its line break; undefined if the checksum does not match. */
export function decodeLine(line: Buffer): string | undefined {
  if (!isWhole(line, 0, line.length)) return undefined;
  return `${line.toString('utf8', 0, line.length - suffixLength)}}`;
}

/** Returns whether the checksum of the line from `start` to `stop`, the position of its line break, is correct. */
function isWhole(bytes: Buffer, start: number, stop: number): boolean {
  const end = stop - suffixLength;
  if (end < start || bytes[stop - 1] !== brace || bytes[stop - 2] !== quote) return false;
  for (let index = 0; index < checksumStart.length; index += 1) {
    if (bytes[end + index] !== checksumStart[index]) return false;
  }
  const checksum = crc32c(bytes, start, end);
  const first = end + checksumStart.length;
  for (let digit = 0; digit < 8; digit += 1) {
    const expected = digits.charCodeAt((checksum >>> (28 - 4 * digit)) & 15);
    if (bytes[first + digit] !== expected) return false;
  }
  return true;
}

/** A line of a file, which may be damaged. */
export interface Line {
  /** Counted from 1, starting with the first line that was read. */
  readonly number: number;
  readonly start: number;
  /** The offset of the next line. */
  readonly end: number;
  /** JSON without the checksum; undefined if the line is damaged, or the file ends before its line break. */
  readonly text: string | undefined;
  /** The bytes in the file, if the line or its line break is damaged. */
  readonly damaged?: Buffer;
  /** True if only the line break is damaged. */
  readonly isUnbroken?: boolean;
}

/** Returns the bytes of a line in its file, without the line break. */
export function bytesOf({ text = '', damaged }: Line): Buffer {
  return damaged ?? encodeLines([text]).subarray(0, -1);
}

/** The part of a file to read, by default all of it, and the number of bytes to read at a time. */
export interface Extent {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly blockLength?: number | undefined;
}

/**
 * Reads the lines between two offsets of a file in order, several at a time. Memory contains one block and one line.
 * Bytes after the last line break are returned as a damaged line.
 */
export async function* readLines(
  file: OpenFile,
  { from = 0, to, blockLength = 64 * 1024 }: Extent = {},
): AsyncGenerator<Line[]> {
  const stop = to ?? (await file.stat()).size;
  let rest: Buffer = Buffer.alloc(0);
  let start = from;
  let number = 1;
  for (let position = from; ; ) {
    const length = Math.min(blockLength, stop - position);
    const block = await readAt(file, position, length);
    position += block.length;
    const isLast = block.length < length || position === stop;
    // The rest of the previous block contains no line break.
    let next = block.indexOf(lineBreak);
    next = next < 0 ? -1 : next + rest.length;
    rest = rest.length === 0 ? block : Buffer.concat([rest, block]);
    // Decoding the block is much faster than decoding each line. Invalid UTF-8 never changes the positions of line
    // breaks.
    const texts = next < 0 ? '' : rest.toString('utf8', 0, rest.lastIndexOf(lineBreak) + 1);
    let textBegin = 0;
    const lines: Line[] = [];
    let begin = 0;
    for (; next >= 0; next = rest.indexOf(lineBreak, begin)) {
      const textStop = texts.indexOf('\n', textBegin);
      if (isWhole(rest, begin, next)) {
        const text = `${texts.slice(textBegin, textStop - suffixLength)}}`;
        lines.push({ number, start: start + begin, end: start + next + 1, text });
      } else lines.push(...linesOf(rest.subarray(begin, next + 1), start + begin, number));
      textBegin = textStop + 1;
      begin = next + 1;
      number += 1;
    }
    if (isLast && begin < rest.length) {
      lines.push(...linesOf(rest.subarray(begin), start + begin, number));
    }
    if (lines.length > 0) yield lines;
    if (isLast) return;
    rest = rest.subarray(begin);
    start += begin;
  }
}

/** Yields the lines of a file; none if the file does not exist. */
export async function* readFileLines(
  files: FileLayer,
  path: string,
  extent: Extent = {},
): AsyncGenerator<Line[]> {
  try {
    const file = await files.open(path, 'r');
    try {
      yield* readLines(file, extent);
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (!isMissing(cause)) throw storageError(cause, path);
  }
}

/** Returns the line in these bytes, or several lines if the line breaks between them are damaged. */
export function linesOf(bytes: Buffer, start: number, number = 1): Line[] {
  const end = start + bytes.length;
  const isCut = bytes.at(-1) !== lineBreak;
  const line = isCut ? bytes : bytes.subarray(0, -1);
  const text = isCut ? undefined : decodeLine(line);
  // A matching checksum ends a line, even if the line break after it is damaged.
  for (let at = text === undefined ? bytes.indexOf(checksumStart) : -1; at >= 0; ) {
    const stop = at + suffixLength;
    if (stop >= bytes.length) break;
    const whole = bytes.subarray(0, stop);
    const first = decodeLine(whole);
    if (first !== undefined) {
      const rest =
        stop + 1 < bytes.length ? linesOf(bytes.subarray(stop + 1), start + stop + 1, number) : [];
      const end = start + stop + 1;
      return [{ number, start, end, text: first, damaged: whole, isUnbroken: true }, ...rest];
    }
    at = bytes.indexOf(checksumStart, at + 1);
  }
  return [
    text === undefined ? { number, start, end, text, damaged: line } : { number, start, end, text },
  ];
}

/** Returns the content of a file with a single value: one line with a checksum. */
export function valueLine(value: object): string {
  return encodeLine(JSON.stringify(value));
}

/** Returns the value in such a file; undefined if the file is damaged. */
export function readValueLine(bytes: Buffer): unknown {
  if (bytes.indexOf(lineBreak) !== bytes.length - 1) return undefined;
  const json = decodeLine(bytes.subarray(0, -1));
  return json === undefined ? undefined : JSON.parse(json);
}
