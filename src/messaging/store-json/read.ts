import { join } from 'node:path';
import { systemFiles } from '../../base/files/file-layer.js';
import { compareTexts, type RecordReader } from '../../base/records.js';
import { findRecords, listFolder, throwDamage } from '../../storage/json/collection-files.js';
import { type Place, type Report, repairAdvice } from '../../storage/json/data-checker.js';
import { readFileLines } from '../../storage/json/lines.js';
import type { Chat, StoredMessage } from '../model.js';
import {
  chatRecord,
  type MemberRecord,
  type MessageKeyRecord,
  messageRecord,
  userRecord,
} from '../records.js';
import { isMessage } from './chat-log-search.js';
import { chatLogPath } from './chat-logs.js';
import { keyName, messagingCollections } from './collections.js';
import { keyRecordOf } from './idempotency.js';
import { isComplete } from './manifest.js';
import { type JournalContent, readJournal } from './message-journal.js';

/** A record, and where it stands. */
export interface Located {
  readonly record: object;
  readonly place: Place;
}

interface LocatedReader {
  readonly kind: string;
  read(): AsyncIterable<Located>;
}

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

/** The same with the place of each record. Where `report` does not throw, reading goes on after damage. */
export function locateJsonMessaging(
  folder: string,
  now: number,
  report: Report,
): readonly LocatedReader[] {
  const messages = join(folder, 'messages');
  const mustExist = once(() => isComplete(folder, systemFiles, report));
  const all = messagingCollections(folder);
  const find = async <T>(collection: Parameters<typeof findRecords<T>>[0]) => [
    ...(await findRecords<T>({ ...collection, mustExist: await mustExist() }, report)).values(),
  ];
  const chats = once(async () => (await find(all.chats)).sort((a, b) => a.record.id - b.record.id));
  const journal = once(async () => readWaiting(messages, report, await mustExist()));
  return [
    {
      kind: 'user',
      async *read() {
        const users = await find(all.users);
        for (const { record, place } of users.sort((a, b) => a.record.id - b.record.id)) {
          yield { record: userRecord(record), place };
        }
      },
    },
    {
      kind: 'revoked-token',
      async *read() {
        const tokens = await find(all.revokedTokens);
        yield* tokens
          .filter(({ record }) => record.expires > now)
          .sort((a, b) => compareTexts(a.record.jti, b.record.jti));
      },
    },
    {
      kind: 'chat',
      async *read() {
        for (const { record, place } of await chats()) yield { record: chatRecord(record), place };
      },
    },
    {
      kind: 'member',
      async *read() {
        yield* membersOf(await chats(), await find(all.members));
      },
    },
    {
      kind: 'message',
      async *read() {
        yield* readMessages(join(messages, 'chats'), await journal(), report);
      },
    },
    {
      kind: 'message-key',
      async *read() {
        // Over the collection's keys those of messages that are in the journal still.
        const settled = (await find(all.keys)).filter(({ record }) => record.expires > now);
        const keys = new Map(
          [...settled, ...(await journal()).keys].map((each) => [keyName(each.record), each]),
        );
        yield* [...keys.values()].filter(({ record }) => record.expires > now).sort(byKey);
      },
    },
    {
      kind: 'message-ids',
      async *read() {
        yield { record: { lastMessageId: (await journal()).lastId }, place: { file: messages } };
      },
    },
  ];
}

function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

interface Of<T> {
  readonly record: T;
  readonly place: Place;
}

function byKey({ record: a }: Of<MessageKeyRecord>, { record: b }: Of<MessageKeyRecord>): number {
  return a.senderId - b.senderId || compareTexts(a.key, b.key);
}

/** Of each chat those who were in it when it was made, then those who joined, in order. */
function* membersOf(
  chats: readonly Of<Chat>[],
  joined: readonly Of<MemberRecord>[],
): Generator<Of<MemberRecord>> {
  const byChat = new Map<number, Map<number, Of<MemberRecord>>>();
  const add = (each: Of<MemberRecord>) => {
    const { chatId, userId } = each.record;
    const ofChat = byChat.get(chatId) ?? new Map<number, Of<MemberRecord>>();
    if (!ofChat.has(userId)) byChat.set(chatId, ofChat.set(userId, each));
  };
  for (const { record, place } of chats) {
    const { id: chatId, ownerId, participantId = ownerId } = record;
    for (const userId of [ownerId, participantId]) add({ record: { chatId, userId }, place });
  }
  joined.forEach(add);
  for (const [, members] of [...byChat].sort(([a], [b]) => a - b)) yield* members.values();
}

/** What has not been moved out of the journal: at most 72 MiB, its bound. */
interface Waiting extends JournalContent {
  readonly byChat: ReadonlyMap<number, readonly Of<StoredMessage>[]>;
  readonly keys: readonly Of<MessageKeyRecord>[];
}

async function readWaiting(folder: string, report: Report, mustExist: boolean): Promise<Waiting> {
  const byChat = new Map<number, Of<StoredMessage>[]>();
  const keys: Of<MessageKeyRecord>[] = [];
  const content = await readJournal(
    { folder, files: systemFiles, mustExist },
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
  { byChat, lengths }: Waiting,
  report: Report,
): AsyncGenerator<Located> {
  const logs = await findLogs(folder);
  const chatIds = new Set([...logs.keys(), ...byChat.keys(), ...lengths.keys()]);
  for (const chatId of [...chatIds].sort((a, b) => a - b)) {
    const path = logs.get(chatId) ?? chatLogPath(folder, chatId);
    for await (const { record, place } of readChatLog(path, chatId, lengths.get(chatId), report)) {
      yield { record: messageRecord(record), place };
    }
    for (const { record, place } of byChat.get(chatId) ?? []) {
      yield { record: messageRecord(record), place };
    }
  }
}

/** The paths of the chats' logs. */
export async function findLogs(folder: string): Promise<Map<number, string>> {
  const logs = new Map<number, string>();
  for (const shard of await listFolder(systemFiles, folder)) {
    for (const name of await listFolder(systemFiles, join(folder, shard))) {
      const chatId = /^(\d+)\.jsonl$/.exec(name)?.[1];
      if (chatId !== undefined) logs.set(Number(chatId), join(folder, shard, name));
    }
  }
  return logs;
}

/** A chat's log, as far as it counts: `length` bytes where that is known. */
export async function* readChatLog(
  file: string,
  chatId: number,
  length: number | undefined,
  report: Report,
): AsyncGenerator<Of<StoredMessage>> {
  let behind = 0;
  for await (const lines of readFileLines(systemFiles, file, { to: length })) {
    for (const { text, bytes, number: line, end } of lines) {
      behind = end;
      const value = text === undefined ? undefined : (JSON.parse(text) as unknown);
      const message =
        value === undefined
          ? 'This line is damaged: its checksum does not fit.'
          : chatLogFault(value, chatId);
      if (message === undefined) yield { record: value as StoredMessage, place: { file, line } };
      else report({ severity: 'error', file, line, message, advice: repairAdvice }, bytes);
    }
  }
  if (length === undefined || behind >= length) return;
  const message = `The file has ${behind} bytes of ${length}: its end is missing.`;
  report({ severity: 'error', file, message, advice: repairAdvice });
}

function chatLogFault(value: unknown, chatId: number): string | undefined {
  if (!isMessage(value)) return 'This line is no stored message.';
  if (value.chatId === chatId) return undefined;
  return `Message ${value.id} belongs to chat ${value.chatId}, not to this one.`;
}
