import type { Clock } from '../../base/clock.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { faultAt, type Place, type Report } from '../../storage/json/check/data-checker.js';
import type { Collection } from '../../storage/json/collection/collection.js';
import { bytesOf } from '../../storage/json/lines/lines.js';
import {
  type LogContent,
  type OnLine,
  readLog,
  segmentPath,
} from '../../storage/json/log/log-reader.js';
import { keyConflict } from '../messages.js';
import type { MessageKeyRecord, StoredMessage } from '../model.js';
import type { IdempotencyKey } from '../store.js';
import { isMessage } from './chat-log.js';
import { keyName } from './collections.js';

/** A line of the journal: a message, and the idempotency key of its post if it has one. */
export interface JournalEntry extends StoredMessage {
  readonly idempotency?: IdempotencyKey;
}

export interface JournalFiles {
  readonly folder: string;
  readonly files: FileLayer;
  /** True if the journal has been created before. A missing journal has then been lost. */
  readonly mustExist: boolean;
}

/** The content of a journal's files. */
export interface JournalContent {
  readonly log: LogContent;
  /** The highest message ID that was assigned. */
  readonly lastId: number;
  /** Lengths of the chat logs before an unfinished move, by chat. */
  readonly lengths: ReadonlyMap<number, number>;
  /** True if a header is damaged. Some lengths may then be unknown. */
  readonly lacksLengths: boolean;
}

/**
 * The name of the write-ahead journal, a segmented log. Messages of all chats are written to it first, so that
 * concurrent posts share one write and one fsync. Before messages are moved from the earlier segments to the chat logs,
 * the header of a new segment records the lengths of those logs.
 */
export const journalName = 'journal';

/** Reads the journal without changing it. Calls `onEntry` for every message in it, in ascending order of IDs. */
export async function readJournal(
  { mustExist, ...journal }: JournalFiles,
  onEntry: (entry: JournalEntry, place: Place) => void,
  report: Report,
): Promise<JournalContent> {
  let lastId = 0;
  const onLine: OnLine = (value, place, line) => {
    if (!isMessage(value)) {
      const message = 'This line is not a stored message.';
      return report(faultAt(place, message), bytesOf(line));
    }
    lastId = Math.max(lastId, value.id);
    onEntry(value, place);
  };
  const log = await readLog({ ...journal, name: journalName }, onLine, report);
  if (mustExist && log.last === 0) {
    const file = segmentPath({ ...journal, name: journalName }, 1);
    report(faultAt({ file }, 'The file is missing.'));
  }
  const lengths = new Map<number, number>();
  // The lengths in the first header belong to a finished move, because the segments before it are deleted.
  const later = log.segments.slice(1);
  for (const { header } of later) {
    for (const [chatId, length] of Object.entries((header?.lengths ?? {}) as object)) {
      // If several moves failed, the lengths before the first one apply.
      if (!lengths.has(Number(chatId))) lengths.set(Number(chatId), length as number);
    }
  }
  const lacksLengths = later.some(({ header }) => !header);
  return { log, lastId: Math.max(lastId, log.lastId), lengths, lacksLengths };
}

/** Time after which the `Idempotency-Key` of a message expires with file storage, in milliseconds. @bound */
const lifeMs = 24 * 3_600_000;

/** Returns the key record of a stored message. */
export function keyRecordOf(
  { id, chatId, senderId, createdAt }: StoredMessage,
  { key, bodyHash }: IdempotencyKey,
): MessageKeyRecord {
  const expires = Date.parse(createdAt) + lifeMs;
  return { senderId, key, chatId, messageId: id, bodyHash, expires };
}

export type IdempotencyKeys = ReturnType<typeof createIdempotencyKeys>;

/** Stores the keys of the last 24 hours: first in the journal with their messages, later in a collection. */
export function createIdempotencyKeys(collection: Collection<MessageKeyRecord>, clock: Clock) {
  const unsettled = new Map<string, MessageKeyRecord>();

  return {
    /** Returns the record of an earlier post with this key. Throws `conflict` if it was a different message. */
    find(
      { senderId, chatId }: Pick<StoredMessage, 'chatId' | 'senderId'>,
      { key, bodyHash }: IdempotencyKey,
    ): MessageKeyRecord | undefined {
      const name = keyName({ senderId, key });
      const recent = unsettled.get(name);
      const record = recent && recent.expires > clock.now() ? recent : collection.get(name);
      if (!record || (record.chatId === chatId && record.bodyHash === bodyHash)) return record;
      throw keyConflict();
    },
    /** Adds the key of a message that is in the journal. */
    remember(message: StoredMessage, idempotency: IdempotencyKey): void {
      const record = keyRecordOf(message, idempotency);
      if (record.expires > clock.now()) unsettled.set(keyName(record), record);
    },
    /** Stores the keys in the collection. Call it before the journal's segment is dropped. */
    async settle(): Promise<void> {
      const records = [...unsettled.values()];
      await collection.putAll(records);
      for (const record of records) {
        const name = keyName(record);
        if (unsettled.get(name) === record) unsettled.delete(name);
      }
    },
  };
}
