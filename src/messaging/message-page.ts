import { indexFrom } from './id-list.js';
import type { StoredMessage } from './model.js';
import type { MessagePage, MessageQuery } from './store.js';

/**
 * Maximum size of the text on one page of messages in UTF-8, in bytes. Reading and sending a page takes several times
 * as much memory.
 */
export const maxPageBytes = 1024 * 1024;

/** The limits of a page. A page has at least one message, regardless of its size. */
export type PageExtent = Required<Pick<MessageQuery, 'limit' | 'bytes'>>;

type Sized = Pick<StoredMessage, 'encrypted'>;

/**
 * Returns the size of a message's text in UTF-8, in bytes. AES-GCM preserves the length, and two hex digits represent a
 * byte.
 */
function textBytes({ encrypted }: Sized): number {
  return encrypted.encrypted.length / 2;
}

/**
 * Returns a function to call with each message of a page, starting with the one nearest to the cursor. It returns true
 * for the first message that does not fit.
 */
export function pageMeter({ limit, bytes = maxPageBytes }: MessageQuery) {
  let count = 0;
  let sum = 0;
  return (message: Sized): boolean => {
    count += 1;
    sum += textBytes(message);
    return count > limit || (count > 1 && sum > bytes);
  };
}

/**
 * Returns a page of the messages that fit, oldest first. `nearestFirst` starts with the message nearest to the cursor.
 */
export function fillPage(nearestFirst: readonly StoredMessage[], query: MessageQuery): MessagePage {
  const beyond = nearestFirst.findIndex(pageMeter(query));
  const messages = beyond < 0 ? [...nearestFirst] : nearestFirst.slice(0, beyond);
  if (query.after === undefined) messages.reverse();
  return { messages, hasMore: beyond >= 0 };
}

/** Returns the page that a query selects from consecutive messages of a chat, oldest first. */
export function pageAmong(messages: readonly StoredMessage[], query: MessageQuery): MessagePage {
  const { limit, before = Number.POSITIVE_INFINITY, after } = query;
  const start = after === undefined ? before : after + 1;
  const border = indexFrom(start, messages.length, (index) => messages[index]?.id);
  const nearestFirst =
    after === undefined
      ? messages.slice(Math.max(0, border - limit - 1), border).reverse()
      : messages.slice(border, border + limit + 1);
  return fillPage(nearestFirst, query);
}
