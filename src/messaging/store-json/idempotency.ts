import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import type { Collection } from '../../storage/json/collection.js';
import type { StoredMessage } from '../model.js';
import type { IdempotencyKey } from '../store.js';
import type { JournalEntry } from './message-journal.js';

/** What was stored under a sender's key. */
export interface KeyRecord {
  /** Sender and key. */
  readonly name: string;
  readonly messageId: number;
  readonly chatId: number;
  readonly bodyHash: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

/** The keys of the last 24 hours: in the journal with their messages, later in a collection. */
export interface IdempotencyKeys {
  /** What this post stored before; `conflict` where the key stands for something else. */
  find(post: Omit<StoredMessage, 'id'>, idempotency: IdempotencyKey): KeyRecord | undefined;
  /** Remembers the key of a message that is in the journal. */
  remember(entry: JournalEntry): void;
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
): KeyRecord {
  const expires = Date.parse(createdAt) + lifeMs;
  return { name: nameOf(senderId, key), messageId: id, chatId, bodyHash, expires };
}

function nameOf(senderId: number, key: string): string {
  return `${senderId} ${key}`;
}

export function createIdempotencyKeys(
  collection: Collection<KeyRecord>,
  clock: Clock,
): IdempotencyKeys {
  const unsettled = new Map<string, KeyRecord>();
  const underWay = new Map<string, Promise<void>>();

  function lookUp(name: string): KeyRecord | undefined {
    const record = unsettled.get(name);
    return record && record.expires > clock.now() ? record : collection.get(name);
  }

  return {
    find({ senderId, chatId }, { key, bodyHash }) {
      const record = lookUp(nameOf(senderId, key));
      if (!record || (record.chatId === chatId && record.bodyHash === bodyHash)) return record;
      throw new AppError('conflict', 'This Idempotency-Key was used for another message.', {
        hint: 'Use a new key for every new message; repeat one only with the same chat and body.',
      });
    },
    remember(entry) {
      if (!entry.idempotency) return;
      const record = keyRecordOf(entry, entry.idempotency);
      if (record.expires > clock.now()) unsettled.set(record.name, record);
    },
    underWay: (senderId, key) => underWay.get(nameOf(senderId, key)),
    async occupy(senderId, key, work) {
      const name = nameOf(senderId, key);
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
        if (unsettled.get(record.name) === record) unsettled.delete(record.name);
      }
    },
  };
}
