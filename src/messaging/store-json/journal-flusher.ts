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

/** Creates an index, by chat, of the messages in the journal that may not be in their chat's log yet. */
export function createUnflushed() {
  let fresh = new Map<number, MessageLine[]>();
  let moving = new Map<number, readonly MessageLine[]>();
  let moves = 0;
  return {
    get isEmpty(): boolean {
      return fresh.size === 0 && moving.size === 0;
    },
    /** Number of finished moves. A chat log that was read during a move must be read again. */
    get moves(): number {
      return moves;
    },
    keep(line: MessageLine): void {
      const { chatId } = line.message;
      const lines = fresh.get(chatId);
      if (lines) lines.push(line);
      else fresh.set(chatId, [line]);
    },
    /** Removes the messages of a deleted chat, except those that are being moved. */
    forget(chatId: number): void {
      fresh.delete(chatId);
    },
    /** Returns the IDs of the chats with messages. */
    chatIds: (): number[] => [...new Set([...moving.keys(), ...fresh.keys()])],
    /** Returns a chat's messages, oldest first. */
    of(chatId: number): StoredMessage[] {
      const lines = [...(moving.get(chatId) ?? []), ...(fresh.get(chatId) ?? [])];
      return lines.map(({ message }) => message);
    },
    /**
     * Returns all messages, so that they can be moved. They remain visible until `endMove`. Later messages are not
     * moved.
     */
    beginMove(): LinesByChat {
      // Messages that an earlier move left behind are older, so they come first.
      for (const [chatId, lines] of fresh) {
        moving.set(chatId, [...(moving.get(chatId) ?? []), ...lines]);
      }
      fresh = new Map();
      return moving;
    },
    /** Removes the moved messages, except `left`, which could not be moved. */
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
  /** Size of the journal at which messages are moved to the chat logs, in bytes. */
  readonly segmentBytes: number;
  /** Called when a move failed. The messages remain in the journal, and the move is retried. */
  onFailed?: ((error: unknown) => void) | undefined;
}

/** Maximum number of chat logs that are written concurrently. */
const concurrency = 8;
/** Maximum number of journal segments before posts wait. All messages in the journal are also in memory. */
const segmentsBehind = 8;
/** Maximum time that a clean shutdown spends on moving messages, in milliseconds. */
const closingMs = 5000;

/** Moves messages from the journal to the logs of their chats, one move at a time. */
export function createJournalFlusher(options: JournalFlusherOptions) {
  const { journal, unflushed, logs, keys, chats, clock, segmentBytes, onFailed } = options;
  const { removed } = chats;
  const limit = pLimit(concurrency);
  let flushing: Promise<boolean> | undefined;
  let flushAt = segmentBytes;
  let closed = false;

  /** Joins the current move or begins one. Returns whether it succeeded. */
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
      // These chats receive no more messages.
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
    // Moved messages remain in their chat's log, even if a later step fails.
    unflushed.endMove(left);
    // Only the journal contains the keys, so they must be stored before it is dropped.
    await keys.settle();
    // Includes lengths that an earlier move failed to store. Only the journal contains them, and it is dropped next.
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
    /** Begins a move in the background if the journal has grown enough. */
    flushIfDue(): void {
      if (journal.size > flushAt && !closed) void start();
    },
    /** Moves all messages. Those that fail remain in the journal. */
    flush: () => start(),
    /** Returns whether posts must wait for `catchUp`. */
    isFarAhead,
    /** Waits until the journal is no longer far ahead. Throws `storage_unavailable` if the messages cannot be moved. */
    async catchUp(): Promise<void> {
      // A running move may not include the latest messages, so a second move may be required.
      while (isFarAhead()) if (!(await start())) break;
      if (!isFarAhead()) return;
      throw new AppError(
        'storage_unavailable',
        'Stored messages cannot be moved from the journal to the chat logs.',
        {
          headers: { 'Retry-After': '5' },
          hint: 'The server log shows the cause: a disk error or a damaged file.',
        },
      );
    },
    /** Moves all messages. After `closingMs`, the rest remains in the journal, unless a chat was deleted. */
    async close(): Promise<void> {
      closed = true;
      await flushing;
      const isErased = removed.ids().length > 0;
      if (unflushed.isEmpty && !isErased) return;
      // Deleted messages must be removed from the journal, so there is no time limit.
      await start(isErased ? undefined : clock.monotonic() + closingMs);
    },
  };
}
