import { join } from 'node:path';
import { replaceFile } from '../../base/files/durable-write.js';
import { systemFiles } from '../../base/files/file-layer.js';
import type { Repair, Report } from '../../storage/json/check/data-checker.js';
import { setAside } from '../../storage/json/check/data-checker.js';
import { type Closable, closeAll } from '../../storage/json/close-parts.js';
import { type Collection, openCollection } from '../../storage/json/collection/collection.js';
import {
  type CollectionFiles,
  snapshotPath,
} from '../../storage/json/collection/collection-files.js';
import { encodeLine } from '../../storage/json/lines/lines.js';
import type { Chat, MemberRecord, MessageKeyRecord, RevokedTokenRecord, User } from '../model.js';
import { noHash, revocationOfAll } from '../records.js';
import { readChatLog } from './chat-log-files.js';
import { createLogLengths, type LogLengths } from './chat-logs.js';
import {
  chatLogPath,
  findLogs,
  foundersOf,
  isStoreComplete,
  type KeptChat,
  type MessagingCollections,
  markComplete,
  messagingCollections,
} from './collections.js';
import { createRemovedChats } from './departures.js';
import { type KeepDamage, openJsonMessageStore } from './message-store.js';

const files = systemFiles;

/**
 * Repairs the messaging files in a data folder that no other process uses. Sets damaged lines aside, recreates missing
 * files, stores placeholders for lost accounts and chats that other records refer to, and revokes all tokens if the
 * record of revoked tokens is damaged. Changes nothing if there is no damage. Can be repeated after an interruption.
 */
export async function repairMessaging(data: string, { clock, tell }: Repair): Promise<void> {
  const folder = join(data, 'messaging');
  const all = messagingCollections(folder);
  const parts: Closable[] = [];
  const failures: unknown[] = [];
  const onFailed = (error: unknown) => void failures.push(error);

  const keepDamage: KeepDamage = async ({ file, line, message }, bytes) => {
    const place = line === undefined ? { file } : { file, line };
    const kept = bytes && (await setAside(files, data, file, bytes));
    tell({ ...place, message: kept ? `${message} It was set aside as ${kept}.` : message });
  };

  const lost: Parameters<Report>[] = [];
  // An incomplete folder was never in use.
  if (!(await isStoreComplete(folder, files, (...found) => void lost.push(found)))) return;
  for (const found of lost) await keepDamage(...found);

  async function open<T extends object>(collection: CollectionFiles<T>) {
    let isDamaged = false;
    const opened = await openCollection<T>({
      ...collection,
      clock,
      mustExist: true,
      onDamage(...damage) {
        isDamaged = true;
        return keepDamage(...damage);
      },
      onFoldFailed: onFailed,
    });
    parts.push(opened);
    return { opened, isDamaged };
  }

  try {
    const { opened: users } = await open<User>(all.users);
    const { opened: chats, isDamaged: hasLostChats } = await open<KeptChat>(all.chats);
    const { opened: members } = await open<MemberRecord>(all.members);
    const tokens = await open<RevokedTokenRecord>(all.revokedTokens);
    if (tokens.isDamaged) {
      await tokens.opened.put(revocationOfAll(clock.now()));
      const message =
        'The record of revoked tokens is damaged. All tokens issued before now were revoked.';
      tell({ file: snapshotPath(all.revokedTokens), message });
    }
    const { opened: keys } = await open<MessageKeyRecord>(all.keys);
    const chatLogs = join(folder, 'messages', 'chats');
    let sizes = await sizesOf(chatLogs);
    const kept = createLogLengths(chats);
    const logLengths: LogLengths = {
      ...kept,
      // A lost record may have contained the current length of a log.
      of: (chatId) =>
        hasLostChats || !chats.get(chatId) ? (sizes.get(chatId) ?? 0) : kept.of(chatId),
    };
    const removed = createRemovedChats(chats, members);
    const gone = new Set(removed.ids());
    const messages = await openJsonMessageStore({
      folder: join(folder, 'messages'),
      clock,
      files,
      keys,
      // There are no posts or readers during a repair.
      chats: {
        logLengths,
        removed,
        beginPost: () => {},
        endPost: () => {},
        membership: async () => undefined,
      },
      notify: () => {},
      mustExist: true,
      isRepair: true,
      onDamage: () => {},
      keepDamage,
      onFlushFailed: onFailed,
    });
    const lastId = messages.lastId();
    await messages.close();
    if (failures.length > 0) throw failures[0];
    const addPlaceholders = createPlaceholders(users, chats, all, { clock, tell });
    for (const chat of chats.values()) {
      if (gone.has(chat.id)) continue;
      for (const userId of foundersOf(chat)) await addPlaceholders(chat.id, userId);
    }
    for (const member of members.values()) {
      if (gone.has(member.chatId)) continue;
      await addPlaceholders(member.chatId, member.userId);
      await repairMarks(member, lastId, {
        members,
        tell: (message) => tell({ file: snapshotPath(all.members), message }),
      });
    }
    const lengths = new Map<number, number>();
    sizes = await sizesOf(chatLogs);
    for (const chatId of new Set([...sizes.keys(), ...logLengths.chatIds()])) {
      if (gone.has(chatId)) continue;
      const path = chatLogPath(chatLogs, chatId);
      const length = logLengths.of(chatId);
      const senders = await repairChatLog({ path, chatId, length }, keepDamage);
      for (const senderId of senders) await addPlaceholders(chatId, senderId);
      lengths.set(chatId, (await files.stat(path).catch(() => undefined))?.size ?? 0);
    }
    await logLengths.keep(lengths);
    await markComplete(folder, files);
  } finally {
    await closeAll(parts);
  }
}

/** Lowers marks above the last message, because they would mark future messages as read. */
async function repairMarks(
  member: MemberRecord,
  lastId: number,
  { members, tell }: { members: Collection<MemberRecord>; tell(message: string): void },
): Promise<void> {
  const { chatId, userId, startId, readId, ...others } = member;
  if (Math.max(startId ?? 0, readId ?? 0) <= lastId) return;
  const start = startId === undefined ? {} : { startId: Math.min(startId, lastId) };
  const read = readId === undefined || lastId === 0 ? {} : { readId: Math.min(readId, lastId) };
  await members.put({ chatId, userId, ...start, ...read, ...others });
  tell(
    `The read marks of member ${userId} of chat ${chatId} were above the last message and were lowered to it.`,
  );
}

/** Returns the sizes of the chats' logs in bytes. */
async function sizesOf(chatLogs: string): Promise<ReadonlyMap<number, number>> {
  const sizes = new Map<number, number>();
  for (const [chatId, path] of await findLogs(chatLogs)) {
    sizes.set(chatId, (await files.stat(path)).size);
  }
  return sizes;
}

/** Sets aside the damaged lines of a chat's log. Returns the senders of the remaining messages. */
async function repairChatLog(
  { path, chatId, length }: { path: string; chatId: number; length: number },
  keepDamage: KeepDamage,
): Promise<ReadonlySet<number>> {
  const senders = new Set<number>();
  const damage: Parameters<Report>[] = [];
  const report: Report = (...found) => void damage.push(found);
  for await (const { record } of readChatLog(path, chatId, length, report)) {
    senders.add(record.senderId);
  }
  for (const found of damage) await keepDamage(...found);
  if (damage.length === 0) return senders;
  async function* whole() {
    for await (const { record } of readChatLog(path, chatId, length, () => {})) {
      yield encodeLine(JSON.stringify(record));
    }
  }
  await replaceFile(path, whole(), { files });
  return senders;
}

/**
 * Returns a function that stores placeholders for a lost account or chat. Call it for each member and sender of a chat.
 */
function createPlaceholders(
  users: Collection<User>,
  chats: Collection<Chat>,
  all: MessagingCollections,
  { clock, tell }: Repair,
) {
  const createdAt = new Date(clock.now()).toISOString();
  const reportLost = (subject: string, file: string) =>
    tell({
      file,
      message: `${subject} is lost, but other records refer to it. A placeholder was stored.`,
    });

  return async function addPlaceholders(chatId: number, userId: number): Promise<void> {
    if (!users.get(userId)) {
      const names = {
        username: `Lost account ${userId}`,
        email: `lost-account-${userId}@lost.invalid`,
      };
      const profile = { avatar: null, bio: '', createdAt };
      await users.put({ id: userId, ...names, passwordHash: noHash, ...profile });
      reportLost(`Account ${userId}`, snapshotPath(all.users));
    }
    if (!chats.get(chatId)) {
      const name = `Lost chat ${chatId}`;
      await chats.put({ id: chatId, type: 'group', name, ownerId: userId, createdAt });
      reportLost(`Chat ${chatId}`, snapshotPath(all.chats));
    }
  };
}
