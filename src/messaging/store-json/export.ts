import { join } from 'node:path';
import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import { damaged, isMissing, storageError } from '../../base/files/storage-errors.js';
import { compareTexts, type RecordReader } from '../../base/records.js';
import { listFolder } from '../../storage/json/collection-files.js';
import { readCollection } from '../../storage/json/collection-transfer.js';
import { readLines } from '../../storage/json/line-reader.js';
import type { Chat, StoredMessage, User } from '../model.js';
import {
  chatRecord,
  type MemberRecord,
  type MessageKeyRecord,
  messageRecord,
  type RevokedTokenRecord,
  userRecord,
} from '../records.js';
import { endOfLines, isMessage } from './chat-log-search.js';
import type { KeyRecord } from './idempotency.js';
import { type JournalContent, readJournal } from './journal-reader.js';

/**
 * Messaging's records in the files of a data folder that nobody works on; the files stay untouched. In
 * memory are what a server has there, too (users, chats, memberships, keys), and what the journal holds.
 * `now` (milliseconds) tells what has expired and is left out.
 */
export function readJsonMessaging(folder: string, now: number): readonly RecordReader[] {
  const files = systemFiles;
  const messages = join(folder, 'messages');
  let journal: Promise<JournalContent> | undefined;
  const openJournal = () => {
    journal ??= readJournal(messages, files);
    return journal;
  };
  const readChats = () => readCollection<Chat>(folder, 'chats', ({ id }) => id);
  return [
    {
      kind: 'user',
      async *read() {
        const users = await readCollection<User>(folder, 'users', ({ id }) => id);
        yield* users.sort(byId).map(userRecord);
      },
    },
    {
      kind: 'revoked-token',
      async *read() {
        const tokens = await readCollection<RevokedTokenRecord>(
          folder,
          'revoked-tokens',
          ({ jti }) => jti,
        );
        const good = tokens.filter(({ expires }) => expires > now);
        yield* good
          .sort((a, b) => compareTexts(a.jti, b.jti))
          .map(({ jti, expires }) => ({ jti, expires }));
      },
    },
    {
      kind: 'chat',
      async *read() {
        yield* (await readChats()).sort(byId).map(chatRecord);
      },
    },
    {
      kind: 'member',
      async *read() {
        yield* membersOf(await readChats(), await readJoined(folder));
      },
    },
    {
      kind: 'message',
      read: () => readMessages(messages, files, openJournal),
    },
    {
      kind: 'message-key',
      async *read() {
        const keys = await readKeys(folder, await openJournal());
        yield* keys.filter(({ expires }) => expires > now).sort(byKey);
      },
    },
    {
      kind: 'message-ids',
      async *read() {
        yield { lastMessageId: (await openJournal()).lastId };
      },
    },
  ];
}

const byId = (a: { readonly id: number }, b: { readonly id: number }) => a.id - b.id;

function byKey(a: MessageKeyRecord, b: MessageKeyRecord): number {
  return a.senderId - b.senderId || compareTexts(a.key, b.key);
}

/** Who joined after a chat was made, by chat, in order. */
async function readJoined(folder: string): Promise<Map<number, number[]>> {
  const joined = new Map<number, number[]>();
  const keyOf = ({ chatId, userId }: MemberRecord) => `${chatId} ${userId}`;
  for (const { chatId, userId } of await readCollection(folder, 'members', keyOf)) {
    const users = joined.get(chatId);
    if (users) users.push(userId);
    else joined.set(chatId, [userId]);
  }
  return joined;
}

function* membersOf(
  chats: readonly Chat[],
  joined: ReadonlyMap<number, readonly number[]>,
): Generator<MemberRecord> {
  for (const { id: chatId, ownerId, participantId = ownerId } of [...chats].sort(byId)) {
    const users = new Set([ownerId, participantId, ...(joined.get(chatId) ?? [])]);
    for (const userId of users) yield { chatId, userId };
  }
}

/** The collection's keys, and over them those of messages that are in the journal still. */
async function readKeys(folder: string, journal: JournalContent): Promise<MessageKeyRecord[]> {
  const settled = await readCollection<KeyRecord>(folder, 'idempotency-keys', ({ name }) => name);
  const keys = new Map(settled.map((record) => [record.name, record]));
  for (const record of journal.keys) keys.set(record.name, record);
  return [...keys.values()].map(({ name, messageId, chatId, bodyHash, expires }) => {
    const space = name.indexOf(' ');
    const [senderId, key] = [Number(name.slice(0, space)), name.slice(space + 1)];
    return { senderId, key, chatId, messageId, bodyHash, expires };
  });
}

/** Chat after chat: first what its log holds, then what is in the journal only. */
async function* readMessages(
  folder: string,
  files: FileLayer,
  openJournal: () => Promise<JournalContent>,
): AsyncGenerator<StoredMessage> {
  const { byChat } = await openJournal();
  const logs = await findLogs(join(folder, 'chats'), files);
  const chatIds = new Set([...logs.keys(), ...byChat.keys()]);
  for (const chatId of [...chatIds].sort((a, b) => a - b)) {
    let last = 0;
    const path = logs.get(chatId);
    if (path !== undefined) {
      for await (const message of readLog(path, files)) {
        last = message.id;
        yield messageRecord(message);
      }
    }
    const waiting = byChat.get(chatId) ?? [];
    yield* waiting.filter(({ id }) => id > last).map(messageRecord);
  }
}

/** The paths of the chats' logs. */
async function findLogs(folder: string, files: FileLayer): Promise<Map<number, string>> {
  const logs = new Map<number, string>();
  for (const shard of await listFolder(files, folder)) {
    for (const name of await listFolder(files, join(folder, shard))) {
      const chatId = /^(\d+)\.jsonl$/.exec(name)?.[1];
      if (chatId !== undefined) logs.set(Number(chatId), join(folder, shard, name));
    }
  }
  return logs;
}

async function* readLog(path: string, files: FileLayer): AsyncGenerator<StoredMessage> {
  try {
    const file = await files.open(path, 'r');
    try {
      const end = await endOfLines(file);
      for await (const line of readLines(file)) {
        if (line.start >= end) return;
        yield parseMessage(line.text, path, line.number);
      }
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (isMissing(cause)) return;
    throw storageError(cause, path);
  }
}

function parseMessage(text: string, path: string, line: number): StoredMessage {
  let fault: unknown;
  try {
    const value: unknown = JSON.parse(text);
    if (isMessage(value)) return value;
  } catch (error) {
    fault = error;
  }
  throw damaged(path, `line ${line}`, 'this is not a stored message', fault);
}
