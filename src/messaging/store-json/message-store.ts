import { join } from 'node:path';
import pLimit from 'p-limit';
import type { Clock } from '../../clock.js';
import { AppError } from '../../errors.js';
import type { Collection } from '../../storage/json/collection.js';
import { ensureFolder } from '../../storage/json/durable-write.js';
import type { FileLayer } from '../../storage/json/file-layer.js';
import type { StoredMessage } from '../model.js';
import type { IdempotencyKey, MessagePage, MessageQuery, MessageStore } from '../store.js';
import { createChatLogs, type MessageLine } from './chat-logs.js';
import { createIdempotencyKeys, type KeyRecord } from './idempotency.js';
import { type JournalEntry, openMessageJournal } from './message-journal.js';
import { pageOfTail, type Tail } from './message-page.js';
import { createMessageTails } from './message-tails.js';

export interface MessageStoreOptions {
  /** Folder of the journal and, below `chats`, of the chat logs. */
  readonly folder: string;
  readonly clock: Clock;
  readonly files: FileLayer;
  readonly keys: Collection<KeyRecord>;
  /** Told when moving messages to the chat logs failed; they stay in the journal, it is tried again. */
  onFlushFailed?(error: unknown): void;
  /** Journal bytes that are moved to the chat logs; 8 MiB unless told. */
  readonly segmentBytes?: number;
  /** Memory for the ends of chats in use; 32 MiB unless told. */
  readonly cacheBytes?: number;
}

export interface JsonMessageStore extends MessageStore {
  /** Moves everything to the chat logs; where that takes long, the rest stays in the journal. */
  close(): Promise<void>;
}

type Unflushed = Map<number, MessageLine[]>;

/** How many chat logs are written at once. */
const flushConcurrency = 8;
/** Journal bytes at which posts wait for the chat logs to catch up, as multiple of a segment. */
const segmentsBehind = 8;
/** Messages read for a chat that somebody looks at, so that polling it later is answered from memory. */
const smallestTail = 50;
/** Time that a clean shutdown gives the chat logs. */
const closingMs = 5000;

/**
 * Messages on files: a post is one line in the journal of all chats; later it moves to its chat's own
 * log, from where pages are read back by offset. In memory are what the journal holds and the ends
 * of chats in use, however many messages are stored.
 */
export async function openJsonMessageStore(
  options: MessageStoreOptions,
): Promise<JsonMessageStore> {
  const { folder, clock, files, segmentBytes = 8 * 1024 * 1024 } = options;
  const { cacheBytes = 32 * 1024 * 1024 } = options;
  await ensureFolder(files, join(folder, 'chats'));
  const logs = createChatLogs(join(folder, 'chats'), files);
  const tails = createMessageTails(cacheBytes);
  const keys = createIdempotencyKeys(options.keys, clock);
  const listeners = new Map<number, Set<() => void>>();
  const loading = new Map<number, Promise<Tail<StoredMessage>>>();

  /** In the journal only: newer ones, and those just moving to the chat logs (or that failed to). */
  let fresh: Unflushed = new Map();
  let moving: Unflushed = new Map();
  /** Rises when messages have left `moving`: whoever read a chat log meanwhile must read again. */
  let moves = 0;
  let flushing: Promise<boolean> | undefined;
  let flushAt = segmentBytes;
  let closed = false;

  const journal = await openMessageJournal(folder, files, (entry) => {
    const { idempotency, ...message } = entry;
    keep({ message, line: JSON.stringify(message) });
    keys.remember(entry);
  });

  function keep(kept: MessageLine): void {
    const { chatId } = kept.message;
    const lines = fresh.get(chatId);
    if (lines) lines.push(kept);
    else fresh.set(chatId, [kept]);
  }

  function unflushed(chatId: number): StoredMessage[] {
    const lines = [...(moving.get(chatId) ?? []), ...(fresh.get(chatId) ?? [])];
    return lines.map(({ message }) => message);
  }

  async function store(
    message: Omit<StoredMessage, 'id'>,
    idempotency: IdempotencyKey | undefined,
  ): Promise<StoredMessage> {
    if (journal.size > segmentsBehind * segmentBytes) await catchUp();
    const written = await journal.append((id) => {
      const numbered: StoredMessage = { id, ...message };
      const chatLine = JSON.stringify(numbered);
      const line = idempotency
        ? `${chatLine.slice(0, -1)},"idempotency":${JSON.stringify(idempotency)}}`
        : chatLine;
      return { line, kept: { message: numbered, line: chatLine } };
    });
    const stored = written.kept.message;
    keep(written.kept);
    if (idempotency) keys.remember({ ...stored, idempotency } satisfies JournalEntry);
    tails.push(stored);
    if (journal.size > flushAt && !closed) startFlush();
    for (const listener of listeners.get(stored.chatId) ?? []) listener();
    return stored;
  }

  /** Memory holds what the journal holds, so the journal must not grow for ever. */
  async function catchUp(): Promise<void> {
    while (journal.size > segmentsBehind * segmentBytes) {
      if (!(await startFlush())) break;
    }
    if (journal.size <= segmentsBehind * segmentBytes) return;
    throw new AppError('storage_unavailable', 'The messages cannot be moved to their chats.', {
      headers: { 'Retry-After': '5' },
      hint: 'See the log for the disk error or the damaged file that stops it.',
    });
  }

  /** Joins the flush under way or begins one; tells whether it succeeded. */
  function startFlush(deadline = Number.POSITIVE_INFINITY): Promise<boolean> {
    flushing ??= flush(deadline)
      .then(
        () => true,
        (error) => {
          options.onFlushFailed?.(error);
          return false;
        },
      )
      .finally(() => {
        flushing = undefined;
        flushAt = journal.size + segmentBytes;
      });
    return flushing;
  }

  async function flush(deadline: number): Promise<void> {
    const next = await journal.rotate();
    for (const [chatId, lines] of fresh) {
      moving.set(chatId, [...(moving.get(chatId) ?? []), ...lines]);
    }
    fresh = new Map();
    const left: Unflushed = new Map();
    const errors: unknown[] = [];
    const limit = pLimit(flushConcurrency);
    const move = async (chatId: number, lines: MessageLine[]) => {
      try {
        if (clock.now() > deadline) left.set(chatId, lines);
        else await logs.append(chatId, lines);
      } catch (error) {
        left.set(chatId, lines);
        errors.push(error);
      }
    };
    await Promise.all([...moving].map(([chatId, lines]) => limit(move, chatId, lines)));
    await keys.settle();
    if (left.size === 0) await journal.drop(next);
    moving = left;
    moves += 1;
    if (errors.length > 0) throw errors[0];
  }

  /** Reads a chat log together with what has not reached it; `read` asks the log. */
  async function readWhole(
    chatId: number,
    read: () => Promise<StoredMessage[]>,
  ): Promise<{ flushed: StoredMessage[]; pending: StoredMessage[] }> {
    for (;;) {
      const before = moves;
      const flushed = await read();
      if (before !== moves) continue;
      const last = flushed.at(-1)?.id ?? 0;
      return { flushed, pending: unflushed(chatId).filter(({ id }) => id > last) };
    }
  }

  /** The end of a chat with at least `count` messages and one more (or all there are), kept in memory. */
  function loadTail(chatId: number, count: number): Promise<Tail<StoredMessage>> {
    const under = loading.get(chatId);
    if (under) return under;
    const load = readTail(chatId, count).finally(() => loading.delete(chatId));
    loading.set(chatId, load);
    return load;
  }

  async function readTail(chatId: number, count: number): Promise<Tail<StoredMessage>> {
    const wanted = Math.max(count, smallestTail) + 1;
    const latest = Number.POSITIVE_INFINITY;
    const { flushed, pending } = await readWhole(chatId, () =>
      logs.readBefore(chatId, latest, wanted),
    );
    const tail = { messages: [...flushed, ...pending], complete: flushed.length < wanted };
    tails.set(chatId, tail);
    return tail;
  }

  async function readPage(chatId: number, query: MessageQuery): Promise<MessagePage> {
    const { limit, before = Number.POSITIVE_INFINITY, after } = query;
    const more = limit + 1;
    if (after !== undefined) {
      const { flushed, pending } = await readWhole(chatId, () =>
        logs.readAfter(chatId, after, more),
      );
      const all = [...flushed, ...pending.filter(({ id }) => id > after)];
      return { messages: all.slice(0, limit), hasMore: all.length > limit };
    }
    const { flushed, pending } = await readWhole(chatId, () =>
      logs.readBefore(chatId, before, more),
    );
    const all = [...flushed, ...pending.filter(({ id }) => id < before)];
    return { messages: all.slice(-limit), hasMore: all.length > limit };
  }

  async function page(chatId: number, query: MessageQuery): Promise<MessagePage> {
    const known = tails.get(chatId);
    const answer = known && pageOfTail(known, query);
    if (answer) return answer;
    // A client that polls asks with `after`: from the second time on it is answered from memory.
    const isAboutEnd = query.before === undefined && (query.after === undefined || !known);
    const tail = isAboutEnd ? await loadTail(chatId, query.limit) : undefined;
    return (tail && pageOfTail(tail, query)) ?? readPage(chatId, query);
  }

  return {
    async append(message, idempotency) {
      if (!idempotency) return { message: await store(message, undefined), stored: true };
      const { senderId } = message;
      // No await between the last look and `occupy`, or two posts could both find the key free.
      for (;;) {
        const other = keys.underWay(senderId, idempotency.key);
        if (!other) break;
        await other;
      }
      const known = keys.find(message, idempotency);
      if (known) return { message: await findMessage(known), stored: false };
      const stored = await keys.occupy(senderId, idempotency.key, store(message, idempotency));
      return { message: stored, stored: true };
    },
    page,
    async last(chatId) {
      return (await page(chatId, { limit: 1 })).messages[0];
    },
    onNew(chatId, listener) {
      const chatListeners = listeners.get(chatId) ?? new Set();
      listeners.set(chatId, chatListeners.add(listener));
      return () => {
        chatListeners.delete(listener);
        if (chatListeners.size === 0) listeners.delete(chatId);
      };
    },
    async close() {
      closed = true;
      await flushing;
      if (fresh.size > 0 || moving.size > 0) await startFlush(clock.now() + closingMs);
      await journal.close();
    },
  };

  async function findMessage({ chatId, messageId }: KeyRecord): Promise<StoredMessage> {
    const { messages } = await page(chatId, { limit: 1, after: messageId - 1 });
    const [message] = messages;
    if (message?.id === messageId) return message;
    throw new AppError('data_damaged', `Message ${messageId} of chat ${chatId} is missing.`, {
      hint: 'Run msgsite data check to see what is wrong.',
    });
  }
}
