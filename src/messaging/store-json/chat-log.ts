import { readAt } from '../../base/files/durable-write.js';
import type { OpenFile } from '../../base/files/file-layer.js';
import { type Finding, faultAt } from '../../storage/json/check/data-checker.js';
import { bytesOf, type Line, linesOf, readLines } from '../../storage/json/lines/lines.js';
import type { StoredMessage } from '../model.js';

/** An open chat log: one message a line, ids rising. `end` is behind the last line that counts. */
export interface ChatLog {
  readonly chatId: number;
  readonly file: OpenFile;
  readonly end: number;
  /** Called with the offset of every damaged line that is read. */
  onDamage(start: number): void;
}

const lineBreak = 10;
const blockLength = 64 * 1024;

/** Asked of each message that is read: whether it is the last one that is needed. */
export type IsEnough = (message: StoredMessage) => boolean;

/** A line of a chat log; `message` is undefined where it is damaged. */
interface FoundLine {
  readonly message: StoredMessage | undefined;
  readonly line: Line;
}

function toFound(line: Line): FoundLine {
  const value: unknown = line.text === undefined ? undefined : JSON.parse(line.text);
  return { message: isMessage(value) ? value : undefined, line };
}

/** Whether a value has what every stored message has. */
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

/** The messages with lower ids than `before`, back to the one that is enough; oldest first. */
export async function readBackwards(
  log: ChatLog,
  before: number,
  isEnough: IsEnough,
): Promise<StoredMessage[]> {
  const from =
    before === Number.POSITIVE_INFINITY ? log.end : (await findOffset(log, before)).offset;
  // Damaged lines at the border may be of messages before it.
  const border = from < log.end ? await collect(forwards(log, from), () => true) : [];
  const lines = (await collect(backwards(log, from), isEnough)).reverse();
  const messages = withStandIns(log, [...lines, ...border], undefined);
  return messages.filter(({ id }) => id < before);
}

/** The messages with higher ids than `after`, up to the one that is enough; oldest first. */
export async function readForwards(
  log: ChatLog,
  after: number,
  isEnough: IsEnough,
): Promise<StoredMessage[]> {
  const { offset, last } = await findOffset(log, after + 1);
  const lines = await collect(forwards(log, offset, 4 * blockLength), isEnough);
  return withStandIns(log, lines, last).filter(({ id }) => id > after);
}

/** Messages of others than `userId` with a higher id than `after`, counted up to `most`. */
export interface OthersQuery {
  readonly userId: number;
  readonly after: number;
  readonly most: number;
}

/** How many there were, and the id of the last message that was looked at. */
export interface CountedMessages {
  readonly count: number;
  readonly through: number;
}

/** Counts without making messages of the lines: what is asked for stands at their beginnings. */
export async function countForwards(
  log: ChatLog,
  { userId, after, most }: OthersQuery,
): Promise<CountedMessages> {
  const { offset } = await findOffset(log, after + 1);
  let [count, through] = [0, after];
  const extent = { from: offset, to: log.end, blockLength: 4 * blockLength };
  for await (const lines of readLines(log.file, extent)) {
    for (const line of lines) {
      if (count >= most) return { count, through };
      const { id, senderId } = beginningOf(line) ?? toFound(line).message ?? damagedMessage;
      // A damaged line is shown as a message of nobody, under the next id.
      through = Math.max(through + 1, id);
      if (senderId !== userId) count += 1;
    }
  }
  return { count, through };
}

/** Id and sender of a message, from the beginning of its line as this program writes it. */
function beginningOf({ text = '' }: Line): Pick<StoredMessage, 'id' | 'senderId'> | undefined {
  const found = /^\{"id":(\d{1,16}),"chatId":\d{1,16},"senderId":(\d{1,16}),/.exec(text);
  return found ? { id: Number(found[1]), senderId: Number(found[2]) } : undefined;
}

/** Lines until they are enough, the last one being whole: only between whole ones ids can be told. */
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

/** The lines that end at an offset or before it, the last one first. */
async function* backwards(log: ChatLog, end: number): AsyncGenerator<FoundLine> {
  let rest: Buffer = Buffer.alloc(0);
  for (let start = end; start > 0; ) {
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

/** A position in a log: every whole message before it has a lower id than asked for, `last` the highest. */
interface Found {
  readonly offset: number;
  readonly last: StoredMessage | undefined;
}

/**
 * The position behind the last whole message whose id is below `id`. Halves the range of bytes until it fits
 * into one block: a chat of a gigabyte takes about 14 small reads.
 */
export async function findOffset(log: ChatLog, id: number): Promise<Found> {
  let found: Found = { offset: 0, last: undefined };
  if (id <= 1) return found;
  // Of the whole lines that begin at `high` or later, none has a lower id.
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

/** The first whole line that begins behind `position` and before `end`, by what is behind it. */
async function firstWholeLine(log: ChatLog, position: number, end: number) {
  // Most lines are shorter than this.
  for await (const { message, line } of forwards({ ...log, end }, position, blockLength / 2)) {
    // What begins at the position may be the rest of a line.
    if (message && line.start > position) return { last: message, offset: line.end };
  }
  return undefined;
}

/** What is shown of a message whose line is damaged. */
export const damagedMessage = {
  id: 0,
  chatId: 0,
  // An id that nobody has.
  senderId: Number.MAX_SAFE_INTEGER,
  type: 'text',
  encrypted: { iv: '', encrypted: '', authTag: '' },
  scheme: 'email',
  createdAt: new Date(0).toISOString(),
} as const;

/**
 * The messages of lines, with stand-ins for damaged ones: each has its own id where that is legible and in
 * order, else the next free one; where none is free it is left out. `last`: the message before them.
 */
function withStandIns(
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

/** What is wrong with a log that is shorter than it was. */
export function lostLines(file: string, size: number, known: number): Finding {
  const message = `The file has ${size} bytes of ${known}: some of its lines are missing.`;
  return faultAt({ file }, message);
}
