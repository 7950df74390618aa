import { dirname } from 'node:path';
import {
  ensureFolder,
  readAt,
  removeFile,
  syncFolder,
  writeAll,
} from '../../base/files/durable-write.js';
import type { FileLayer, OpenFile } from '../../base/files/file-layer.js';
import { isMissing, storageError } from '../../base/files/storage-errors.js';
import { damagedLine, faultAt, type Report } from '../../storage/json/check/data-checker.js';
import type { Collection } from '../../storage/json/collection/collection.js';
import { encodeLines, readLines } from '../../storage/json/lines/lines.js';
import type { StoredMessage } from '../model.js';
import {
  type ChatLog,
  findOffset,
  type IsEnough,
  lostLines,
  readBackwards,
  readForwards,
} from './chat-log.js';
import type { KeptChat } from './collections.js';
import { chatLogPath } from './collections.js';

/** A message with its stored JSON, or with its raw line if the line is damaged. */
export interface MessageLine {
  readonly message: StoredMessage;
  readonly line: string | Buffer;
}

export interface ChatLogOptions {
  readonly folder: string;
  readonly files: FileLayer;
  /** Lengths of logs before an interrupted move, by chat. The journal still contains the later messages. */
  readonly lengths: ReadonlyMap<number, number>;
  /** Lengths of the other logs. */
  readonly logLengths: LogLengths;
  /** Called once for each damaged line that is read, up to `maxReported` lines. */
  onDamage: Report;
}

/** Length of the lines after which they are written, in characters. */
const writeLength = 256 * 1024;
/** Maximum number of damaged lines that are logged, each once. */
const maxReported = 10_000;

export type ChatLogs = ReturnType<typeof createChatLogs>;

/**
 * Stores the messages of each chat in a separate file, which is open only while it is in use. The length of every log
 * is stored. Bytes after it were never acknowledged, and the next move overwrites them.
 */
export function createChatLogs(options: ChatLogOptions) {
  const { folder, files, logLengths } = options;
  /** Lengths that are not yet stored in the chats' records. */
  const lengths = new Map(options.lengths);
  const reported = new Set<string>();

  async function read<Found>(
    chatId: number,
    nothing: Found,
    use: (log: ChatLog) => Promise<Found>,
  ): Promise<Found> {
    const path = chatLogPath(folder, chatId);
    const starts: number[] = [];
    try {
      const file = await files.open(path, 'r');
      try {
        const { size } = await file.stat();
        reportLost(chatId, path, size);
        const end = Math.min(size, lengthOf(chatId));
        const found = await use({ chatId, file, end, onDamage: (start) => starts.push(start) });
        for (const start of starts) await reportDamage(file, path, start);
        return found;
      } finally {
        await file.close();
      }
    } catch (cause) {
      if (!isMissing(cause)) throw storageError(cause, path);
      reportLost(chatId, path, 0);
      return nothing;
    }
  }

  function isNew(name: string): boolean {
    if (reported.has(name) || reported.size >= maxReported) return false;
    reported.add(name);
    return true;
  }

  async function reportDamage(file: OpenFile, path: string, start: number): Promise<void> {
    if (!isNew(`${path} ${start}`)) return;
    const line = await lineNumberAt(file, start);
    options.onDamage(faultAt({ file: path, line }, damagedLine));
  }

  function reportLost(chatId: number, path: string, size: number): void {
    const known = lengthOf(chatId);
    if (size < known && isNew(path)) options.onDamage(lostLines(path, size, known));
  }

  function lengthOf(chatId: number): number {
    return lengths.get(chatId) ?? logLengths.of(chatId);
  }

  return {
    /** Returns the length of a chat's log in bytes. The file may be longer. */
    lengthOf,
    /** Truncates a chat's log before the message with this ID. */
    async cutAt(chatId: number, id: number): Promise<void> {
      await read(chatId, undefined, async (log) => {
        lengths.set(chatId, (await findOffset(log, id)).offset);
        return undefined;
      });
    },
    /** Appends messages to a chat's log. They are durable when it resolves. */
    async append(chatId: number, lines: readonly MessageLine[]): Promise<void> {
      const path = chatLogPath(folder, chatId);
      await ensureFolder(files, dirname(path));
      const end = lengthOf(chatId);
      let length = end;
      try {
        const file = await openOrCreate(files, path);
        try {
          length = await addTo(file, end, lines);
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
      lengths.set(chatId, length);
    },
    /** Stores the lengths of all changed logs, including those that an earlier call failed to store. */
    async keepLengths(): Promise<void> {
      const changed = new Map(lengths);
      await logLengths.keep(changed);
      for (const [chatId, length] of changed) {
        if (lengths.get(chatId) === length) lengths.delete(chatId);
      }
    },
    /** Deletes the log of a deleted chat, if it exists. Durable when it resolves. */
    async remove(chatId: number): Promise<void> {
      const path = chatLogPath(folder, chatId);
      lengths.delete(chatId);
      await removeFile(files, path);
      const shard = dirname(path);
      // A process that was killed may have deleted the log without syncing its folder. The folder may not exist.
      const isThere = await files.stat(shard).catch(() => undefined);
      if (isThere) await syncFolder(files, shard);
    },
    readBefore: (chatId: number, before: number, isEnough: IsEnough) =>
      read(chatId, [], (log) => readBackwards(log, before, isEnough)),
    readAfter: (chatId: number, after: number, isEnough: IsEnough) =>
      read(chatId, [], (log) => readForwards(log, after, isEnough)),
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

/** Writes lines at `end`, and returns the new length. */
async function addTo(file: OpenFile, end: number, lines: readonly MessageLine[]): Promise<number> {
  // If a log has lost its end, zeros replace it. They show that lines are missing, and preserve the offsets of later
  // lines.
  if ((await file.stat()).size !== end) await file.truncate(end);
  const last = await readAt(file, Math.max(0, end - 1), 1);
  const isWhole = end === 0 || last.toString() === '\n';
  let position = end;
  for (const bytes of piecesOf(lines, isWhole ? '' : '\n')) {
    await writeAll(file, bytes, position);
    position += bytes.length;
  }
  await file.datasync();
  return position;
}

/** Yields `before` and the lines in pieces of limited size. */
function* piecesOf(lines: readonly MessageLine[], before: string): Generator<Buffer> {
  if (before !== '') yield Buffer.from(before);
  let piece: string[] = [];
  let length = 0;
  for (const { line } of lines) {
    const isWhole = typeof line === 'string';
    if (isWhole) piece.push(line);
    length += line.length;
    if (isWhole && length <= writeLength) continue;
    yield encodeLines(piece);
    if (!isWhole) yield Buffer.concat([line, Buffer.from('\n')]);
    piece = [];
    length = 0;
  }
  yield encodeLines(piece);
}

async function lineNumberAt(file: OpenFile, offset: number): Promise<number> {
  for await (const lines of readLines(file)) {
    for (const { end, number } of lines) if (end > offset) return number;
  }
  return 1;
}

export type LogLengths = ReturnType<typeof createLogLengths>;

/** Maximum number of chat records that are changed concurrently. */
const maxChanges = 500;

/** Reads and stores the lengths of chat logs in the chats' records. A log that is shorter has lost lines. */
export function createLogLengths(chats: Collection<KeptChat>) {
  return {
    /** Returns the length in bytes; 0 if it is unknown. */
    of: (chatId: number): number => chats.get(chatId)?.logBytes ?? 0,
    /** Returns the chats whose length is known. */
    chatIds: (): number[] =>
      [...chats.values()].flatMap(({ id, logBytes = 0 }) => (logBytes > 0 ? id : [])),
    /** Stores lengths in bytes, by chat. The logs must be durable. */
    async keep(lengths: ReadonlyMap<number, number>): Promise<void> {
      const changed = [...lengths].filter(([id, bytes]) => chats.get(id)?.logBytes !== bytes);
      for (let start = 0; start < changed.length; start += maxChanges) {
        // `update` waits for other changes to the same chat, so that none is undone.
        const changes = changed
          .slice(start, start + maxChanges)
          .map(([id, logBytes]) =>
            chats.update(id, (chat) => (chat.removed ? undefined : { ...chat, logBytes })),
          );
        await Promise.all(changes);
      }
    },
  };
}
