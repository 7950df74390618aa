import { join } from 'node:path';
import { systemFiles as files } from '../../base/files/file-layer.js';
import type { Report } from '../../storage/json/check/data-checker.js';
import { findLogs } from './chat-log-paths.js';
import { createChatLogs } from './chat-logs.js';
import { markComplete, readStoreState } from './collections.js';
import { readJournal } from './message-journal.js';

/**
 * Keeps in `store.json`, durably, that everything counts as read that is in a folder of an older version: the
 * highest message id. Nothing where messaging has never been served from it; harmless where it is repeated.
 */
export async function keepReadThrough(folder: string, report: Report): Promise<void> {
  const { isComplete } = await readStoreState(folder, files, report);
  if (!isComplete) return;
  const messages = join(folder, 'messages');
  let isLost = false;
  const { lastId } = await readJournal(
    { folder: messages, files, mustExist: true },
    () => {},
    ({ severity }, bytes) => {
      // A lost line stands between others; with a lost file the highest id may be lost.
      if (severity === 'error' && !bytes) isLost = true;
    },
  );
  const last = isLost ? Math.max(lastId, await highestInLogs(messages)) : lastId;
  await markComplete(folder, files, last);
}

async function highestInLogs(messages: string): Promise<number> {
  const folder = join(messages, 'chats');
  const logLengths = { of: () => 0, chatIds: () => [], keep: async () => {} };
  const logs = createChatLogs({ folder, files, lengths: new Map(), logLengths, onDamage() {} });
  let highest = 0;
  for (const chatId of (await findLogs(folder)).keys()) {
    const last = (await logs.readBefore(chatId, Number.POSITIVE_INFINITY, () => true)).at(-1);
    highest = Math.max(highest, last?.id ?? 0);
  }
  return highest;
}
