import { join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import { ensureFolder, syncFolder } from '../../base/files/durable-write.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { createTurns } from '../../base/turns.js';
import { type Report, throwDamage } from '../../storage/json/check/data-checker.js';
import { closeAll } from '../../storage/json/close-parts.js';
import type { Collection } from '../../storage/json/collection/collection.js';
import { openSegmentedLog } from '../../storage/json/log/segmented-log.js';
import type { Notify } from '../change-index.js';
import type { MessageKeyRecord, StoredMessage } from '../model.js';
import type { IdempotencyKey, MessagePage, MessageQuery, MessageStore } from '../store.js';
import { damagedMessage } from './chat-log.js';
import { createChatLogs, type MessageLine } from './chat-logs.js';
import type { JsonChatStore } from './chat-store.js';
import { keyName } from './collections.js';
import { createJournalFlusher, createUnflushed } from './journal-flusher.js';
import {
  createIdempotencyKeys,
  type JournalEntry,
  journalName,
  readJournal,
} from './message-journal.js';
import { createMessageReader, createMessageTails } from './message-reader.js';

export interface MessageStoreOptions {
  /** Folder of the journal. Its subfolder `chats` contains the chat logs. */
  readonly folder: string;
  readonly clock: Clock;
  readonly files: FileLayer;
  readonly keys: Collection<MessageKeyRecord>;
  readonly chats: Pick<
    JsonChatStore,
    'logLengths' | 'removed' | 'beginPost' | 'endPost' | 'membership'
  >;
  /** Called after every stored change. */
  readonly notify: Notify;
  /** True if the journal has been created before. A missing journal has then been lost. */
  readonly mustExist: boolean;
  /** Called with damage that is found when messages are read. The other messages are still shown. */
  onDamage(...damage: Parameters<Report>): void;
  /** Saves damaged lines of the journal elsewhere. They are removed from the journal afterwards. */
  readonly keepDamage: KeepDamage;
  /** True to open the journal even if parts of it are lost. */
  readonly isRepair?: boolean;
  /** Called when moving messages to the chat logs failed. They remain in the journal, and the move is retried. */
  onFlushFailed?(error: unknown): void;
  /** Size of the journal at which messages are moved to the chat logs, in bytes; 8 MiB by default. */
  readonly segmentBytes?: number;
  /** Memory for the ends of chats in use, in bytes; 32 MiB by default. */
  readonly cacheBytes?: number;
}

export type KeepDamage = (...damage: Parameters<Report>) => Promise<void>;

export type JsonMessageStore = Awaited<ReturnType<typeof openJsonMessageStore>>;

/** Maximum size of the cached latest messages, in bytes. */
const cachedBytes = 32 * 1024 * 1024;

/**
 * Opens the store of messages on files. A post is first written as one line to the journal, which all chats share.
 * Later it is moved to its chat's log, from which pages are read by offset. Memory contains the messages of the journal
 * and the ends of chats in use, regardless of the number of stored messages.
 */
export async function openJsonMessageStore(options: MessageStoreOptions) {
  const { folder, clock, files, chats, onDamage, segmentBytes = 8 * 1024 * 1024 } = options;
  const { logLengths, removed } = chats;
  const { cacheBytes = cachedBytes } = options;
  await ensureFolder(files, join(folder, 'chats'));
  // Makes folders durable that a killed process may have created there.
  await syncFolder(files, join(folder, 'chats'));
  const tails = createMessageTails(cacheBytes);
  const keys = createIdempotencyKeys(options.keys, clock);
  const unflushed = createUnflushed();
  const inTurn = createTurns<string>();
  let lastId = 0;
  const onEntry = ({ idempotency, ...message }: JournalEntry) => {
    lastId = message.id;
    if (!removed.has(message.chatId)) {
      unflushed.keep({ message, line: JSON.stringify(message) });
    }
    if (idempotency) keys.remember(message, idempotency);
  };
  let isDamaged = false;
  const kept: Promise<void>[] = [];
  const content = await readJournal(options, onEntry, (finding, bytes) => {
    // A note with bytes is a damaged line break, which the next move repairs.
    isDamaged ||= finding.severity === 'error' || bytes !== undefined;
    if (finding.severity === 'note') return;
    // A lost line is only reported. A lost file prevents the startup, because it may have had any number of lines.
    if (!bytes && !options.isRepair) throwDamage(finding);
    const isMessage = finding.line !== 1 && !options.isRepair;
    const chatId = isMessage ? legibleChatId(bytes) : undefined;
    if (chatId === undefined || !bytes) {
      kept.push(options.keepDamage(finding, bytes));
      return;
    }
    // The damaged line is moved to its chat's log unchanged, and shown as a message without text.
    onDamage(finding, bytes);
    lastId += 1;
    if (removed.has(chatId)) return;
    unflushed.keep({ message: { ...damagedMessage, id: lastId, chatId }, line: bytes });
  });
  await Promise.all(kept);
  const logs = createChatLogs({
    folder: join(folder, 'chats'),
    files,
    lengths: content.lengths,
    logLengths,
    onDamage,
  });
  if (content.lacksLengths) {
    // A log with an unknown length ends before its chat's first message that is still in the journal.
    for (const chatId of unflushed.chatIds()) {
      const [first] = unflushed.of(chatId);
      if (first && !content.lengths.has(chatId)) await logs.cutAt(chatId, first.id);
    }
  }
  lastId = content.lastId;
  const journal = await openSegmentedLog(
    { folder, files, name: journalName, lastId: () => lastId },
    content.log,
  );
  const reader = createMessageReader({ logs, unflushed, tails });
  const flusher = createJournalFlusher({
    journal,
    unflushed,
    logs,
    keys,
    chats,
    clock,
    segmentBytes,
    onFailed: options.onFlushFailed,
  });

  // Moving all messages also removes damaged lines from the journal.
  if (isDamaged || options.isRepair) await flusher.flush();

  /** Stores a message. It is a single function because each additional await would cost more than the work itself. */
  async function keep(draft: Omit<StoredMessage, 'id'>, idempotency?: IdempotencyKey) {
    if (flusher.isFarAhead()) await flusher.catchUp();
    chats.beginPost(draft);
    lastId += 1;
    const { line, kept } = linesOf({ id: lastId, ...draft }, idempotency);
    const { message } = kept;
    try {
      await journal.append(line);
      unflushed.keep(kept);
      if (idempotency) keys.remember(message, idempotency);
      tails.push(message);
    } finally {
      chats.endPost(draft);
    }
    flusher.flushIfDue();
    options.notify({ chat: draft.chatId });
    return { message, stored: true };
  }

  function keepOnce(draft: Omit<StoredMessage, 'id'>, idempotency: IdempotencyKey) {
    return inTurn(keyName({ senderId: draft.senderId, key: idempotency.key }), async () => {
      const known = keys.find(draft, idempotency);
      return known
        ? { message: await findMessage(known), stored: false }
        : keep(draft, idempotency);
    });
  }

  /** Returns a page. It is empty for a deleted chat. */
  async function page(chatId: number, query: MessageQuery): Promise<MessagePage> {
    const found = await reader.page(chatId, query);
    return removed.has(chatId) ? { messages: [], hasMore: false } : found;
  }

  async function findMessage({ chatId, messageId }: MessageKeyRecord): Promise<StoredMessage> {
    const [message] = (await page(chatId, { limit: 1, after: messageId - 1 })).messages;
    if (message?.id === messageId) return message;
    throw new AppError('data_damaged', `Message ${messageId} of chat ${chatId} is missing.`, {
      hint: 'Run `msgsite data check` to see all faults, and `msgsite data check --repair` to repair them.',
    });
  }

  const store = {
    append: (draft, idempotency) => (idempotency ? keepOnce(draft, idempotency) : keep(draft)),
    async findKeyed(post, idempotency) {
      const known = keys.find(post, idempotency);
      return known && findMessage(known);
    },
    page,
    last: async (chatId) => (await page(chatId, { limit: 1 })).messages[0],
    async hasNews(chatId, userId, after) {
      if (!(await chats.membership(chatId, userId))) return undefined;
      return (await page(chatId, { limit: 1, after })).messages.length > 0;
    },
    async countOthers(chatId, others) {
      const count = await reader.countOthers(chatId, others);
      return removed.has(chatId) ? 0 : count;
    },
  } satisfies MessageStore;

  return {
    ...store,
    /** Returns the highest message ID that was assigned. */
    lastId: (): number => lastId,
    /** Drops a deleted chat from memory. */
    forgetChat(chatId: number): void {
      unflushed.forget(chatId);
      tails.delete(chatId);
    },
    /** Moves messages to the chat logs until a time limit. The rest remains in the journal. */
    close: () => closeAll([flusher, journal]),
  };
}

/** Returns the chat ID of a damaged message if it is legible. */
function legibleChatId(bytes: Buffer | undefined): number | undefined {
  const found = /^.{0,30}"chatId":(\d{1,15}),/.exec(bytes?.toString('latin1', 0, 60) ?? '');
  return found ? Number(found[1]) : undefined;
}

/** Returns the line for the journal, which includes the idempotency key, and the line for the chat log. */
function linesOf(message: StoredMessage, idempotency: IdempotencyKey | undefined) {
  const line = JSON.stringify(message);
  const kept: MessageLine = { message, line };
  if (!idempotency) return { line, kept };
  return { line: `${line.slice(0, -1)},"idempotency":${JSON.stringify(idempotency)}}`, kept };
}
