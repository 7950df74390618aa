import { fillPage, largestPageBytes } from '../message-page.js';
import type { StoredMessage } from '../model.js';
import type { MessagePage, MessageQuery } from '../store.js';

/** The end of a chat, without gaps: its last messages, oldest first. */
export interface Tail {
  readonly messages: readonly StoredMessage[];
  /** True where it is the whole chat. */
  readonly complete: boolean;
}

/** The page that a query asks for, or undefined where the tail does not reach back far enough. Pure. */
export function pageOfTail(
  { messages, complete }: Tail,
  { limit, bytes = largestPageBytes, before, after }: MessageQuery,
): MessagePage | undefined {
  if (after !== undefined) {
    const reaches = complete || (messages[0]?.id ?? Number.POSITIVE_INFINITY) <= after + 1;
    if (!reaches) return undefined;
    return fillPage(from(messages, firstFrom(messages, after + 1)), { limit, bytes });
  }
  const end = before === undefined ? messages.length : firstFrom(messages, before);
  const page = fillPage(backwardsFrom(messages, end - 1), { limit, bytes });
  if (!page.hasMore && !complete) return undefined;
  return { ...page, messages: page.messages.reverse() };
}

/** Index of the first message whose id is `id` or higher. */
function firstFrom(messages: readonly StoredMessage[], id: number): number {
  let low = 0;
  let high = messages.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((messages[middle]?.id ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

function* from(messages: readonly StoredMessage[], start: number): Generator<StoredMessage> {
  for (let index = start; index < messages.length; index += 1) {
    const message = messages[index];
    if (message) yield message;
  }
}

function* backwardsFrom(messages: readonly StoredMessage[], last: number) {
  for (let index = last; index >= 0; index -= 1) {
    const message = messages[index];
    if (message) yield message;
  }
}
