import { readAt } from '../../base/files/durable-write.js';
import type { FileLayer, OpenFile } from '../../base/files/file-layer.js';
import { isMissing, storageError } from '../../base/files/storage-errors.js';
import { crc32c } from './checksum.js';

/**
 * How everything stands in the files of a data folder: one JSON text a line, a tab, and the CRC-32C of
 * the text's bytes in eight hexadecimal digits. JSON texts hold neither tabs nor line breaks of their own.
 */
export function encodeLine(json: string): string {
  return `${json}\t${checksumOf(Buffer.from(json))}\n`;
}

/** A tab and eight digits. */
const suffixLength = 9;
const tab = 9;
const lineBreak = 10;

/** The JSON text of a line (without its line break); undefined where its checksum does not fit. */
export function decodeLine(line: Buffer): string | undefined {
  const end = line.length - suffixLength;
  if (end < 0 || line[end] !== tab) return undefined;
  const text = line.subarray(0, end);
  const isWhole = line.toString('latin1', end + 1) === checksumOf(text);
  return isWhole ? text.toString('utf8') : undefined;
}

function checksumOf(bytes: Uint8Array): string {
  return crc32c(bytes).toString(16).padStart(8, '0');
}

/** A line of a file, whole or damaged. */
export interface Line {
  /** Counted from 1 where reading began. */
  readonly number: number;
  readonly start: number;
  /** Where the next line begins. */
  readonly end: number;
  /** As it stands in the file, without its line break. */
  readonly bytes: Buffer;
  /** JSON; undefined where the line is damaged, or the file ends before its line break. */
  readonly text: string | undefined;
  /** True where only the line break is damaged. */
  readonly isUnbroken?: boolean;
}

/** Which part of a file is read (all of it unless told), and how much at a time. */
export interface Extent {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly blockLength?: number | undefined;
}

/**
 * The lines of a file from an offset on to another, some at a time, in order, with memory for one block
 * and one line. What follows the last line break comes as a damaged line.
 */
export async function* readLines(
  file: OpenFile,
  { from = 0, to = Number.POSITIVE_INFINITY, blockLength = 1024 * 1024 }: Extent = {},
): AsyncGenerator<Line[]> {
  let rest: Buffer = Buffer.alloc(0);
  let start = from;
  let number = 1;
  for (let position = from; ; ) {
    const block = await readAt(file, position, Math.min(blockLength, to - position));
    position += block.length;
    const isLast = block.length === 0;
    // What was left of the block before holds no line break.
    let next = block.indexOf(lineBreak);
    next = next < 0 ? -1 : next + rest.length;
    rest = rest.length === 0 ? block : Buffer.concat([rest, block]);
    const lines: Line[] = [];
    let begin = 0;
    for (; next >= 0; next = rest.indexOf(lineBreak, begin)) {
      lines.push(...linesOf(rest.subarray(begin, next + 1), start + begin, number));
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

/** The lines of the file at a path; none where there is none. */
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

/** The line in these bytes; more than one where the line breaks between them are damaged. */
export function linesOf(bytes: Buffer, start: number, number = 1): Line[] {
  const end = start + bytes.length;
  const isCut = bytes.at(-1) !== lineBreak;
  const line = isCut ? bytes : bytes.subarray(0, -1);
  const text = isCut ? undefined : decodeLine(line);
  // A checksum that fits its text ends a line, whatever became of the line break behind it.
  for (let at = text === undefined ? bytes.indexOf(tab) : -1; at >= 0; ) {
    const stop = at + suffixLength;
    if (stop >= bytes.length) break;
    const whole = bytes.subarray(0, stop);
    const first = decodeLine(whole);
    if (first !== undefined) {
      const rest =
        stop + 1 < bytes.length ? linesOf(bytes.subarray(stop + 1), start + stop + 1, number) : [];
      const end = start + stop + 1;
      return [{ number, start, end, bytes: whole, text: first, isUnbroken: true }, ...rest];
    }
    at = bytes.indexOf(tab, at + 1);
  }
  return [{ number, start, end, bytes: line, text }];
}
