import { readAt } from '../../base/files/durable-write.js';
import type { OpenFile } from '../../base/files/file-layer.js';
import { type Finding, faultAt } from '../../storage/json/check/data-checker.js';
import { bytesOf, type Line, linesOf, readLines } from '../../storage/json/lines/lines.js';
import type { StoredMessage } from '../model.js';

/** An open chat log: one message per line, in ascending order of IDs. `end` is its valid length, in bytes. */
export interface ChatLog {
  readonly chatId: number;
  readonly file: OpenFile;
  readonly end: number;
  /** Called with the offset of every damaged line that is read. */
  onDamage(start: number): void;
}

const lineBreak = 10;
const blockLength = 64 * 1024;

/** Called with each message that is read. Returns true to stop reading. */
export type IsEnough = (message: StoredMessage) => boolean;

/** A line of a chat log; `message` is undefined if it is damaged. */
interface FoundLine {
  readonly message: StoredMessage | undefined;
  readonly line: Line;
}

function toFound(line: Line): FoundLine {
  const value: unknown = line.text === undefined ? undefined : JSON.parse(line.text);
  return { message: isMessage(value) ? value : undefined, line };
}

/** Returns whether a value has the fields that all stored messages have. */
export function isMessage(value: unknown): value is StoredMessage {
  const message = value as Partial<StoredMessage> | null | undefined;
  return (
    Number.isSafeInteger(message?.id) &&
    Number.isSafeInteger(message?.chatId) &&
    Number.isSafeInteger(message?.senderId) &&
    typeof message?.createdAt === 'string' &&
    typeof message.encrypted === 'object' &&
    message.encrypted !== null
  );
}

/** Returns the messages with IDs below `before`, oldest first, starting with the one for which `isEnough` is true. */
export async function readBackwards(
  log: ChatLog,
  before: number,
  isEnough: IsEnough,
): Promise<StoredMessage[]> {
  const from =
    before === Number.POSITIVE_INFINITY ? log.end : (await findOffset(log, before)).offset;
  // Damaged lines after the offset may belong to messages before `before`.
  const border = from < log.end ? await collect(forwards(log, from), () => true) : [];
  const lines = (await collect(backwards(log, from), isEnough)).reverse();
  const messages = withPlaceholders(log, [...lines, ...border], undefined);
  return messages.filter(({ id }) => id < before);
}

/** Returns the messages with IDs above `after`, oldest first, up to the one for which `isEnough` is true. */
export async function readForwards(
  log: ChatLog,
  after: number,
  isEnough: IsEnough,
): Promise<StoredMessage[]> {
  const { offset, last } = await findOffset(log, after + 1);
  const lines = await collect(forwards(log, offset, 4 * blockLength), isEnough);
  return withPlaceholders(log, lines, last).filter(({ id }) => id > after);
}

/** Reads lines until `isEnough` is true and the last line is undamaged. Its ID limits the IDs of damaged lines. */
async function collect(lines: AsyncIterable<FoundLine>, isEnough: IsEnough): Promise<FoundLine[]> {
  const found: FoundLine[] = [];
  let enough = false;
  for await (const line of lines) {
    found.push(line);
    enough = isEnough(line.message ?? damagedMessage) || enough;
    if (enough && line.message) break;
  }
  return found;
}

/** Yields the lines before an offset, the last one first. */
async function* backwards(log: ChatLog, end: number): AsyncGenerator<FoundLine> {
  let rest: Buffer = Buffer.alloc(0);
  for (let start = end; start > 0; ) {
    const from = Math.max(0, start - blockLength);
    rest = Buffer.concat([await readAt(log.file, from, start - from), rest]);
    start = from;
    // The first line may be incomplete, unless the file begins with it.
    const whole = from === 0 ? 0 : rest.indexOf(lineBreak) + 1;
    if (from > 0 && (whole === 0 || whole === rest.length)) continue;
    let last = rest.length;
    while (last > whole) {
      // `lastIndexOf` would count a negative offset from the end.
      const before = last < 2 ? -1 : rest.lastIndexOf(lineBreak, last - 2);
      const begin = Math.max(whole, before + 1);
      for (const line of linesOf(rest.subarray(begin, last), start + begin).reverse()) {
        yield toFound(line);
      }
      last = begin;
    }
    rest = rest.subarray(0, whole);
  }
}

async function* forwards(
  log: ChatLog,
  from: number,
  length = blockLength,
): AsyncGenerator<FoundLine> {
  for await (const lines of readLines(log.file, { from, to: log.end, blockLength: length })) {
    for (const line of lines) yield toFound(line);
  }
}

/**
 * A position in a log. All undamaged messages before it have IDs below the requested one. `last` is the last of them.
 */
interface Found {
  readonly offset: number;
  readonly last: StoredMessage | undefined;
}

/**
 * Returns the position after the last undamaged message whose ID is below `id`. Halves the byte range until it fits
 * into one block. A log of one gigabyte takes about 14 small reads.
 */
export async function findOffset(log: ChatLog, id: number): Promise<Found> {
  let found: Found = { offset: 0, last: undefined };
  if (id <= 1) return found;
  // All undamaged lines that begin at `high` or later have IDs of at least `id`.
  let high = log.end;
  while (high - found.offset > blockLength) {
    const middle = found.offset + Math.floor((high - found.offset) / 2);
    const first = await firstWholeLine(log, middle, high);
    if (!first || first.last.id >= id) high = middle;
    else found = first;
  }
  for await (const { message, line } of forwards(log, found.offset)) {
    if (message && message.id >= id) break;
    if (message) found = { offset: line.end, last: message };
  }
  return found;
}

/** Returns the first undamaged line that begins after `position` and before `end`. */
async function firstWholeLine(log: ChatLog, position: number, end: number) {
  // Most lines are shorter than half a block.
  for await (const { message, line } of forwards({ ...log, end }, position, blockLength / 2)) {
    // The text at the position may be the end of a line.
    if (message && line.start > position) return { last: message, offset: line.end };
  }
  return undefined;
}

/** Shown in place of a message whose line is damaged. */
export const damagedMessage = {
  id: 0,
  chatId: 0,
  // No user has this ID.
  senderId: Number.MAX_SAFE_INTEGER,
  type: 'text',
  encrypted: { iv: '', encrypted: '', authTag: '' },
  scheme: 'email',
  createdAt: new Date(0).toISOString(),
} as const;

/**
 * Returns the messages of lines, with placeholders for damaged lines. A placeholder has the ID in the line if it is
 * legible and in order, and otherwise the next free ID. If no ID is free, the line is omitted. `last` is the message
 * before the lines.
 */
function withPlaceholders(
  log: ChatLog,
  lines: readonly FoundLine[],
  last: StoredMessage | undefined,
): StoredMessage[] {
  const messages: StoredMessage[] = [];
  let before = last;
  let run: FoundLine[] = [];

  function endRun(after: StoredMessage | undefined): void {
    const limit = after?.id ?? Number.POSITIVE_INFINITY;
    const { createdAt } = before ?? after ?? damagedMessage;
    for (const { line } of run) {
      log.onDamage(line.start);
      const beginning = bytesOf(line).toString('latin1', 0, 30);
      const legible = Number(/^\{"id":(\d{1,15}),/.exec(beginning)?.[1] ?? 0);
      const lowest = (before?.id ?? 0) + 1;
      const id = legible >= lowest && legible < limit ? legible : lowest;
      if (id >= limit) break;
      before = { ...damagedMessage, id, chatId: log.chatId, createdAt };
      messages.push(before);
    }
    run = [];
  }

  for (const line of lines) {
    if (!line.message) run.push(line);
    else {
      endRun(line.message);
      messages.push(line.message);
      before = line.message;
    }
  }
  endRun(undefined);
  return messages;
}

/** Returns the finding for a log that has become shorter. */
export function lostLines(file: string, size: number, known: number): Finding {
  const message = `The file has only ${size} of its ${known} bytes. Lines are missing.`;
  return faultAt({ file }, message);
}
