import pLimit from 'p-limit';
import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import type { SegmentedLog } from '../../storage/json/log/segmented-log.js';
import type { StoredMessage } from '../model.js';
import type { ChatLogs, MessageLine } from './chat-logs.js';
import type { JsonChatStore } from './chat-store.js';
import type { IdempotencyKeys } from './message-journal.js';

type LinesByChat = ReadonlyMap<number, readonly MessageLine[]>;

export type Unflushed = ReturnType<typeof createUnflushed>;

/** Messages that are in the journal and not (or not surely) in the log of their chat yet, by chat. */
export function createUnflushed() {
  let fresh = new Map<number, MessageLine[]>();
  let moving = new Map<number, readonly MessageLine[]>();
  let moves = 0;
  return {
    get isEmpty(): boolean {
      return fresh.size === 0 && moving.size === 0;
    },
    /** Rises when messages have left: whoever read a chat log meanwhile must read it again. */
    get moves(): number {
      return moves;
    },
    keep(line: MessageLine): void {
      const { chatId } = line.message;
      const lines = fresh.get(chatId);
      if (lines) lines.push(line);
      else fresh.set(chatId, [line]);
    },
    /** Forgets a chat that is gone; what is on the move already has to be held back by whoever moves it. */
    forget(chatId: number): void {
      fresh.delete(chatId);
    },
    /** The chats that have any. */
    chatIds: (): number[] => [...new Set([...moving.keys(), ...fresh.keys()])],
    /** A chat's messages, oldest first. */
    of(chatId: number): StoredMessage[] {
      const lines = [...(moving.get(chatId) ?? []), ...(fresh.get(chatId) ?? [])];
      return lines.map(({ message }) => message);
    },
    /** All there is now. It stays visible until `endMove`; what comes later is not part of it. */
    beginMove(): LinesByChat {
      // What an earlier move left behind is older, so it comes first.
      for (const [chatId, lines] of fresh) {
        moving.set(chatId, [...(moving.get(chatId) ?? []), ...lines]);
      }
      fresh = new Map();
      return moving;
    },
    /** Forgets what was to be moved, except `left`, which could not be. */
    endMove(left: LinesByChat): void {
      moving = new Map(left);
      moves += 1;
    },
  };
}

export interface JournalFlusherOptions {
  readonly journal: Pick<SegmentedLog, 'size' | 'rotate' | 'drop'>;
  readonly unflushed: Unflushed;
  readonly logs: ChatLogs;
  readonly keys: IdempotencyKeys;
  readonly chats: Pick<JsonChatStore, 'removed'>;
  readonly clock: Clock;
  /** Journal bytes that are moved to the chat logs. */
  readonly segmentBytes: number;
  /** Called when moving failed; the messages stay in the journal, and it is tried again. */
  onFailed?: ((error: unknown) => void) | undefined;
}

/** How many chat logs are written at once. */
const concurrency = 8;
/** Segments that posts may run ahead before they wait: memory holds what the journal holds. */
const segmentsBehind = 8;
/** Time that a clean shutdown gives the chat logs. */
const closingMs = 5000;

/** Moves messages from the journal to the logs of their chats, one move at a time. */
export function createJournalFlusher(options: JournalFlusherOptions) {
  const { journal, unflushed, logs, keys, chats, clock, segmentBytes, onFailed } = options;
  const { removed } = chats;
  const limit = pLimit(concurrency);
  let flushing: Promise<boolean> | undefined;
  let flushAt = segmentBytes;
  let closed = false;

  /** Joins the move under way or begins one; tells whether it succeeded. */
  function start(deadline = Number.POSITIVE_INFINITY): Promise<boolean> {
    flushing ??= flush(deadline)
      .then(
        () => true,
        (error) => {
          onFailed?.(error);
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
    let moving: ReadonlyMap<number, readonly MessageLine[]> = new Map();
    let gone: readonly number[] = [];
    const next = await journal.rotate(async () => {
      moving = unflushed.beginMove();
      // No message of them comes any more.
      gone = removed.ids();
      const lengths = [...moving.keys()].map((chatId) => [chatId, logs.lengthOf(chatId)]);
      return { lengths: Object.fromEntries(lengths) };
    });
    const left = new Map<number, readonly MessageLine[]>();
    const errors: unknown[] = [];
    const move = async ([chatId, lines]: readonly [number, readonly MessageLine[]]) => {
      if (removed.has(chatId)) return;
      try {
        if (clock.monotonic() > deadline) left.set(chatId, lines);
        else await logs.append(chatId, lines);
      } catch (error) {
        left.set(chatId, lines);
        errors.push(error);
      }
    };
    await Promise.all([...moving].map((chat) => limit(move, chat)));
    // What has come to its chat's log stays there, whatever happens to the journal.
    unflushed.endMove(left);
    // The journal is what holds the keys until now, so they are settled before it goes.
    await keys.settle();
    // Also those that an earlier move failed to store: the journal still has them, and is dropped next.
    await logs.keepLengths();
    if (left.size === 0) {
      await journal.drop(next);
      await Promise.all(gone.map((chatId) => limit(() => logs.remove(chatId))));
      await removed.forget(gone);
    }
    if (errors.length > 0) throw errors[0];
  }

  const isFarAhead = () => journal.size > segmentsBehind * segmentBytes;

  return {
    /** Begins a move beside the running work where the journal has grown enough. */
    flushIfDue(): void {
      if (journal.size > flushAt && !closed) void start();
    },
    /** Moves everything there is now; what fails stays in the journal. */
    flush: () => start(),
    /** Whether posts have to wait for `catchUp`. */
    isFarAhead,
    /** Waits where the journal has run far ahead; `storage_unavailable` where it cannot be moved. */
    async catchUp(): Promise<void> {
      // A move under way may not cover what has come since, so more than one may be needed.
      while (isFarAhead()) if (!(await start())) break;
      if (!isFarAhead()) return;
      throw new AppError('storage_unavailable', 'The messages cannot be moved to their chats.', {
        headers: { 'Retry-After': '5' },
        hint: 'See the log for the disk error or the damaged file that stops it.',
      });
    },
    /** Moves everything; what takes too long stays in the journal, unless something of it was erased. */
    async close(): Promise<void> {
      closed = true;
      await flushing;
      const isErased = removed.ids().length > 0;
      if (unflushed.isEmpty && !isErased) return;
      // What was erased is to be gone then, however long that takes.
      await start(isErased ? undefined : clock.monotonic() + closingMs);
    },
  };
}
