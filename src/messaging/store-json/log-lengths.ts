import type { Collection } from '../../storage/json/collection/collection.js';
import type { KeptChat } from './collections.js';

export type LogLengths = ReturnType<typeof createLogLengths>;

/** Chats whose records are changed at once. */
const changedAtOnce = 500;

/** How long the logs of chats have to be, which the records of the chats keep: a shorter one has lost something. */
export function createLogLengths(chats: Collection<KeptChat>) {
  return {
    /** Bytes; 0 where that is not known. */
    of: (chatId: number): number => chats.get(chatId)?.logBytes ?? 0,
    /** The chats of which that is known. */
    chatIds: (): number[] =>
      [...chats.values()].flatMap(({ id, logBytes = 0 }) => (logBytes > 0 ? id : [])),
    /** Keeps lengths (bytes, by chat) that are on disk. */
    async keep(lengths: ReadonlyMap<number, number>): Promise<void> {
      const changed = [...lengths].filter(([id, bytes]) => chats.get(id)?.logBytes !== bytes);
      for (let start = 0; start < changed.length; start += changedAtOnce) {
        // Each in its turn: a change of the chat that is on its way to the disk must not be undone.
        const changes = changed
          .slice(start, start + changedAtOnce)
          .map(([id, logBytes]) =>
            chats.update(id, (chat) => (chat.removed ? undefined : { ...chat, logBytes })),
          );
        await Promise.all(changes);
      }
    },
  };
}
