import type { Collection } from '../../storage/json/collection/collection.js';
import type { MemberRecord } from '../records.js';
import { type KeptChat, memberName } from './collections.js';

/** Chats that are gone, and whose messages have not left the files yet. */
export function createRemovedChats(chats: Collection<KeptChat>, members: Collection<MemberRecord>) {
  const ids = new Set<number>();
  for (const { id, removed } of chats.values()) if (removed) ids.add(id);
  return {
    has: (chatId: number): boolean => ids.has(chatId),
    ids: (): readonly number[] => [...ids],
    /** The commit point: from here on the chat is gone, whatever happens. */
    async add(chatId: number): Promise<void> {
      await chats.update(chatId, ({ id, type, ownerId, participantId, createdAt }) => ({
        ...{ id, type, name: '', ownerId, createdAt },
        ...(participantId === undefined ? {} : { participantId }),
        removed: true,
      }));
      ids.add(chatId);
    },
    /** To be called when nothing of their messages is in the files. Harmless where it is repeated. */
    async forget(chatIds: readonly number[]): Promise<void> {
      const gone = new Set(chatIds);
      const memberships = [...members.values()].filter(({ chatId }) => gone.has(chatId));
      // The chats last: a membership without a chat would be taken for damage.
      await members.deleteAll(memberships.map(memberName));
      await chats.deleteAll(chatIds);
      for (const id of chatIds) ids.delete(id);
    },
  };
}
