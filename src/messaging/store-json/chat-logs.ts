import { dirname, join } from 'node:path';
import { ensureFolder, readAt, syncFolder, writeAll } from '../../base/files/durable-write.js';
import type { FileLayer, OpenFile } from '../../base/files/file-layer.js';
import { isMissing, storageError } from '../../base/files/storage-errors.js';
import { type Report, repairAdvice } from '../../storage/json/data-checker.js';
import { encodeLines, readLines } from '../../storage/json/lines.js';
import type { StoredMessage } from '../model.js';
import {
  type ChatLog,
  findOffset,
  type IsEnough,
  readBackwards,
  readForwards,
} from './chat-log-search.js';

/** A message with the JSON that it is stored as, or with its whole line where that is damaged. */
export interface MessageLine {
  readonly message: StoredMessage;
  readonly line: string | Buffer;
}

/** The messages of each chat in a file of its own, read back by offset; opened only while in use. */
export interface ChatLogs {
  /** Bytes of a chat's log that are on disk; what is behind them does not count. */
  lengthOf(chatId: number): Promise<number>;
  /** Lets nothing count from the message with this id on. */
  cutAt(chatId: number, id: number): Promise<void>;
  /** Adds messages behind that length. On disk when it resolves. */
  append(chatId: number, lines: readonly MessageLine[]): Promise<void>;
  /** The messages with lower ids than `before`, back to the one that is enough; oldest first. */
  readBefore(chatId: number, before: number, isEnough: IsEnough): Promise<StoredMessage[]>;
  /** The messages with higher ids than `after`, up to the one that is enough; oldest first. */
  readAfter(chatId: number, after: number, isEnough: IsEnough): Promise<StoredMessage[]>;
}

export interface ChatLogOptions {
  readonly folder: string;
  readonly files: FileLayer;
  /** Lengths of logs that may be longer than what counts, by chat: a move to them was cut off. */
  readonly lengths: ReadonlyMap<number, number>;
  /** Told once of every damaged line that is read, as long as they are few. */
  onDamage: Report;
}

/** Bytes written in one go. */
const writeLength = 256 * 1024;
/** Damaged lines that are told of only once. */
const mostReported = 10_000;

/** `<folder>/<xx>/<chatId>.jsonl`, in 256 folders so that none grows too large to list. */
export function chatLogPath(folder: string, chatId: number): string {
  const shard = (chatId % 256).toString(16).padStart(2, '0');
  return join(folder, shard, `${chatId}.jsonl`);
}

export function createChatLogs(options: ChatLogOptions): ChatLogs {
  const { folder, files } = options;
  /** Of logs that a cut or a failed write may have left too long: the length that counts. */
  const lengths = new Map(options.lengths);
  const reported = new Set<string>();

  async function read(
    chatId: number,
    use: (log: ChatLog) => Promise<StoredMessage[]>,
  ): Promise<StoredMessage[]> {
    const path = chatLogPath(folder, chatId);
    const starts: number[] = [];
    try {
      const file = await files.open(path, 'r');
      try {
        const end = lengths.get(chatId) ?? (await file.stat()).size;
        const messages = await use({ chatId, file, end, onDamage: (start) => starts.push(start) });
        for (const start of starts) await reportDamage(file, path, start);
        return messages;
      } finally {
        await file.close();
      }
    } catch (cause) {
      if (isMissing(cause)) return [];
      throw storageError(cause, path);
    }
  }

  async function reportDamage(file: OpenFile, path: string, start: number): Promise<void> {
    const name = `${path} ${start}`;
    if (reported.has(name) || reported.size >= mostReported) return;
    reported.add(name);
    const line = await lineNumberAt(file, start);
    const message = 'This line is damaged: its checksum does not fit.';
    options.onDamage({ severity: 'error', file: path, line, message, advice: repairAdvice });
  }

  async function lengthOf(chatId: number): Promise<number> {
    const path = chatLogPath(folder, chatId);
    try {
      return lengths.get(chatId) ?? (await files.stat(path)).size;
    } catch (cause) {
      if (isMissing(cause)) return 0;
      throw storageError(cause, path);
    }
  }

  async function addTo(file: OpenFile, end: number, lines: readonly MessageLine[]): Promise<void> {
    // A log that has lost its end gets zeros in its place: it shows where something is missing, and
    // what follows begins where it would have begun.
    if ((await file.stat()).size !== end) await file.truncate(end);
    const last = await readAt(file, Math.max(0, end - 1), 1);
    const isWhole = end === 0 || last.toString() === '\n';
    await writeLines(file, end, isWhole ? '' : '\n', lines);
    await file.datasync();
  }

  return {
    lengthOf,
    async cutAt(chatId, id) {
      await read(chatId, async (log) => {
        lengths.set(chatId, (await findOffset(log, id)).offset);
        return [];
      });
    },
    async append(chatId, lines) {
      const path = chatLogPath(folder, chatId);
      await ensureFolder(files, dirname(path));
      const end = await lengthOf(chatId);
      lengths.set(chatId, end);
      try {
        const file = await openOrCreate(files, path);
        try {
          await addTo(file, end, lines);
        } catch (error) {
          await file.truncate(end).catch(() => {});
          throw error;
        } finally {
          await file.close();
        }
        if (end === 0) await syncFolder(files, dirname(path));
      } catch (cause) {
        throw storageError(cause, path);
      }
      lengths.delete(chatId);
    },
    readBefore: (chatId, before, isEnough) =>
      read(chatId, (log) => readBackwards(log, before, isEnough)),
    readAfter: (chatId, after, isEnough) =>
      read(chatId, (log) => readForwards(log, after, isEnough)),
  };
}

async function openOrCreate(files: FileLayer, path: string): Promise<OpenFile> {
  try {
    return await files.open(path, 'r+');
  } catch (error) {
    if (!isMissing(error)) throw error;
    return files.open(path, 'wx+');
  }
}

async function writeLines(
  file: OpenFile,
  end: number,
  before: string,
  lines: readonly MessageLine[],
): Promise<void> {
  let position = end;
  let chunk: string[] = [];
  let length = 0;
  const write = async (bytes: Buffer) => {
    await writeAll(file, bytes, position);
    position += bytes.length;
    chunk = [];
    length = 0;
  };
  if (before !== '') await write(Buffer.from(before));
  for (const { line } of lines) {
    if (typeof line === 'string') chunk.push(line);
    else await write(Buffer.concat([encodeLines(chunk), line, Buffer.from('\n')]));
    length += line.length;
    if (length > writeLength) await write(encodeLines(chunk));
  }
  if (chunk.length > 0) await write(encodeLines(chunk));
}

/** Counted only when something is wrong there. */
async function lineNumberAt(file: OpenFile, offset: number): Promise<number> {
  for await (const lines of readLines(file)) {
    for (const { end, number } of lines) if (end > offset) return number;
  }
  return 1;
}
