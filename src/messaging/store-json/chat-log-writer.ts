import { dirname } from 'node:path';
import pLimit from 'p-limit';
import { ensureFolder, writeAll } from '../../base/files/durable-write.js';
import { type OpenFile, systemFiles } from '../../base/files/file-layer.js';
import { storageError } from '../../base/files/storage-errors.js';
import { syncFolders } from '../../storage/json/spool-transfer.js';
import type { StoredMessage } from '../model.js';
import { chatLogPath } from './chat-logs.js';

/** Text written in one go. */
const chunkLength = 256 * 1024;
/** Logs that are being synced while the next one is written. */
const syncing = 8;

interface OpenLog {
  readonly chatId: number;
  readonly path: string;
  readonly file: OpenFile;
  position: number;
  text: string;
}

/** Writes new logs of chats from their messages, which come chat after chat. Durable once it resolves. */
export async function writeChatLogs(folder: string, records: AsyncIterable<object>): Promise<void> {
  const limit = pLimit(syncing);
  const folders = new Set<string>();
  const closing: Promise<void>[] = [];
  let log: OpenLog | undefined;

  async function begin(chatId: number): Promise<OpenLog> {
    const path = chatLogPath(folder, chatId);
    const place = dirname(path);
    if (!folders.has(place)) await ensureFolder(systemFiles, place);
    folders.add(place);
    return { chatId, path, file: await systemFiles.open(path, 'w'), position: 0, text: '' };
  }

  async function write(to: OpenLog): Promise<void> {
    const bytes = Buffer.from(to.text);
    to.text = '';
    await writeAll(to.file, bytes, to.position);
    to.position += bytes.length;
  }

  async function end(done: OpenLog): Promise<void> {
    try {
      await write(done);
      await done.file.datasync();
    } catch (cause) {
      throw storageError(cause, done.path);
    } finally {
      await done.file.close();
    }
  }

  /** Ends a log beside the work on the next one; waits where too many are being ended. */
  async function leave(done: OpenLog): Promise<void> {
    const job = limit(() => end(done));
    job.catch(() => {});
    closing.push(job);
    if (closing.length >= syncing) await closing.shift();
  }

  try {
    for await (const record of records as AsyncIterable<StoredMessage>) {
      if (log && log.chatId !== record.chatId) {
        await leave(log);
        log = undefined;
      }
      log ??= await begin(record.chatId);
      log.text += `${JSON.stringify(record)}\n`;
      if (log.text.length > chunkLength) await write(log);
    }
    if (log) await leave(log);
    await Promise.all(closing);
  } catch (cause) {
    await Promise.allSettled(closing);
    await log?.file.close().catch(() => {});
    throw storageError(cause, log?.path ?? folder);
  }
  await syncFolders(folders);
}
