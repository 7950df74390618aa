import { join } from 'node:path';
import type { FileLayer } from '../../base/files/file-layer.js';
import { damaged } from '../../base/files/storage-errors.js';
import { throwDamage } from '../../storage/json/collection-transfer.js';
import { checkJsonLines } from '../../storage/json/data-checker.js';
import type { StoredMessage } from '../model.js';
import { isMessage } from './chat-log-search.js';
import { type KeyRecord, keyRecordOf } from './idempotency.js';
import { isHeader, type JournalEntry, segmentNumbers } from './message-journal.js';

/** What the journal of a folder holds that nobody works on. */
export interface JournalContent {
  /** The highest id ever given. */
  readonly lastId: number;
  /** Messages by chat, oldest first; some of them may be in the logs of their chats, too. */
  readonly byChat: ReadonlyMap<number, readonly StoredMessage[]>;
  readonly keys: readonly KeyRecord[];
}

/** Reads every segment without touching it; at most 72 MiB, the bound of the journal. */
export async function readJournal(folder: string, files: FileLayer): Promise<JournalContent> {
  const byChat = new Map<number, StoredMessage[]>();
  const keys: KeyRecord[] = [];
  let lastId = 0;

  function keep({ idempotency, ...message }: JournalEntry): void {
    lastId = Math.max(lastId, message.id);
    const messages = byChat.get(message.chatId);
    if (messages) messages.push(message);
    else byChat.set(message.chatId, [message]);
    if (idempotency) keys.push(keyRecordOf(message, idempotency));
  }

  for (const number of await segmentNumbers(files, folder)) {
    const path = join(folder, `journal.${number}.jsonl`);
    await checkJsonLines(path, throwDamage, (value, line) => {
      if (isMessage(value)) keep(value);
      else if (isHeader(value)) lastId = Math.max(lastId, value.lastId);
      else throw damaged(path, `line ${line}`, 'this is not a stored message');
    });
  }
  return { lastId, byChat, keys };
}
