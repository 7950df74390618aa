import { join } from 'node:path';
import { AppError } from '../../base/errors.js';
import { ensureFolder } from '../../base/files/durable-write.js';
import { systemFiles as files } from '../../base/files/file-layer.js';
import { inOrder } from '../../base/record-fields.js';
import { compareTexts, eachOf, type RecordReader, type RecordWriter } from '../../base/records.js';
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
 * Messaging's records in the files of a data folder that nobody works on; the files stay untouched. In
 * memory are what a server has there, too (users, chats, memberships, keys), and what the journal holds.
 * `now` (milliseconds) tells what has expired and is left out.
 */
export function readJsonMessaging(folder: string, now: number): readonly RecordReader[] {
  return locateJsonMessaging(folder, now, throwDamage).map(({ kind, read }) => ({
    kind,
    async *read() {
      for await (const { record } of read()) yield record;
    },
  }));
}

/** The same with where each record is. Where `report` does not throw, reading goes on after damage. */
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
    // Damage may have taken the record that has the present length of a log.
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
      // Over the collection's keys those of messages that are in the journal still.
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

/** What has not been moved out of the journal: at most 72 MiB, its bound. */
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
  /** Chats of which nothing counts. */
  readonly gone: ReadonlySet<number>;
}

/** Chat after chat: first what its log holds, then what is in the journal only. */
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

/** Fills the folder of messaging, which holds nothing yet. */
export async function fillJsonMessaging(folder: string): Promise<readonly RecordWriter[]> {
  const messages = join(folder, 'messages');
  const chatLogs = join(messages, 'chats');
  await ensureFolder(files, chatLogs);
  const all = messagingCollections(folder);
  const emailFault = uniqueEmails();
  const pairFault = uniquePairs();
  /** Below it no chat gets an id any more; 0 = the chats say it themselves. */
  let lastChatId = 0;
  const chats: Chat[] = [];
  return [
    writer<User>('user', (users) =>
      writeCollection(
        all.users,
        those(users, (user) => isSound(emailFault(user))),
      ),
    ),
    writer<RevokedTokenRecord>('revoked-token', (tokens) =>
      writeCollection(all.revokedTokens, tokens),
    ),
    writer<ChatIdsRecord>('chat-ids', (ids) =>
      eachOf(ids, 1, async (given) => {
        lastChatId = given.lastChatId;
      }),
    ),
    // They are written after the messages, with the lengths of their logs.
    writer<Chat>('chat', (given) =>
      eachOf(given, 1, async (chat) => {
        if (isSound(pairFault(chat))) chats.push(chat);
      }),
    ),
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
      await eachOf(ids, 1, async ({ lastMessageId: lastId }) => {
        const place = { folder: messages, files, name: journalName, lastId: () => lastId };
        const journal = await openSegmentedLog(place, noLog);
        await journal.close();
      });
      await markComplete(folder, files);
    }),
  ];
}

/** The kind's check has said that the records are of this kind. */
function writer<T>(
  kind: string,
  write: (records: AsyncIterable<T>) => Promise<void>,
): RecordWriter {
  return { kind, write: (records) => write(records as AsyncIterable<T>) };
}

async function* those<T>(
  records: AsyncIterable<T>,
  isKept: (record: T) => boolean,
): AsyncGenerator<T> {
  for await (const record of records) if (isKept(record)) yield record;
}

function isSound(fault: string | undefined): true {
  if (fault !== undefined) throw new AppError('unreadable_input', fault);
  return true;
}
