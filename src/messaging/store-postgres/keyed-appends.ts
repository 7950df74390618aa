import type { Clock } from '../../base/clock.js';
import { createBatch } from '../../storage/postgres/batch.js';
import type { Database } from '../../storage/postgres/database.js';
import { insertKeyed, type KeyedDraft } from './message-rows.js';

/** The id of what was stored; `known`: the sender used the key before; `refused`: is not in the chat. */
type KeyedOutcome = number | 'known' | 'refused';

/** Each batch holds the locks of its chats and senders, which the database has room for. */
const appends = { most: 100, concurrency: 4 } as const;

/** Stores messages under keys, each once, together where several are posted at the same time. */
export function createKeyedAppends(
  database: Database,
  clock: Clock,
): (draft: KeyedDraft) => Promise<KeyedOutcome> {
  async function storeAll(drafts: readonly KeyedDraft[]): Promise<KeyedOutcome[]> {
    const rows = await database.run('store messages once', (sql) =>
      insertKeyed(sql, drafts, clock.now()),
    );
    const outcomes = new Map(
      rows.map(({ place, id, isStored }) => [place, isStored ? id : 'known']),
    );
    return drafts.map((_, place) => (outcomes.get(place) as KeyedOutcome | undefined) ?? 'refused');
  }

  return createBatch<KeyedDraft, KeyedOutcome>({
    ...appends,
    async run(drafts) {
      const outcomes = new Map<KeyedDraft, KeyedOutcome>();
      // A statement claims a key once: who comes with the same one waits for what became of it.
      for (let left = [...drafts]; left.length > 0; ) {
        const first = new Map(left.map((draft) => [nameOf(draft), draft] as const).reverse());
        const now = left.filter((draft) => first.get(nameOf(draft)) === draft);
        const stored = await storeAll(now);
        now.forEach((draft, index) => {
          outcomes.set(draft, stored[index] ?? 'refused');
        });
        left = left.filter((draft) => !outcomes.has(draft));
      }
      return drafts.map((draft) => outcomes.get(draft) ?? 'refused');
    },
  });
}

function nameOf({ message, idempotency }: KeyedDraft): string {
  return `${message.senderId} ${idempotency.key}`;
}
