import { join } from 'node:path';
import { AppError } from '../../base/errors.js';
import { ensureFolder } from '../../base/files/durable-write.js';
import { systemFiles as files } from '../../base/files/file-layer.js';
import { compareTexts, eachOf, type RecordReader, type RecordWriter } from '../../base/records.js';
import { type Report, throwDamage } from '../../storage/json/check/data-checker.js';
import { writeCollection } from '../../storage/json/collection/collection.js';
import {
  type CollectionFiles,
  findRecords,
  readLastId,
} from '../../storage/json/collection/collection-files.js';
import { noLog } from '../../storage/json/log/log-reader.js';
import type { Chat, StoredMessage, User } from '../model.js';
import {
  type ChatIdsRecord,
  chatRecord,
  type MemberRecord,
  type MessageIdsRecord,
  type MessageKeyRecord,
  memberRecord,
  messageRecord,
  type RevokedTokenRecord,
  uniqueEmails,
  uniquePairs,
  userRecord,
} from '../records.js';
import { type Located, readChatLog, writeChatLogs } from './chat-log-files.js';
import { chatLogPath, findLogs } from './chat-log-paths.js';
import { keyName, markComplete, messagingCollections, readStoreState } from './collections.js';
import { keyRecordOf } from './idempotency.js';
import { type JournalContent, openMessageJournal, readJournal } from './message-journal.js';
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
  const state = once(() => readStoreState(folder, files, report));
  const all = messagingCollections(folder);
  const find = async <T>(
    collection: CollectionFiles<T>,
    compare: (a: T, b: T) => number = () => 0,
  ): Promise<Located<T>[]> => {
    const { isComplete: mustExist } = await state();
    const found = await findRecords({ ...collection, mustExist }, report);
    return [...found.values()].sort((a, b) => compare(a.record, b.record));
  };
  const users = once(() => find(all.users, byId));
  const standing = once(async () => {
    const ended = (await users()).flatMap(({ record: { id, deleted } }) => (deleted ? id : []));
    const endedIds = new Set(ended);
    const [chats, members] = [await find(all.chats, byId), await find(all.members)];
    const isEnded = (userId: number) => endedIds.has(userId);
    const logBytes = chats.map(({ record }) => [record.id, record.logBytes ?? 0] as const);
    const lastChatId = await readLastId(all.chats);
    return { ...standingChats({ chats, members, isEnded }), logBytes, lastChatId };
  });
  const journal = once(async () => readWaiting(messages, report, (await state()).isComplete));
  const isGood = ({ record }: Located<{ readonly expires: number }>) => record.expires > now;
  const readers: Readonly<Record<string, () => AsyncGenerator<Located>>> = {
    async *user() {
      for (const { record, place } of await users()) {
        yield { record: userRecord(record), place };
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
        yield { record: chatRecord(record), place };
      }
    },
    async *member() {
      const { readThrough = Number.POSITIVE_INFINITY } = await state();
      const { lastId } = await journal();
      // Where it is absent, everything counts as read; that is all there is to say where nothing came since.
      const start = readThrough < lastId ? { startId: readThrough } : {};
      for (const { record, place } of (await standing()).members) {
        yield { record: memberRecord({ ...start, ...record }), place };
      }
    },
    async *message() {
      const { gone, logBytes } = await standing();
      const logLengths = new Map(logBytes.filter(([, bytes]) => bytes > 0));
      const chatLogs = { folder: join(messages, 'chats'), logLengths, gone };
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
interface Waiting extends JournalContent {
  readonly byChat: ReadonlyMap<number, readonly Located<StoredMessage>[]>;
  readonly keys: readonly Located<MessageKeyRecord>[];
}

async function readWaiting(folder: string, report: Report, mustExist: boolean): Promise<Waiting> {
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
  { byChat, lengths }: Waiting,
  report: Report,
): AsyncGenerator<Located> {
  const logs = await findLogs(folder);
  const chatIds = new Set([logs, logLengths, byChat, lengths].flatMap((each) => [...each.keys()]));
  for (const chatId of [...chatIds].sort((a, b) => a - b)) {
    if (gone.has(chatId)) continue;
    const path = logs.get(chatId) ?? chatLogPath(folder, chatId);
    const extent = { length: lengths.get(chatId), known: logLengths.get(chatId) ?? 0 };
    for await (const { record, place } of readChatLog(path, chatId, extent, report)) {
      yield { record: messageRecord(record), place };
    }
    for (const { record, place } of byChat.get(chatId) ?? []) {
      yield { record: messageRecord(record), place };
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
  /** Whether the export tells of members what was there when they joined; those of before do not. */
  let hasStarts = true;
  /** Below it no chat gets an id any more; 0 = the chats say it themselves. */
  let lastChatId = 0;
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
    writer<Chat>('chat', (chats) =>
      writeCollection(
        all.chats,
        those(chats, (chat) => isSound(pairFault(chat))),
        lastChatId,
      ),
    ),
    writer<MemberRecord>('member', (members) =>
      writeCollection(
        all.members,
        those(members, ({ startId }) => {
          hasStarts &&= startId !== undefined;
          return true;
        }),
      ),
    ),
    writer<StoredMessage>('message', (each) => writeChatLogs(chatLogs, each)),
    writer<MessageKeyRecord>('message-key', (keys) => writeCollection(all.keys, keys)),
    writer<MessageIdsRecord>('message-ids', async (ids) => {
      let readThrough = 0;
      await eachOf(ids, 1, async ({ lastMessageId: lastId }) => {
        const journal = await openMessageJournal(
          { folder: messages, files },
          { log: noLog, lastId },
        );
        await journal.close();
        readThrough = hasStarts ? 0 : lastId;
      });
      await markComplete(folder, files, readThrough);
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
