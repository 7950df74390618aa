import type { StoredMessage } from '../model.js';
import type { MessageLine } from './chat-logs.js';

/** Messages that are in the journal and not (or not surely) in the log of their chat yet, by chat. */
export interface Unflushed {
  readonly isEmpty: boolean;
  /** Rises when messages have left: whoever read a chat log meanwhile must read it again. */
  readonly moves: number;
  keep(line: MessageLine): void;
  /** The chats that have any. */
  chatIds(): number[];
  /** A chat's messages, oldest first. */
  of(chatId: number): StoredMessage[];
  /** All there is now. It stays visible until `endMove`; what comes later is not part of it. */
  beginMove(): ReadonlyMap<number, readonly MessageLine[]>;
  /** Forgets what was to be moved, except `left`, which could not be. */
  endMove(left: ReadonlyMap<number, readonly MessageLine[]>): void;
}

export function createUnflushed(): Unflushed {
  let fresh = new Map<number, MessageLine[]>();
  let moving = new Map<number, readonly MessageLine[]>();
  let moves = 0;
  return {
    get isEmpty() {
      return fresh.size === 0 && moving.size === 0;
    },
    get moves() {
      return moves;
    },
    keep(line) {
      const { chatId } = line.message;
      const lines = fresh.get(chatId);
      if (lines) lines.push(line);
      else fresh.set(chatId, [line]);
    },
    chatIds: () => [...new Set([...moving.keys(), ...fresh.keys()])],
    of(chatId) {
      const lines = [...(moving.get(chatId) ?? []), ...(fresh.get(chatId) ?? [])];
      return lines.map(({ message }) => message);
    },
    beginMove() {
      // What an earlier move left behind is older, so it comes first.
      for (const [chatId, lines] of fresh) {
        moving.set(chatId, [...(moving.get(chatId) ?? []), ...lines]);
      }
      fresh = new Map();
      return moving;
    },
    endMove(left) {
      moving = new Map(left);
      moves += 1;
    },
  };
}
