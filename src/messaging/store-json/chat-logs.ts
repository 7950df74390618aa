import { dirname, join } from 'node:path';
import { ensureFolder, syncFolder, writeAll } from '../../base/files/durable-write.js';
import type { FileLayer, OpenFile } from '../../base/files/file-layer.js';
import { isMissing, storageError } from '../../base/files/storage-errors.js';
import type { StoredMessage } from '../model.js';
import {
  type ChatLog,
  endOfLines,
  findOffset,
  type IsEnough,
  readBackwards,
  readForwards,
} from './chat-log-search.js';

/** A message with the line it is stored as. */
export interface MessageLine {
  readonly message: StoredMessage;
  readonly line: string;
}

/** The messages of each chat in a file of its own, read back by offset; opened only while in use. */
export interface ChatLogs {
  /** Adds what is not in the log yet (ids above its last). On disk when it resolves. */
  append(chatId: number, lines: readonly MessageLine[]): Promise<void>;
  /** The messages with lower ids than `before`, back to the one that is enough; oldest first. */
  readBefore(chatId: number, before: number, isEnough: IsEnough): Promise<StoredMessage[]>;
  /** The messages with higher ids than `after`, up to the one that is enough; oldest first. */
  readAfter(chatId: number, after: number, isEnough: IsEnough): Promise<StoredMessage[]>;
}

/** Bytes written in one go. */
const writeLength = 256 * 1024;

/** `<folder>/<xx>/<chatId>.jsonl`, in 256 folders so that none grows too large to list. */
export function chatLogPath(folder: string, chatId: number): string {
  const shard = (chatId % 256).toString(16).padStart(2, '0');
  return join(folder, shard, `${chatId}.jsonl`);
}

export function createChatLogs(folder: string, files: FileLayer): ChatLogs {
  /** Logs that a failed write may have left too long, with the length that is good. */
  const unclean = new Map<string, number>();

  async function withLog<Result>(
    chatId: number,
    nothing: Result,
    use: (log: ChatLog) => Promise<Result>,
  ): Promise<Result> {
    const path = chatLogPath(folder, chatId);
    try {
      const file = await files.open(path, 'r');
      try {
        const end = unclean.get(path) ?? (await endOfLines(file));
        return await use({ file, path, end });
      } finally {
        await file.close();
      }
    } catch (cause) {
      if (isMissing(cause)) return nothing;
      throw storageError(cause, path);
    }
  }

  async function addTo(file: OpenFile, path: string, lines: readonly MessageLine[]): Promise<void> {
    const end = unclean.get(path) ?? (await endOfLines(file));
    const [last] = await readBackwards({ file, path, end }, end, () => true);
    const missing = lines.filter(({ message }) => message.id > (last?.id ?? 0));
    unclean.set(path, end);
    try {
      if ((await file.stat()).size > end) await file.truncate(end);
      await writeLines(file, end, missing);
      await file.datasync();
    } catch (error) {
      await file.truncate(end).catch(() => {});
      throw error;
    }
    unclean.delete(path);
    if (end === 0) await syncFolder(files, dirname(path));
  }

  return {
    async append(chatId, lines) {
      const path = chatLogPath(folder, chatId);
      await ensureFolder(files, dirname(path));
      try {
        const file = await openOrCreate(files, path);
        try {
          await addTo(file, path, lines);
        } finally {
          await file.close();
        }
      } catch (cause) {
        throw storageError(cause, path);
      }
    },
    readBefore: (chatId, before, isEnough) =>
      withLog<StoredMessage[]>(chatId, [], async (log) => {
        const end = before === Number.POSITIVE_INFINITY ? log.end : await findOffset(log, before);
        return readBackwards(log, end, isEnough);
      }),
    readAfter: (chatId, after, isEnough) =>
      withLog<StoredMessage[]>(chatId, [], async (log) =>
        readForwards(log, await findOffset(log, after + 1), isEnough),
      ),
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
  lines: readonly MessageLine[],
): Promise<void> {
  let position = end;
  let text = '';
  const write = async () => {
    const bytes = Buffer.from(text);
    await writeAll(file, bytes, position);
    position += bytes.length;
    text = '';
  };
  for (const { line } of lines) {
    text += `${line}\n`;
    if (text.length > writeLength) await write();
  }
  if (text !== '') await write();
}
