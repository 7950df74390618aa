import { join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import { ensureFolder, syncFolder } from '../../base/files/durable-write.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { closeAll } from '../../storage/json/close-parts.js';
import type { Collection } from '../../storage/json/collection.js';
import { throwDamage } from '../../storage/json/collection-files.js';
import type { Report } from '../../storage/json/data-checker.js';
import type { StoredMessage } from '../model.js';
import type { MessageKeyRecord } from '../records.js';
import type { IdempotencyKey, MessageStore } from '../store.js';
import { damagedMessage } from './chat-log-search.js';
import { type ChatLogs, createChatLogs, type MessageLine } from './chat-logs.js';
import { createIdempotencyKeys } from './idempotency.js';
import { createJournalFlusher } from './journal-flusher.js';
import { type JournalEntry, openMessageJournal, readJournal } from './message-journal.js';
import { createMessageListeners } from './message-listeners.js';
import { createMessageReader } from './message-reader.js';
import { createMessageTails } from './message-tails.js';
import { createUnflushed, type Unflushed } from './unflushed.js';

export interface MessageStoreOptions {
  /** Folder of the journal and, below `chats`, of the chat logs. */
  readonly folder: string;
  readonly clock: Clock;
  readonly files: FileLayer;
  readonly keys: Collection<MessageKeyRecord>;
  /** True where the journal was made before, so that a missing one has been lost. */
  readonly mustExist: boolean;
  /** Told of damage that is found when messages are read; the others are shown. */
  onDamage(...damage: Parameters<Report>): void;
  /** Keeps what is damaged in the journal elsewhere; it leaves the journal then. */
  readonly keepDamage: KeepDamage;
  /** True where the journal is opened whatever has been lost of it. */
  readonly isRepair?: boolean;
  /** Told when moving messages to the chat logs failed; they stay in the journal, it is tried again. */
  onFlushFailed?(error: unknown): void;
  /** Journal bytes that are moved to the chat logs; 8 MiB unless told. */
  readonly segmentBytes?: number;
  /** Memory for the ends of chats in use; 32 MiB unless told. */
  readonly cacheBytes?: number;
}

export type KeepDamage = (...damage: Parameters<Report>) => Promise<void>;

export interface JsonMessageStore extends MessageStore {
  /** Moves everything to the chat logs; where that takes long, the rest stays in the journal. */
  close(): Promise<void>;
}

/**
 * Messages on files: a post is one line in the journal of all chats; later it moves to its chat's own
 * log, from where pages are read back by offset. In memory are what the journal holds and the ends
 * of chats in use, however many messages are stored.
 */
export async function openJsonMessageStore(
  options: MessageStoreOptions,
): Promise<JsonMessageStore> {
  const { folder, clock, files, onDamage, segmentBytes = 8 * 1024 * 1024 } = options;
  const { cacheBytes = 32 * 1024 * 1024 } = options;
  await ensureFolder(files, join(folder, 'chats'));
  // Folders that a killed process made there are used without a further look.
  await syncFolder(files, join(folder, 'chats'));
  const tails = createMessageTails(cacheBytes);
  const keys = createIdempotencyKeys(options.keys, clock);
  const unflushed = createUnflushed();
  const listeners = createMessageListeners();
  let lastId = 0;
  const onEntry = ({ idempotency, ...message }: JournalEntry) => {
    lastId = message.id;
    unflushed.keep({ message, line: JSON.stringify(message) });
    if (idempotency) keys.remember(message, idempotency);
  };
  let isDamaged = false;
  const kept: Promise<void>[] = [];
  const content = await readJournal(options, onEntry, (finding, bytes) => {
    if (finding.severity === 'note') return;
    isDamaged = true;
    // A lost message is told of; a lost file or header may stand for any number of them.
    const isMessageLine = bytes !== undefined && finding.line !== 1;
    if (!isMessageLine && !options.isRepair) throwDamage(finding);
    const chatId = options.isRepair ? undefined : legibleChatId(bytes);
    if (chatId === undefined || !bytes) {
      kept.push(options.keepDamage(finding, bytes));
      return;
    }
    // It goes to the log of its chat as it is, and is shown as a message without a text.
    onDamage(finding, bytes);
    lastId += 1;
    unflushed.keep({ message: { ...damagedMessage, id: lastId, chatId }, line: bytes });
  });
  await Promise.all(kept);
  const logs = createChatLogs({
    folder: join(folder, 'chats'),
    files,
    lengths: content.lengths,
    onDamage,
  });
  if (content.lacksLengths) await findLengths(unflushed, logs, content.lengths);
  const journal = await openMessageJournal(options, content);
  const page = createMessageReader({ logs, unflushed, tails });
  const flusher = createJournalFlusher({
    journal,
    unflushed,
    logs,
    keys,
    clock,
    segmentBytes,
    onFailed: options.onFlushFailed,
  });

  // What is damaged leaves the journal with everything else.
  if (isDamaged || options.isRepair) await flusher.flush();

  async function store(
    message: Omit<StoredMessage, 'id'>,
    idempotency: IdempotencyKey | undefined,
  ): Promise<StoredMessage> {
    await flusher.catchUp();
    const { kept } = await journal.append((id) => linesOf({ id, ...message }, idempotency));
    const stored = kept.message;
    unflushed.keep(kept);
    if (idempotency) keys.remember(stored, idempotency);
    tails.push(stored);
    flusher.flushIfDue();
    listeners.tell(stored.chatId);
    return stored;
  }

  async function findMessage({ chatId, messageId }: MessageKeyRecord): Promise<StoredMessage> {
    const { messages } = await page(chatId, { limit: 1, after: messageId - 1 });
    const [message] = messages;
    if (message?.id === messageId) return message;
    throw new AppError('data_damaged', `Message ${messageId} of chat ${chatId} is missing.`, {
      hint: 'Run msgsite data check to see every fault, and msgsite data check --repair to put it right.',
    });
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
    async hasAfter(chatId, id) {
      return (await page(chatId, { limit: 1, after: id })).messages.length > 0;
    },
    onNew: (chatId, listener) => listeners.add(chatId, listener),
    close: () => closeAll([flusher, journal]),
  };
}

/** The chat of a damaged message, as far as can be told. */
function legibleChatId(bytes: Buffer | undefined): number | undefined {
  const found = /^.{0,30}"chatId":(\d{1,15}),/.exec(bytes?.toString('latin1', 0, 60) ?? '');
  return found ? Number(found[1]) : undefined;
}

/** Cuts logs back to where the messages begin that are in the journal still. */
async function findLengths(
  unflushed: Unflushed,
  logs: ChatLogs,
  known: ReadonlyMap<number, number>,
): Promise<void> {
  for (const chatId of unflushed.chatIds()) {
    const [first] = unflushed.of(chatId);
    if (first && !known.has(chatId)) await logs.cutAt(chatId, first.id);
  }
}

/** What the journal gets (with the key, so that the two cannot part) and what the chat's log will get. */
function linesOf(message: StoredMessage, idempotency: IdempotencyKey | undefined) {
  const line = JSON.stringify(message);
  const kept: MessageLine = { message, line };
  if (!idempotency) return { line, kept };
  return { line: `${line.slice(0, -1)},"idempotency":${JSON.stringify(idempotency)}}`, kept };
}
