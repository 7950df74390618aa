import { LRUCache } from 'lru-cache';
import { pageAmong } from '../message-page.js';
import type { StoredMessage } from '../model.js';
import type { MessagePage, MessageQuery } from '../store.js';

/** The end of a chat, without gaps: its last messages, oldest first. */
export interface Tail {
  readonly messages: readonly StoredMessage[];
  /** True where it is the whole chat. */
  readonly complete: boolean;
}

/** The page that a query asks for, or undefined where the tail does not reach back far enough. */
export function pageOfTail(
  { messages, complete }: Tail,
  query: MessageQuery,
): MessagePage | undefined {
  const { after } = query;
  const first = messages[0]?.id ?? Number.POSITIVE_INFINITY;
  if (after !== undefined && !complete && first > after + 1) return undefined;
  const page = pageAmong(messages, query);
  return after !== undefined || page.hasMore || complete ? page : undefined;
}

interface CachedTail extends Tail {
  readonly messages: StoredMessage[];
  complete: boolean;
  weight: number;
}

/** The most messages of a tail: a page of the largest size and one more, which tells whether there are more. @internal */
const mostMessages = 1001;

export type MessageTails = ReturnType<typeof createMessageTails>;

/** The ends of the chats in use, in memory, up to a number of bytes in all. */
export function createMessageTails(bytes: number) {
  const heaviest = Math.ceil(bytes / 4);
  const tails = new LRUCache<number, CachedTail>({
    maxSize: bytes,
    maxEntrySize: heaviest,
    sizeCalculation: ({ weight }) => weight,
  });

  /** Keeps a tail without its oldest messages, where it is too long or too heavy. */
  function keep(chatId: number, tail: CachedTail): void {
    let gone = 0;
    for (const message of tail.messages) {
      const left = tail.messages.length - gone;
      if (left === 1 || (left <= mostMessages && tail.weight <= heaviest)) break;
      tail.weight -= weightOf(message);
      gone += 1;
    }
    tail.messages.splice(0, gone);
    tail.complete &&= gone === 0;
    tails.set(chatId, tail);
  }

  return {
    get: (chatId: number): Tail | undefined => tails.get(chatId),
    set(chatId: number, { messages, complete }: Tail): void {
      const weight = messages.reduce((sum, message) => sum + weightOf(message), emptyWeight);
      keep(chatId, { messages: [...messages], complete, weight });
    },
    delete: (chatId: number): void => void tails.delete(chatId),
    /** A message that was just stored; does nothing for a chat that is not kept. */
    push(message: StoredMessage): void {
      const tail = tails.get(message.chatId);
      if (!tail) return;
      tail.messages.push(message);
      tail.weight += weightOf(message);
      keep(message.chatId, tail);
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
