import { dirname } from 'node:path';
import { ensureFolder, syncFolder, writeAll } from '../../base/files/durable-write.js';
import { systemFiles as files, type OpenFile } from '../../base/files/file-layer.js';
import { storageError } from '../../base/files/storage-errors.js';
import { eachOf } from '../../base/records.js';
import {
  damagedLine,
  faultAt,
  noteBreak,
  type Place,
  type Report,
} from '../../storage/json/check/data-checker.js';
import { bytesOf, encodeLines, readFileLines } from '../../storage/json/lines/lines.js';
import type { StoredMessage } from '../model.js';
import { isMessage, lostLines } from './chat-log.js';
import { chatLogPath } from './collections.js';

/** A record and its location. */
export interface Located<T = object> {
  readonly record: T;
  readonly place: Place;
}

/** Yields the messages in the first `length` bytes of a chat's log, or in the whole file if the length is unknown. */
export async function* readChatLog(
  file: string,
  chatId: number,
  length: number | undefined,
  report: Report,
): AsyncGenerator<Located<StoredMessage>> {
  let behind = 0;
  for await (const lines of readFileLines(files, file, { to: length })) {
    for (const found of lines) {
      const { text, number: line } = found;
      behind = found.end;
      noteBreak(found, file, report);
      const value = text === undefined ? undefined : (JSON.parse(text) as unknown);
      const message = faultOf(value, chatId);
      if (message === undefined) yield { record: value as StoredMessage, place: { file, line } };
      else report(faultAt({ file, line }, message), bytesOf(found));
    }
  }
  if (length === undefined) return;
  if (behind < length) report(lostLines(file, behind, length));
  const size = (await files.stat(file).catch(() => undefined))?.size ?? 0;
  if (size > length) {
    const message = `A crash left ${size - length} unacknowledged bytes at the end.`;
    const advice = 'No action is needed. The next messages of the chat overwrite them.';
    report({ severity: 'note', file, message, advice });
  }
}

/** Returns the fault of a line's value. The value of a damaged line is undefined. */
function faultOf(value: unknown, chatId: number): string | undefined {
  if (value === undefined) return damagedLine;
  if (!isMessage(value)) return 'This line is not a stored message.';
  if (value.chatId === chatId) return undefined;
  return `Message ${value.id} belongs to chat ${value.chatId}, not to this one.`;
}

/** Length of the lines after which they are written, in characters. */
const writeLength = 256 * 1024;
/** Maximum number of logs that are synced concurrently, while the next one is written. */
const syncing = 8;

interface NewLog {
  readonly chatId: number;
  readonly path: string;
  readonly file: OpenFile;
  position: number;
  /** Lines that are not written yet, and their length in characters. */
  lines: string[];
  length: number;
}

/**
 * Writes new chat logs from messages that are grouped by chat. Returns the lengths of the logs, in bytes. The logs are
 * durable when it resolves.
 */
export async function writeChatLogs(
  folder: string,
  messages: AsyncIterable<StoredMessage>,
): Promise<ReadonlyMap<number, number>> {
  const shards = new Set<string>();
  const lengths = new Map<number, number>();
  const logs = unsyncedLogs(folder, messages, shards);
  await eachOf(logs, syncing, async ({ chatId, path, file, position }) => {
    try {
      await file.datasync();
      lengths.set(chatId, position);
    } catch (cause) {
      throw storageError(cause, path);
    } finally {
      await file.close();
    }
  });
  for (const shard of shards) await syncFolder(files, shard);
  return lengths;
}

/** Yields each log after it is completely written, and adds its folder to `shards`. */
async function* unsyncedLogs(
  folder: string,
  messages: AsyncIterable<StoredMessage>,
  shards: Set<string>,
): AsyncGenerator<NewLog> {
  let log: NewLog | undefined;
  try {
    for await (const message of messages) {
      const done = log;
      if (done && done.chatId !== message.chatId) {
        await write(done);
        log = undefined;
        yield done;
      }
      log ??= await begin(chatLogPath(folder, message.chatId), message.chatId, shards);
      const line = JSON.stringify(message);
      log.lines.push(line);
      log.length += line.length;
      if (log.length > writeLength) await write(log);
    }
    const last = log;
    if (!last) return;
    await write(last);
    log = undefined;
    yield last;
  } catch (cause) {
    await log?.file.close().catch(() => {});
    throw storageError(cause, log?.path ?? folder);
  }
}

async function begin(path: string, chatId: number, shards: Set<string>): Promise<NewLog> {
  const shard = dirname(path);
  if (!shards.has(shard)) await ensureFolder(files, shard);
  shards.add(shard);
  return { chatId, path, file: await files.open(path, 'w'), position: 0, lines: [], length: 0 };
}

async function write(log: NewLog): Promise<void> {
  const bytes = encodeLines(log.lines);
  await writeAll(log.file, bytes, log.position);
  log.position += bytes.length;
  log.lines = [];
  log.length = 0;
}
