import { readAt } from '../../base/files/durable-write.js';
import type { OpenFile } from '../../base/files/file-layer.js';
import { damaged } from '../../base/files/storage-errors.js';
import { readLines } from '../../storage/json/line-reader.js';
import type { StoredMessage } from '../model.js';

/** An open chat log: one message a line, ids rising. `end` is behind the last whole line. */
export interface ChatLog {
  readonly file: OpenFile;
  readonly path: string;
  readonly end: number;
}

const lineBreak = 10;
const blockLength = 64 * 1024;

/** Where the last whole line ends; what follows was torn by a crash and is still in the journal. */
export async function endOfLines(file: OpenFile): Promise<number> {
  const { size } = await file.stat();
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - blockLength);
    const block = await readAt(file, start, end - start);
    const found = block.lastIndexOf(lineBreak);
    if (found >= 0) return start + found + 1;
    end = start;
  }
  return 0;
}

/** Asked of each message that is read: whether it is the last one that is needed. */
export type IsEnough = (message: StoredMessage) => boolean;

/** The messages that begin before the offset `end`, back to the one that is enough; oldest first. */
export async function readBackwards(
  log: ChatLog,
  end: number,
  isEnough: IsEnough,
): Promise<StoredMessage[]> {
  const found: StoredMessage[] = [];
  let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  let start = end;
  while (start > 0) {
    const from = Math.max(0, start - blockLength);
    rest = Buffer.concat([await readAt(log.file, from, start - from), rest]);
    start = from;
    // The first line of what was read may have begun before it, unless this is the file's beginning.
    const whole = from === 0 ? 0 : rest.indexOf(lineBreak) + 1;
    if (from > 0 && (whole === 0 || whole === rest.length)) continue;
    let last = rest.length;
    while (last > whole) {
      // An offset below zero would mean "from the end".
      const before = last < 2 ? -1 : rest.lastIndexOf(lineBreak, last - 2);
      const begin = Math.max(whole, before + 1);
      const text = rest.toString('utf8', begin, last - 1);
      const message = await parseMessage(log, text, start + begin);
      found.push(message);
      if (isEnough(message)) return found.reverse();
      last = begin;
    }
    rest = rest.subarray(0, whole);
  }
  return found.reverse();
}

/** The messages from the line at the offset `start` on, up to the one that is enough. */
export async function readForwards(
  log: ChatLog,
  start: number,
  isEnough: IsEnough,
): Promise<StoredMessage[]> {
  const found: StoredMessage[] = [];
  if (start >= log.end) return found;
  for await (const line of readLines(log.file, start)) {
    const message = await parseMessage(log, line.text, line.start);
    found.push(message);
    if (isEnough(message) || line.end >= log.end) break;
  }
  return found;
}

/**
 * Offset of the first line whose id is `id` or higher; `end` where there is none. Halves the range of
 * bytes until it fits into one block: a chat of a gigabyte takes about 14 small reads.
 */
export async function findOffset(log: ChatLog, id: number): Promise<number> {
  // Every line that begins before `low` (itself the beginning of a line) has a lower id, every line
  // that begins at `high` or later has not.
  let low = 0;
  let high = log.end;
  while (high - low > blockLength) {
    const middle = low + Math.floor((high - low) / 2);
    const line = await firstLineFrom(log, middle);
    if (line.start >= high || (await idAt(log, line)) >= id) high = middle;
    else low = line.end;
  }
  for await (const line of readLines(log.file, low)) {
    if (line.start >= log.end) break;
    if ((await idAt(log, line)) >= id) return line.start;
  }
  return log.end;
}

interface FoundLine {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The first line that begins behind `position`. */
async function firstLineFrom({ file, end }: ChatLog, position: number): Promise<FoundLine> {
  const behind: FoundLine = { text: '', start: end, end };
  for (let length = 4096; ; length *= 4) {
    const block = await readAt(file, position, Math.min(length, end - position));
    const begin = block.indexOf(lineBreak) + 1;
    const stop = begin === 0 ? -1 : block.indexOf(lineBreak, begin);
    if (stop >= 0) {
      const text = block.toString('utf8', begin, stop);
      return { text, start: position + begin, end: position + stop + 1 };
    }
    if (position + block.length >= end) return behind;
  }
}

/** Lines begin with their id, so that most need not be parsed. */
async function idAt(log: ChatLog, { text, start }: Pick<FoundLine, 'text' | 'start'>) {
  const id = /^\{"id":(\d+),/.exec(text)?.[1];
  return id === undefined ? (await parseMessage(log, text, start)).id : Number(id);
}

async function parseMessage(log: ChatLog, text: string, start: number): Promise<StoredMessage> {
  let fault: unknown;
  try {
    const value: unknown = JSON.parse(text);
    if (isMessage(value)) return value;
  } catch (error) {
    fault = error;
  }
  const line = await lineNumberAt(log, start);
  throw damaged(log.path, `line ${line}`, 'this is not a stored message', fault);
}

/** Whether a value has what every stored message has. */
export function isMessage(value: unknown): value is StoredMessage {
  const message = value as Partial<StoredMessage> | null;
  return (
    Number.isSafeInteger(message?.id) &&
    Number.isSafeInteger(message?.chatId) &&
    Number.isSafeInteger(message?.senderId) &&
    typeof message?.createdAt === 'string' &&
    typeof message.encrypted === 'object' &&
    message.encrypted !== null
  );
}

/** Counted only when something is wrong there. */
async function lineNumberAt({ file }: ChatLog, offset: number): Promise<number> {
  for await (const line of readLines(file)) if (line.end > offset) return line.number;
  return 1;
}
