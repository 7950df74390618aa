/** How much one page of messages holds. */
import type { StoredMessage } from './model.js';

/** Text of one page, in bytes of UTF-8: what is read and answered takes several times as much memory. */
export const largestPageBytes = 1024 * 1024;

/** How far a page reaches at most; it has one message whatever its size. */
export interface PageExtent {
  readonly limit: number;
  /** Bytes of text in UTF-8. */
  readonly bytes: number;
}

type Sized = Pick<StoredMessage, 'encrypted'>;

/** Bytes of a message's text in UTF-8: AES-GCM keeps the length, and two hex digits are a byte. */
function textBytes({ encrypted }: Sized): number {
  return encrypted.encrypted.length / 2;
}

/**
 * Called with one message after another, the nearest first: gives true once they are more than fit into a
 * page, the last one being beyond it.
 */
export function pageMeter({ limit, bytes }: PageExtent): (message: Sized) => boolean {
  let count = 0;
  let sum = 0;
  return (message) => {
    count += 1;
    sum += textBytes(message);
    return count > limit || (count > 1 && sum > bytes);
  };
}

/** The messages that fit into a page, in the order given: the nearest first. */
export function fillPage<Message extends Sized>(
  nearestFirst: Iterable<Message>,
  extent: PageExtent,
): { readonly messages: Message[]; readonly hasMore: boolean } {
  const isBeyond = pageMeter(extent);
  const messages: Message[] = [];
  for (const message of nearestFirst) {
    if (isBeyond(message)) return { messages, hasMore: true };
    messages.push(message);
  }
  return { messages, hasMore: false };
}
