import { LRUCache } from 'lru-cache';
import type { StoredMessage } from '../model.js';
import type { Tail } from './message-page.js';

interface CachedTail extends Tail<StoredMessage> {
  readonly messages: StoredMessage[];
  complete: boolean;
  weight: number;
}

/** The ends of the chats in use, in memory, up to a number of bytes in all. */
export interface MessageTails {
  get(chatId: number): Tail<StoredMessage> | undefined;
  set(chatId: number, tail: Tail<StoredMessage>): void;
  /** A message that was just stored; does nothing for a chat that is not kept. */
  push(message: StoredMessage): void;
}

/** A page of the largest size and one more, which tells whether there are more. */
const kept = 1001;
/** Cutting rarely costs less than cutting at every message. */
const longest = 1500;

export function createMessageTails(bytes: number): MessageTails {
  const tails = new LRUCache<number, CachedTail>({
    maxSize: bytes,
    maxEntrySize: Math.ceil(bytes / 4),
    sizeCalculation: ({ weight }) => weight,
  });
  return {
    get: (chatId) => tails.get(chatId),
    set(chatId, tail) {
      // What has not reached the chat's log yet can be any number of messages: more than is kept.
      const messages = tail.messages.slice(-kept);
      const complete = tail.complete && messages.length === tail.messages.length;
      const weight = messages.reduce((sum, message) => sum + weightOf(message), emptyWeight);
      tails.set(chatId, { messages, complete, weight });
    },
    push(message) {
      const tail = tails.get(message.chatId);
      if (!tail) return;
      tail.messages.push(message);
      tail.weight += weightOf(message);
      if (tail.messages.length > longest) {
        for (const gone of tail.messages.splice(0, longest - kept)) tail.weight -= weightOf(gone);
        tail.complete = false;
      }
      tails.set(message.chatId, tail);
    },
  };
}

/** Bytes of a cache entry and of a message's fixed parts, as measured roughly. */
const emptyWeight = 200;
const messageWeight = 500;

function weightOf({ text = '', encrypted }: StoredMessage): number {
  return messageWeight + 2 * text.length + encrypted.encrypted.length;
}
