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
} from '../../storage/json/collection/collection-files.js';
import { noLog } from '../../storage/json/log/log-reader.js';
import type { Chat, StoredMessage, User } from '../model.js';
import {
  chatRecord,
  type MemberRecord,
  type MessageIdsRecord,
  type MessageKeyRecord,
  messageRecord,
  type RevokedTokenRecord,
  uniqueEmails,
  uniquePairs,
  userRecord,
} from '../records.js';
import { type Located, readChatLog, writeChatLogs } from './chat-log-files.js';
import { chatLogPath, findLogs } from './chat-log-paths.js';
import {
  foundersOf,
  isComplete,
  keyName,
  markComplete,
  memberName,
  messagingCollections,
} from './collections.js';
import { keyRecordOf } from './idempotency.js';
import { type JournalContent, openMessageJournal, readJournal } from './message-journal.js';

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
  const mustExist = once(() => isComplete(folder, files, report));
  const all = messagingCollections(folder);
  const find = async <T>(
    collection: CollectionFiles<T>,
    compare: (a: T, b: T) => number = () => 0,
  ): Promise<Located<T>[]> => {
    const found = await findRecords({ ...collection, mustExist: await mustExist() }, report);
    return [...found.values()].sort((a, b) => compare(a.record, b.record));
  };
  const chats = once(() => find(all.chats, byId));
  const journal = once(async () => readWaiting(messages, report, await mustExist()));
  const isGood = ({ record }: Located<{ readonly expires: number }>) => record.expires > now;
  const readers: Readonly<Record<string, () => AsyncGenerator<Located>>> = {
    async *user() {
      for (const { record, place } of await find(all.users, byId)) {
        yield { record: userRecord(record), place };
      }
    },
    async *'revoked-token'() {
      const tokens = await find(all.revokedTokens, (a, b) => compareTexts(a.jti, b.jti));
      yield* tokens.filter(isGood);
    },
    async *chat() {
      for (const { record, place } of await chats()) yield { record: chatRecord(record), place };
    },
    async *member() {
      // Of each chat those who were in it when it was made come first.
      const members = new Map<string, Located<MemberRecord>>();
      for (const { record, place } of await chats()) {
        for (const founder of firstMembers(record)) {
          members.set(memberName(founder), { record: founder, place });
        }
      }
      for (const each of await find(all.members)) {
        const name = memberName(each.record);
        if (!members.has(name)) members.set(name, each);
      }
      yield* [...members.values()].sort((a, b) => a.record.chatId - b.record.chatId);
    },
    async *message() {
      const known = (await chats()).map(
        ({ record: { id, logBytes = 0 } }) => [id, logBytes] as const,
      );
      const logLengths = new Map(known.filter(([, bytes]) => bytes > 0));
      yield* readMessages(join(messages, 'chats'), logLengths, await journal(), report);
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

/** Those who were in a chat when it was made, as members. */
function firstMembers(chat: Chat): MemberRecord[] {
  return foundersOf(chat).map((userId) => ({ chatId: chat.id, userId }));
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

/** Chat after chat: first what its log holds, then what is in the journal only. */
async function* readMessages(
  folder: string,
  logLengths: ReadonlyMap<number, number>,
  { byChat, lengths }: Waiting,
  report: Report,
): AsyncGenerator<Located> {
  const logs = await findLogs(folder);
  const chatIds = new Set([logs, logLengths, byChat, lengths].flatMap((each) => [...each.keys()]));
  for (const chatId of [...chatIds].sort((a, b) => a - b)) {
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
  const founders = new Set<string>();
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
    writer<Chat>('chat', (chats) =>
      writeCollection(
        all.chats,
        those(chats, (chat) => {
          for (const founder of firstMembers(chat)) founders.add(memberName(founder));
          return isSound(pairFault(chat));
        }),
      ),
    ),
    writer<MemberRecord>('member', (members) =>
      writeCollection(
        all.members,
        those(members, (member) => !founders.has(memberName(member))),
      ),
    ),
    writer<StoredMessage>('message', (each) => writeChatLogs(chatLogs, each)),
    writer<MessageKeyRecord>('message-key', (keys) => writeCollection(all.keys, keys)),
    writer<MessageIdsRecord>('message-ids', async (ids) => {
      await eachOf(ids, 1, async ({ lastMessageId: lastId }) => {
        const journal = await openMessageJournal(
          { folder: messages, files },
          { log: noLog, lastId },
        );
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
