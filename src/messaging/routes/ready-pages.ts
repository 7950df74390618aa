import { LRUCache } from 'lru-cache';
import type { Parts } from '../../http/answer/reply.js';
import type { ReadablePage } from '../messages.js';
import type { Views } from '../views.js';

/** A page as one answer, and its strong ETag. */
export interface TaggedParts {
  readonly parts: Parts;
  readonly etag: string;
}

/** Bytes of whole pages that are kept ready for the next reader. */
const cachedPages = 16 * 1024 * 1024;

/** Bytes that keeping a message of a page takes beside its text, as measured roughly. */
const messageWeight = 50;

/** Messages from which on keeping a page saves more than it costs. */
const worthKeeping = 20;

type Sender = ReturnType<Views['sender']>;

interface ReadyPage {
  /** Of each message: random, so that they say whether the page is of what is stored. */
  readonly ivs: readonly string[];
  readonly hasMore: boolean;
  readonly senders: readonly Sender[];
  readonly answer: TaggedParts;
}

/** Where a page belongs: readers who wrote none of it get the same. */
export interface PageOwner {
  readonly page: ReadablePage;
  readonly readerId: number;
  /** What is shown of each of its senders, in their order. */
  readonly senders: readonly Sender[];
}

/** Keeps whole answers with pages that many ask for, such as the latest of a chat, as long as nothing in them changes. */
export function createReadyPages() {
  const pages = new LRUCache<string, ReadyPage>({
    maxSize: cachedPages,
    // The text, and the texts that it was joined of.
    sizeCalculation: ({ answer, ivs }) => 2 * answer.parts.bytes + messageWeight * ivs.length,
  });

  return {
    find(owner: PageOwner): TaggedParts | undefined {
      if (owner.page.messages.length < worthKeeping) return undefined;
      const known = pages.get(keyOf(owner));
      return known && isOf(known, owner) ? known.answer : undefined;
    },
    keep(owner: PageOwner, answer: TaggedParts): void {
      const { page, senders } = owner;
      if (page.messages.length < worthKeeping) return;
      const ivs = page.messages.map(({ encrypted }) => encrypted.iv);
      pages.set(keyOf(owner), { ivs, hasMore: page.hasMore, senders, answer });
    },
  };
}

function keyOf({ page: { messages, senders }, readerId }: PageOwner): string {
  const own = senders.has(readerId) ? readerId : 0;
  return `${messages[0]?.id} ${messages.at(-1)?.id} ${own}`;
}

function isOf(known: ReadyPage, { page: { messages, hasMore }, senders }: PageOwner): boolean {
  return (
    known.hasMore === hasMore &&
    known.ivs.length === messages.length &&
    known.senders.every((sender, index) => sender === senders[index]) &&
    messages.every(({ encrypted }, index) => encrypted.iv === known.ivs[index])
  );
}
