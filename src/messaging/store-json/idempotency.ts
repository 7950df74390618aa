import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import type { Collection } from '../../storage/json/collection.js';
import type { StoredMessage } from '../model.js';
import type { MessageKeyRecord } from '../records.js';
import type { IdempotencyKey } from '../store.js';
import { keyName } from './collections.js';

/** The keys of the last 24 hours: in the journal with their messages, later in a collection. */
export interface IdempotencyKeys {
  /** What this post stored before; `conflict` where the key stands for something else. */
  find(post: Omit<StoredMessage, 'id'>, idempotency: IdempotencyKey): MessageKeyRecord | undefined;
  /** Remembers the key of a message that is in the journal. */
  remember(message: StoredMessage, idempotency: IdempotencyKey): void;
  /** A post with the same key that is under way; it never rejects. */
  underWay(senderId: number, key: string): Promise<void> | undefined;
  /** Marks the key as under way until `work` has ended. */
  occupy<Result>(senderId: number, key: string, work: Promise<Result>): Promise<Result>;
  /** Puts what the journal holds into the collection; call before the journal's segment goes. */
  settle(): Promise<void>;
}

const lifeMs = 24 * 3_600_000;

/** What is remembered of a message that was stored under a key. */
export function keyRecordOf(
  { id, chatId, senderId, createdAt }: StoredMessage,
  { key, bodyHash }: IdempotencyKey,
): MessageKeyRecord {
  const expires = Date.parse(createdAt) + lifeMs;
  return { senderId, key, chatId, messageId: id, bodyHash, expires };
}

export function createIdempotencyKeys(
  collection: Collection<MessageKeyRecord>,
  clock: Clock,
): IdempotencyKeys {
  const unsettled = new Map<string, MessageKeyRecord>();
  const underWay = new Map<string, Promise<void>>();

  function lookUp(name: string): MessageKeyRecord | undefined {
    const record = unsettled.get(name);
    return record && record.expires > clock.now() ? record : collection.get(name);
  }

  return {
    find({ senderId, chatId }, { key, bodyHash }) {
      const record = lookUp(keyName({ senderId, key }));
      if (!record || (record.chatId === chatId && record.bodyHash === bodyHash)) return record;
      throw new AppError('conflict', 'This Idempotency-Key was used for another message.', {
        hint: 'Use a new key for every new message; repeat one only with the same chat and body.',
      });
    },
    remember(message, idempotency) {
      const record = keyRecordOf(message, idempotency);
      if (record.expires > clock.now()) unsettled.set(keyName(record), record);
    },
    underWay: (senderId, key) => underWay.get(keyName({ senderId, key })),
    async occupy(senderId, key, work) {
      const name = keyName({ senderId, key });
      // Its failure is its own caller's; whoever waited tries for itself.
      underWay.set(
        name,
        work.then(
          () => {},
          () => {},
        ),
      );
      try {
        return await work;
      } finally {
        underWay.delete(name);
      }
    },
    async settle() {
      const records = [...unsettled.values()];
      await collection.putAll(records);
      for (const record of records) {
        const name = keyName(record);
        if (unsettled.get(name) === record) unsettled.delete(name);
      }
    },
  };
}
