import { join } from 'node:path';
import { listFolder } from '../../base/files/durable-write.js';
import { systemFiles } from '../../base/files/file-layer.js';
import { compareTexts, type RecordReader } from '../../base/records.js';
import type { Chat, StoredMessage, User } from '../../messaging/model.js';
import {
  chatRecord,
  type MemberRecord,
  type MessageKeyRecord,
  messageRecord,
  type RevokedTokenRecord,
  userRecord,
} from '../../messaging/records.js';
import type { IdempotencyKey } from '../../messaging/store.js';
import { findLogs } from '../../messaging/store-json/chat-log-paths.js';
import { keyName } from '../../messaging/store-json/collections.js';
import { keyRecordOf } from '../../messaging/store-json/idempotency.js';
import { listed } from './listed.js';
import { type OldDamage, readJson, readLines } from './old-files.js';

const byId = (a: { readonly id: number }, b: { readonly id: number }) => a.id - b.id;

/** A key as it was stored: who sent the message stood in its name. */
interface StoredKey extends Omit<MessageKeyRecord, 'senderId' | 'key'> {
  readonly name: string;
}

/** Accounts, chats, members, messages and their keys. */
export function readMessaging(on: OldDamage, folder: string, now: number): RecordReader[] {
  const messages = join(folder, 'messages');
  const collection = <T>(name: string, keyOf: (record: T) => string | number) =>
    readCollection(on, folder, name, keyOf);
  const chats = async () => (await collection<Chat>('chats', ({ id }) => id)).sort(byId);
  return [
    listed('user', async () => {
      const users = await collection<User>('users', ({ id }) => id);
      return users.sort(byId).map(userRecord);
    }),
    listed('revoked-token', async () => {
      const tokens = await collection<RevokedTokenRecord>('revoked-tokens', ({ jti }) => jti);
      const valid = tokens.filter(({ expires }) => expires > now);
      return valid.sort((a, b) => compareTexts(a.jti, b.jti));
    }),
    listed('chat', async () => (await chats()).map(chatRecord)),
    listed('member', async () => {
      const keyOf = ({ chatId, userId }: MemberRecord) => `${chatId} ${userId}`;
      const joined = byChat(await collection<MemberRecord>('members', keyOf));
      return (await chats()).flatMap(({ id: chatId, ownerId, participantId = ownerId }) => {
        const later = (joined.get(chatId) ?? []).map(({ userId }) => userId);
        const userIds = new Set([ownerId, participantId, ...later]);
        return [...userIds].map((userId) => ({ chatId, userId }));
      });
    }),
    { kind: 'message', read: () => readMessages(on, messages) },
    listed('message-key', async () => {
      const stored = await collection<StoredKey>('idempotency-keys', ({ name }) => name);
      const settled = stored.map(({ name, messageId, chatId, bodyHash, expires }) => {
        const space = name.indexOf(' ');
        const [senderId, key] = [Number(name.slice(0, space)), name.slice(space + 1)];
        return { senderId, key, chatId, messageId, bodyHash, expires };
      });
      const all = [...settled, ...(await readJournal(on, messages)).keys];
      return [...new Map(all.map((each) => [keyName(each), each])).values()]
        .filter(({ expires }) => expires > now)
        .sort((a, b) => a.senderId - b.senderId || compareTexts(a.key, b.key));
    }),
    listed('message-ids', async () => [
      { lastMessageId: (await readJournal(on, messages)).lastId },
    ]),
  ];
}

/** A snapshot's records and what the journals changed since. */
async function readCollection<T>(
  on: OldDamage,
  folder: string,
  name: string,
  keyOf: (record: T) => string | number,
): Promise<T[]> {
  const snapshot = (await readJson(on, join(folder, `${name}.json`))) as
    | { readonly journal: number; readonly records: readonly T[] }
    | undefined;
  const records = new Map(snapshot?.records.map((record) => [keyOf(record), record]));
  for (const [number, path] of await segments(folder, name)) {
    if (number < (snapshot?.journal ?? 1)) continue;
    for await (const changes of readLines<[kind: string, subject: T & string][]>(on, path)) {
      for (const [kind, subject] of changes) {
        if (kind === 'delete') records.delete(subject);
        else records.set(keyOf(subject), subject);
      }
    }
  }
  return [...records.values()];
}

/** Numbers and paths of a log's files, the oldest first. */
async function segments(folder: string, name: string): Promise<[number, string][]> {
  const found = (await listFolder(systemFiles, folder)).flatMap((file): [number, string][] => {
    const number = file.startsWith(`${name}.`) && /^\.(\d+)\.jsonl$/.exec(file.slice(name.length));
    return number ? [[Number(number[1]), join(folder, file)]] : [];
  });
  return found.sort(([a], [b]) => a - b);
}

/** What was not yet in the logs of the chats: at most 72 MiB. */
async function readJournal(on: OldDamage, folder: string) {
  type Entry = StoredMessage & { readonly idempotency?: IdempotencyKey; readonly lastId?: number };
  const messages: StoredMessage[] = [];
  const keys: MessageKeyRecord[] = [];
  let last = 0;
  for (const [, path] of await segments(folder, 'journal')) {
    for await (const { idempotency, lastId, ...message } of readLines<Entry>(on, path)) {
      last = Math.max(last, lastId ?? message.id);
      if (lastId !== undefined) continue;
      messages.push(message);
      if (idempotency) keys.push(keyRecordOf(message, idempotency));
    }
  }
  return { lastId: last, messages, keys };
}

function byChat<T extends { readonly chatId: number }>(records: readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const record of records) {
    const group = groups.get(record.chatId);
    if (group) group.push(record);
    else groups.set(record.chatId, [record]);
  }
  return groups;
}

/** Chat after chat: first what its log holds, then what is in the journal only. */
async function* readMessages(on: OldDamage, folder: string): AsyncGenerator<StoredMessage> {
  const waiting = byChat((await readJournal(on, folder)).messages);
  const logs = await findLogs(join(folder, 'chats'));
  for (const chatId of [...new Set([...logs.keys(), ...waiting.keys()])].sort((a, b) => a - b)) {
    let last = 0;
    for await (const message of readLines<StoredMessage>(on, logs.get(chatId))) {
      last = message.id;
      yield messageRecord(message);
    }
    yield* (waiting.get(chatId) ?? []).filter(({ id }) => id > last).map(messageRecord);
  }
}
