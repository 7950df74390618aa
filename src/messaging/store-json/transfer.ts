import { join } from 'node:path';
import { AppError } from '../../base/errors.js';
import { ensureFolder } from '../../base/files/durable-write.js';
import { systemFiles as files } from '../../base/files/file-layer.js';
import { inOrder } from '../../base/record-fields.js';
import { compareTexts, type RecordReader, type RecordWriter } from '../../base/records.js';
import { type Report, throwDamage } from '../../storage/json/check/data-checker.js';
import { writeCollection } from '../../storage/json/collection/collection.js';
import {
  type CollectionFiles,
  findRecords,
  readLastId,
} from '../../storage/json/collection/collection-files.js';
import { noLog } from '../../storage/json/log/log-reader.js';
import { openSegmentedLog } from '../../storage/json/log/segmented-log.js';
import type {
  Chat,
  ChatIdsRecord,
  MemberRecord,
  MessageIdsRecord,
  MessageKeyRecord,
  RevokedTokenRecord,
  StoredMessage,
  User,
} from '../model.js';
import { chatFields, memberFields, messageFields, userFields } from '../model.js';
import { uniqueEmails, uniquePairs } from '../records.js';
import { type Located, readChatLog, writeChatLogs } from './chat-log-files.js';
import {
  chatLogPath,
  findLogs,
  isStoreComplete,
  type KeptChat,
  keyName,
  markComplete,
  messagingCollections,
} from './collections.js';
import { type JournalContent, journalName, keyRecordOf, readJournal } from './message-journal.js';
import { standingChats } from './standing-chats.js';

/**
 * Reads the messaging records from a data folder that no other process uses, without changing it. Memory contains
 * users, chats, memberships, keys and the messages of the journal, as in a server. Omits records that have expired at
 * `now` (milliseconds).
 */
export function readJsonMessaging(folder: string, now: number): readonly RecordReader[] {
  return locateJsonMessaging(folder, now, throwDamage).map(({ kind, read }) => ({
    kind,
    async *read() {
      for await (const { record } of read()) yield record;
    },
  }));
}

/** Reads the messaging records with their locations. If `report` does not throw, reading continues after damage. */
export function locateJsonMessaging(folder: string, now: number, report: Report) {
  const messages = join(folder, 'messages');
  const isComplete = once(() => isStoreComplete(folder, files, report));
  const all = messagingCollections(folder);
  const find = async <T>(
    collection: CollectionFiles<T>,
    compare: (a: T, b: T) => number = () => 0,
    reportFound = report,
  ): Promise<Located<T>[]> => {
    const mustExist = await isComplete();
    const found = await findRecords({ ...collection, mustExist }, reportFound);
    return [...found.values()].sort((a, b) => compare(a.record, b.record));
  };
  const users = once(() => find(all.users, byId));
  const standing = once(async () => {
    const ended = (await users()).flatMap(({ record: { id, deleted } }) => (deleted ? id : []));
    const endedIds = new Set(ended);
    let isDamaged = false;
    const chats = await find(all.chats, byId, (...damage) => {
      isDamaged ||= damage[0].severity === 'error';
      report(...damage);
    });
    const members = await find(all.members);
    const isEnded = (userId: number) => endedIds.has(userId);
    // A damaged record may have contained the current length of a log.
    const logBytes = isDamaged
      ? []
      : chats.map(({ record }) => [record.id, record.logBytes ?? 0] as const);
    const lastChatId = await readLastId(all.chats);
    return { ...standingChats({ chats, members, isEnded }), logBytes, lastChatId };
  });
  const journal = once(async () => readWaiting(messages, report, await isComplete()));
  const isGood = ({ record }: Located<{ readonly expires: number }>) => record.expires > now;
  const readers: Readonly<Record<string, () => AsyncGenerator<Located>>> = {
    async *user() {
      for (const { record, place } of await users()) {
        yield { record: inOrder(userFields, record), place };
      }
    },
    async *'revoked-token'() {
      const tokens = await find(all.revokedTokens, (a, b) => compareTexts(a.jti, b.jti));
      yield* tokens.filter(isGood);
    },
    async *'chat-ids'() {
      const { chats, lastChatId } = await standing();
      const highest = chats.at(-1)?.record.id ?? 0;
      if (lastChatId > highest) yield { record: { lastChatId }, place: { file: folder } };
    },
    async *chat() {
      for (const { record, place } of (await standing()).chats) {
        yield { record: inOrder(chatFields, record), place };
      }
    },
    async *member() {
      for (const { record, place } of (await standing()).members) {
        yield { record: inOrder(memberFields, record), place };
      }
    },
    async *message() {
      const { gone, logBytes } = await standing();
      const chatLogs = { folder: join(messages, 'chats'), logLengths: new Map(logBytes), gone };
      yield* readMessages(chatLogs, await journal(), report);
    },
    async *'message-key'() {
      // Keys of messages that are still in the journal replace those in the collection.
      const settled = (await find(all.keys)).filter(isGood);
      const waiting = (await journal()).keys.filter(isGood);
      const keys = new Map([...settled, ...waiting].map((each) => [keyName(each.record), each]));
      yield* [...keys.values()].sort(
        ({ record: a }, { record: b }) => a.senderId - b.senderId || compareTexts(a.key, b.key),
      );
    },
    async *'message-ids'() {
      yield { record: { lastMessageId: (await journal()).lastId }, place: { file: messages } };
    },
  };
  return Object.entries(readers).map(([kind, read]) => ({ kind, read }));
}

const byId = (a: { readonly id: number }, b: { readonly id: number }) => a.id - b.id;

function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

/** Messages that are still in the journal, which is limited to 72 MiB. */
interface JournalMessages extends JournalContent {
  readonly byChat: ReadonlyMap<number, readonly Located<StoredMessage>[]>;
  readonly keys: readonly Located<MessageKeyRecord>[];
}

async function readWaiting(
  folder: string,
  report: Report,
  mustExist: boolean,
): Promise<JournalMessages> {
  const byChat = new Map<number, Located<StoredMessage>[]>();
  const keys: Located<MessageKeyRecord>[] = [];
  const content = await readJournal(
    { folder, files, mustExist },
    ({ idempotency, ...record }, place) => {
      const messages = byChat.get(record.chatId) ?? [];
      byChat.set(record.chatId, messages);
      messages.push({ record, place });
      if (idempotency) keys.push({ record: keyRecordOf(record, idempotency), place });
    },
    report,
  );
  return { ...content, byChat, keys };
}

interface ChatLogExtent {
  readonly folder: string;
  readonly logLengths: ReadonlyMap<number, number>;
  /** Deleted chats. */
  readonly gone: ReadonlySet<number>;
}

/** Yields the messages of each chat in turn: first those in its log, then those that are only in the journal. */
async function* readMessages(
  { folder, logLengths, gone }: ChatLogExtent,
  { byChat, lengths }: JournalMessages,
  report: Report,
): AsyncGenerator<Located> {
  const logs = await findLogs(folder);
  const chatIds = new Set([logs, logLengths, byChat, lengths].flatMap((each) => [...each.keys()]));
  for (const chatId of [...chatIds].sort((a, b) => a - b)) {
    if (gone.has(chatId)) continue;
    const path = logs.get(chatId) ?? chatLogPath(folder, chatId);
    const length = lengths.get(chatId) ?? logLengths.get(chatId);
    for await (const { record, place } of readChatLog(path, chatId, length, report)) {
      yield { record: inOrder(messageFields, record), place };
    }
    for (const { record, place } of byChat.get(chatId) ?? []) {
      yield { record: inOrder(messageFields, record), place };
    }
  }
}

/** Returns writers that fill an empty messaging folder. */
export async function fillJsonMessaging(folder: string): Promise<readonly RecordWriter[]> {
  const messages = join(folder, 'messages');
  const chatLogs = join(messages, 'chats');
  await ensureFolder(files, chatLogs);
  const all = messagingCollections(folder);
  /** The highest chat ID that was assigned, if that chat is deleted; otherwise 0. */
  let lastChatId = 0;
  const chats: Chat[] = [];
  return [
    writer<User>('user', (users) => writeCollection(all.users, checked(users, uniqueEmails()))),
    writer<RevokedTokenRecord>('revoked-token', (tokens) =>
      writeCollection(all.revokedTokens, tokens),
    ),
    writer<ChatIdsRecord>('chat-ids', async (ids) => {
      for await (const record of ids) lastChatId = record.lastChatId;
    }),
    // Chats are written after the messages, with the lengths of their logs.
    writer<Chat>('chat', async (records) => {
      for await (const chat of checked(records, uniquePairs())) chats.push(chat);
    }),
    writer<MemberRecord>('member', (members) => writeCollection(all.members, members)),
    writer<StoredMessage>('message', async (each) => {
      const lengths = await writeChatLogs(chatLogs, each);
      const withLength = (chat: Chat): KeptChat => {
        const logBytes = lengths.get(chat.id);
        return logBytes === undefined ? chat : { ...chat, logBytes };
      };
      await writeCollection(all.chats, chats.map(withLength), lastChatId);
    }),
    writer<MessageKeyRecord>('message-key', (keys) => writeCollection(all.keys, keys)),
    writer<MessageIdsRecord>('message-ids', async (ids) => {
      for await (const { lastMessageId: lastId } of ids) {
        const place = { folder: messages, files, name: journalName, lastId: () => lastId };
        const journal = await openSegmentedLog(place, noLog);
        await journal.close();
      }
      await markComplete(folder, files);
    }),
  ];
}

/** The caller has already validated the records, so the cast is safe. */
function writer<T>(
  kind: string,
  write: (records: AsyncIterable<T>) => Promise<void>,
): RecordWriter {
  return { kind, write: (records) => write(records as AsyncIterable<T>) };
}

/** Yields records, and throws at the first one with a fault. */
async function* checked<T>(
  records: AsyncIterable<T>,
  faultOf: (record: T) => string | undefined,
): AsyncGenerator<T> {
  for await (const record of records) {
    const fault = faultOf(record);
    if (fault !== undefined) throw new AppError('unreadable_input', fault);
    yield record;
  }
}
