import { join } from 'node:path';
import { listFolder } from '../../base/files/durable-write.js';
import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import { faultAt, type Report } from '../../storage/json/check/data-checker.js';
import type { CollectionFiles, Key } from '../../storage/json/collection/collection-files.js';
import { readManifest, writeManifest } from '../../storage/json/data-folder/data-folder.js';
import { readFileLines } from '../../storage/json/lines/lines.js';
import type { Chat, MemberRecord, MessageKeyRecord, RevokedTokenRecord, User } from '../model.js';

/** A chat as it is stored in its collection. */
export interface KeptChat extends Chat {
  /** Length of its log after the last move of messages, in bytes. */
  readonly logBytes?: number;
  /**
   * The chat is deleted. The record remains until its messages are deleted, so that `data check` does not report the
   * chat as lost.
   */
  readonly removed?: true;
  /** A former owner who has left. If the membership record still exists, it is ignored. */
  readonly left?: number;
}

/** Returns a chat without the fields that exist only in its collection. */
export function chatOf({ logBytes: _, removed: __, left: ___, ...chat }: KeptChat): Chat {
  return chat;
}

export type MessagingCollections = ReturnType<typeof messagingCollections>;

/** Returns the collections of messaging in a folder: everything except the messages. */
export function messagingCollections(folder: string, files: FileLayer = systemFiles) {
  /** `fields` are those that identify a record. The checksum protects the other fields. */
  function collection<T>(
    name: string,
    fields: { readonly [Field in keyof T]?: 'number' | 'string' },
    keyOf: (record: T) => Key,
  ): CollectionFiles<T> {
    const required = Object.entries(fields) as [keyof T, string][];
    const isRecord = (value: unknown): value is T =>
      typeof value === 'object' &&
      value !== null &&
      required.every(([field, type]) => typeof (value as Partial<T>)[field] === type);
    return { folder, name, files, keyOf, isRecord };
  }
  return {
    users: collection<User>('users', { id: 'number', email: 'string' }, ({ id }) => id),
    chats: collection<KeptChat>('chats', { id: 'number', ownerId: 'number' }, ({ id }) => id),
    /**
     * One record per member, in the order in which members joined. This makes joining and moving read marks cheap.
     * Founders are in the chat's record, and have a record here after their first read mark.
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

/** Returns the founders of a chat, which are in its record. */
export function foundersOf({ ownerId, participantId }: Omit<Chat, 'id'>): number[] {
  return participantId === undefined ? [ownerId] : [ownerId, participantId];
}

/** Returns the key of a membership. */
export function memberName({ chatId, userId }: MemberRecord): string {
  return `${chatId} ${userId}`;
}

/** Returns the key of an idempotency key's record. */
export function keyName({ senderId, key }: { senderId: number; key: string }): string {
  return `${senderId} ${key}`;
}

const manifestPath = (folder: string) => join(folder, 'store.json');

/**
 * Returns whether all parts of the store have been created before. If so, a missing file has been lost. `store.json`
 * records this. If that file is damaged or missing, reports it and checks whether the other files contain records.
 */
export async function isStoreComplete(
  folder: string,
  files: FileLayer,
  report: Report,
): Promise<boolean> {
  const file = manifestPath(folder);
  if (await readManifest(file, files, report)) return true;
  if (!(await hasRecords(folder, files))) return false;
  report(faultAt({ file }, 'The file is missing.'));
  return true;
}

/** Returns whether there are records. An interrupted first start leaves only the first and last lines of files. */
async function hasRecords(folder: string, files: FileLayer): Promise<boolean> {
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

/** Marks the store as complete. Call it after all parts are durable. */
export function markComplete(folder: string, files: FileLayer): Promise<void> {
  const collections = Object.values(messagingCollections(folder)).map(({ name }) => name);
  return writeManifest(manifestPath(folder), { collections, logs: ['journal'] }, files);
}

/** Returns `<folder>/<xx>/<chatId>.jsonl`. There are 256 folders, so that none grows too large to list. */
export function chatLogPath(folder: string, chatId: number): string {
  const shard = (chatId % 256).toString(16).padStart(2, '0');
  return join(folder, shard, `${chatId}.jsonl`);
}

/** Returns the paths of the chat logs below a folder, by chat. */
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
