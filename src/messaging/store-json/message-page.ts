import type { MessageQuery } from '../store.js';

/** The end of a chat, without gaps: its last messages, oldest first. */
export interface Tail<Item> {
  readonly messages: readonly Item[];
  /** True where it is the whole chat. */
  readonly complete: boolean;
}

interface Numbered {
  readonly id: number;
}

/** The page that a query asks for, or undefined where the tail does not reach back far enough. Pure. */
export function pageOfTail<Item extends Numbered>(
  { messages, complete }: Tail<Item>,
  { limit, before, after }: MessageQuery,
): { readonly messages: readonly Item[]; readonly hasMore: boolean } | undefined {
  if (after !== undefined) {
    const reaches = complete || (messages[0]?.id ?? Number.POSITIVE_INFINITY) <= after + 1;
    if (!reaches) return undefined;
    const start = firstFrom(messages, after + 1);
    return {
      messages: messages.slice(start, start + limit),
      hasMore: start + limit < messages.length,
    };
  }
  const end = before === undefined ? messages.length : firstFrom(messages, before);
  if (end > limit) return { messages: messages.slice(end - limit, end), hasMore: true };
  return complete ? { messages: messages.slice(0, end), hasMore: false } : undefined;
}

/** Index of the first message whose id is `id` or higher. */
function firstFrom(messages: readonly Numbered[], id: number): number {
  let low = 0;
  let high = messages.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((messages[middle]?.id ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
