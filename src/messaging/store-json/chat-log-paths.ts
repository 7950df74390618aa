import { join } from 'node:path';
import { listFolder } from '../../base/files/durable-write.js';
import { systemFiles } from '../../base/files/file-layer.js';

/** `<folder>/<xx>/<chatId>.jsonl`, in 256 folders so that none grows too large to list. */
export function chatLogPath(folder: string, chatId: number): string {
  const shard = (chatId % 256).toString(16).padStart(2, '0');
  return join(folder, shard, `${chatId}.jsonl`);
}

/** The paths of the chats' logs below a folder, by chat. */
export async function findLogs(folder: string): Promise<Map<number, string>> {
  const logs = new Map<number, string>();
  for (const shard of await listFolder(systemFiles, folder)) {
    for (const name of await listFolder(systemFiles, join(folder, shard))) {
      const chatId = /^(\d+)\.jsonl$/.exec(name)?.[1];
      if (chatId !== undefined) logs.set(Number(chatId), join(folder, shard, name));
    }
  }
  return logs;
}
