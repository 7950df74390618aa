import { LRUCache } from 'lru-cache';
import type { StoredMessage } from '../model.js';
import type { Tail } from './tail-page.js';

interface CachedTail extends Tail {
  readonly messages: StoredMessage[];
  complete: boolean;
  weight: number;
}

/** The ends of the chats in use, in memory, up to a number of bytes in all. */
export interface MessageTails {
  get(chatId: number): Tail | undefined;
  set(chatId: number, tail: Tail): void;
  /** A message that was just stored; does nothing for a chat that is not kept. */
  push(message: StoredMessage): void;
}

/** A page of the largest size and one more, which tells whether there are more. */
const kept = 1001;
/** Cutting rarely costs less than cutting at every message. */
const longest = 1500;

export function createMessageTails(bytes: number): MessageTails {
  const heaviest = Math.ceil(bytes / 4);
  const tails = new LRUCache<number, CachedTail>({
    maxSize: bytes,
    maxEntrySize: heaviest,
    sizeCalculation: ({ weight }) => weight,
  });

  /** Lets go of the oldest messages, so that many more fit until the next time. */
  function cut(tail: CachedTail): void {
    let gone = 0;
    for (const message of tail.messages) {
      const left = tail.messages.length - gone;
      if (left === 1 || (left <= kept && tail.weight <= heaviest / 2)) break;
      tail.weight -= weightOf(message);
      gone += 1;
    }
    tail.messages.splice(0, gone);
    tail.complete &&= gone === 0;
  }

  const isTooMuch = ({ messages, weight }: CachedTail, most: number) =>
    messages.length > most || weight > heaviest;

  return {
    get: (chatId) => tails.get(chatId),
    set(chatId, { messages, complete }) {
      const weight = messages.reduce((sum, message) => sum + weightOf(message), emptyWeight);
      const tail = { messages: [...messages], complete, weight };
      // What has not reached the chat's log yet can be any number of messages: more than is kept.
      if (isTooMuch(tail, kept)) cut(tail);
      tails.set(chatId, tail);
    },
    push(message) {
      const tail = tails.get(message.chatId);
      if (!tail) return;
      tail.messages.push(message);
      tail.weight += weightOf(message);
      if (isTooMuch(tail, longest)) cut(tail);
      tails.set(message.chatId, tail);
    },
  };
}

/** Bytes of a cache entry and of a message's fixed parts, as measured roughly. */
const emptyWeight = 200;
const messageWeight = 500;

/** Hex digits take a byte each; the text is there as it is stored and as it was decrypted. */
function weightOf({ text = '', encrypted }: StoredMessage): number {
  return messageWeight + 2 * text.length + 2 * encrypted.encrypted.length;
}
