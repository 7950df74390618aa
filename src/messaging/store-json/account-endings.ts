import type { EndedAccount } from '../store.js';
import type { Tell } from './changes.js';
import type { JsonChatStore } from './chat-store.js';
import type { JsonUserStore } from './user-store.js';

interface AccountEndingOptions {
  readonly users: Pick<JsonUserStore, 'end' | 'ended'>;
  readonly chats: Pick<JsonChatStore, 'departAll' | 'finish'>;
  readonly tell: Tell;
  /** Called when the rest of an ending could not be done yet. */
  onUnfinished(error: unknown): void;
}

/**
 * Ends accounts. The placeholder is the commit point: what follows from it is done at once, and where that is
 * cut off or the disk fails, when the next account ends, at the end, or at the next opening.
 */
export function createAccountEndings({ users, chats, tell, onUnfinished }: AccountEndingOptions) {
  const unfinished = new Set<number>();

  async function departAll(): Promise<void> {
    for (const id of unfinished) {
      await chats.departAll(id);
      unfinished.delete(id);
    }
  }

  return {
    async end(id: number, end: EndedAccount): Promise<boolean> {
      if (!(await users.end(id, end))) return false;
      unfinished.add(id);
      tell({ person: id });
      await departAll().catch(onUnfinished);
      return true;
    },
    /** Finishes what a process that died had begun. */
    finish: () => chats.finish(users.ended()),
    async close(): Promise<void> {
      await departAll().catch(onUnfinished);
    },
  };
}
