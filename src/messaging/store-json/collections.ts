import { join } from 'node:path';
import { listFolder } from '../../base/files/durable-write.js';
import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import { faultAt, type Report } from '../../storage/json/check/data-checker.js';
import type { CollectionFiles, Key } from '../../storage/json/collection/collection-files.js';
import { readManifest, writeManifest } from '../../storage/json/data-folder/data-folder.js';
import { readFileLines } from '../../storage/json/lines/lines.js';
import type { Chat, MemberRecord, MessageKeyRecord, RevokedTokenRecord, User } from '../model.js';

/** A chat as its collection keeps it. */
export interface KeptChat extends Chat {
  /** Bytes that its log had when messages were last moved there. */
  readonly logBytes?: number;
  /** It is gone; the record stays until its messages have left the files, so that none of them is taken for lost. */
  readonly removed?: true;
  /** Who owned it and has left: a record of their membership that is still there does not count. */
  readonly left?: number;
}

/** Returns a chat without what only its collection keeps. */
export function chatOf({ logBytes: _, removed: __, left: ___, ...chat }: KeptChat): Chat {
  return chat;
}

export type MessagingCollections = ReturnType<typeof messagingCollections>;

/** Everything of messaging but the messages, as it is kept in a folder. */
export function messagingCollections(folder: string, files: FileLayer = systemFiles) {
  /** The fields are what finds a record: the rest is as it was written, or the checksum would not fit. */
  function collection<T>(
    name: string,
    fields: { readonly [Field in keyof T]?: 'number' | 'string' },
    keyOf: (record: T) => Key,
  ): CollectionFiles<T> {
    const wanted = Object.entries(fields) as [keyof T, string][];
    const isRecord = (value: unknown): value is T =>
      typeof value === 'object' &&
      value !== null &&
      wanted.every(([field, type]) => typeof (value as Partial<T>)[field] === type);
    return { folder, name, files, keyOf, isRecord };
  }
  return {
    users: collection<User>('users', { id: 'number', email: 'string' }, ({ id }) => id),
    chats: collection<KeptChat>('chats', { id: 'number', ownerId: 'number' }, ({ id }) => id),
    /**
     * A record for each member, so that joining and reading cost little. Founders stand in the chat, and have
     * one from their first reading on. In the order in which they joined.
     */
    members: collection<MemberRecord>(
      'members',
      { chatId: 'number', userId: 'number' },
      memberName,
    ),
    revokedTokens: collection<RevokedTokenRecord>(
      'revoked-tokens',
      { jti: 'string', expires: 'number' },
      ({ jti }) => jti,
    ),
    keys: collection<MessageKeyRecord>(
      'idempotency-keys',
      { senderId: 'number', key: 'string' },
      keyName,
    ),
  };
}

/** Who is in a chat from its beginning: they stand in the chat itself. */
export function foundersOf({ ownerId, participantId }: Omit<Chat, 'id'>): number[] {
  return participantId === undefined ? [ownerId] : [ownerId, participantId];
}

/** What a membership is found by. */
export function memberName({ chatId, userId }: MemberRecord): string {
  return `${chatId} ${userId}`;
}

/** What an idempotency key is found by. */
export function keyName({ senderId, key }: { senderId: number; key: string }): string {
  return `${senderId} ${key}`;
}

const manifestPath = (folder: string) => join(folder, 'store.json');

/**
 * Returns whether every part of the store was created before, so that a file that is missing has been lost. `store.json`
 * says so; if it is damaged or missing, that is reported, and the other files tell.
 */
export async function isStoreComplete(
  folder: string,
  files: FileLayer,
  report: Report,
): Promise<boolean> {
  const file = manifestPath(folder);
  if (await readManifest(file, files, report)) return true;
  if (!(await holdsRecords(folder, files))) return false;
  report(faultAt({ file }, 'The file is missing.'));
  return true;
}

/** Whether there is more than a first start leaves that was cut off: headers and ends of files. */
async function holdsRecords(folder: string, files: FileLayer): Promise<boolean> {
  const messages = join(folder, 'messages');
  for (const parent of [folder, messages]) {
    for (const name of await listFolder(files, parent)) {
      let lines = 0;
      if (!name.endsWith('.jsonl')) continue;
      for await (const some of readFileLines(files, join(parent, name))) lines += some.length;
      if (lines > (name.endsWith('.snapshot.jsonl') ? 2 : 1)) return true;
    }
  }
  return (await findLogs(join(messages, 'chats'))).size > 0;
}

/** Marks the store as complete, when every part is on disk. */
export function markComplete(folder: string, files: FileLayer): Promise<void> {
  const collections = Object.values(messagingCollections(folder)).map(({ name }) => name);
  return writeManifest(manifestPath(folder), { collections, logs: ['journal'] }, files);
}

/** `<folder>/<xx>/<chatId>.jsonl`, in 256 folders so that none grows too large to list. */
export function chatLogPath(folder: string, chatId: number): string {
  const shard = (chatId % 256).toString(16).padStart(2, '0');
  return join(folder, shard, `${chatId}.jsonl`);
}

/** The paths of the chats' logs below a folder, by chat. */
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
