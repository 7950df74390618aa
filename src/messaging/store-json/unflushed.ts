import type { StoredMessage } from '../model.js';
import type { MessageLine } from './chat-logs.js';

type LinesByChat = ReadonlyMap<number, readonly MessageLine[]>;

export type Unflushed = ReturnType<typeof createUnflushed>;

/** Messages that are in the journal and not (or not surely) in the log of their chat yet, by chat. */
export function createUnflushed() {
  let fresh = new Map<number, MessageLine[]>();
  let moving = new Map<number, readonly MessageLine[]>();
  let moves = 0;
  return {
    get isEmpty(): boolean {
      return fresh.size === 0 && moving.size === 0;
    },
    /** Rises when messages have left: whoever read a chat log meanwhile must read it again. */
    get moves(): number {
      return moves;
    },
    keep(line: MessageLine): void {
      const { chatId } = line.message;
      const lines = fresh.get(chatId);
      if (lines) lines.push(line);
      else fresh.set(chatId, [line]);
    },
    /** Forgets a chat that is gone; what is on the move already has to be held back by whoever moves it. */
    forget(chatId: number): void {
      fresh.delete(chatId);
    },
    /** The chats that have any. */
    chatIds: (): number[] => [...new Set([...moving.keys(), ...fresh.keys()])],
    /** A chat's messages, oldest first. */
    of(chatId: number): StoredMessage[] {
      const lines = [...(moving.get(chatId) ?? []), ...(fresh.get(chatId) ?? [])];
      return lines.map(({ message }) => message);
    },
    /** All there is now. It stays visible until `endMove`; what comes later is not part of it. */
    beginMove(): LinesByChat {
      // What an earlier move left behind is older, so it comes first.
      for (const [chatId, lines] of fresh) {
        moving.set(chatId, [...(moving.get(chatId) ?? []), ...lines]);
      }
      fresh = new Map();
      return moving;
    },
    /** Forgets what was to be moved, except `left`, which could not be. */
    endMove(left: LinesByChat): void {
      moving = new Map(left);
      moves += 1;
    },
  };
}
