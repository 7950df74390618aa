import type { Clock } from '../../base/clock.js';
import type { Collection } from '../../storage/json/collection/collection.js';
import { keyConflict } from '../messages.js';
import type { StoredMessage } from '../model.js';
import type { MessageKeyRecord } from '../records.js';
import type { IdempotencyKey } from '../store.js';
import { keyName } from './collections.js';

/** Milliseconds for which an `Idempotency-Key` of a message is remembered on files. @bound */
const lifeMs = 24 * 3_600_000;

/** What is remembered of a message that was stored under a key. */
export function keyRecordOf(
  { id, chatId, senderId, createdAt }: StoredMessage,
  { key, bodyHash }: IdempotencyKey,
): MessageKeyRecord {
  const expires = Date.parse(createdAt) + lifeMs;
  return { senderId, key, chatId, messageId: id, bodyHash, expires };
}

export type IdempotencyKeys = ReturnType<typeof createIdempotencyKeys>;

/** The keys of the last 24 hours: in the journal with their messages, later in a collection. */
export function createIdempotencyKeys(collection: Collection<MessageKeyRecord>, clock: Clock) {
  const unsettled = new Map<string, MessageKeyRecord>();

  return {
    /** What this post stored before; `conflict` where the key stands for something else. */
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
    /** Remembers the key of a message that is in the journal. */
    remember(message: StoredMessage, idempotency: IdempotencyKey): void {
      const record = keyRecordOf(message, idempotency);
      if (record.expires > clock.now()) unsettled.set(keyName(record), record);
    },
    /** Puts what the journal holds into the collection; call before the journal's segment goes. */
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
