import { join } from 'node:path';
import { replaceFile } from '../../base/files/durable-write.js';
import { systemFiles } from '../../base/files/file-layer.js';
import { closeAll } from '../../storage/json/close-parts.js';
import { type Collection, openCollection } from '../../storage/json/collection.js';
import { type CollectionFiles, snapshotPath } from '../../storage/json/collection-files.js';
import type { Repair, Report } from '../../storage/json/data-checker.js';
import { encodeLine } from '../../storage/json/lines.js';
import { setAside } from '../../storage/json/set-aside.js';
import type { Chat, User } from '../model.js';
import {
  type MemberRecord,
  type MessageKeyRecord,
  type RevokedTokenRecord,
  revocationOfAll,
} from '../records.js';
import { messagingCollections } from './collections.js';
import { isComplete, markComplete } from './manifest.js';
import { type KeepDamage, openJsonMessageStore } from './message-store.js';
import { findLogs, readChatLog } from './read.js';

export interface RepairOptions extends Repair {
  /** The data folder, which nobody works on. */
  readonly data: string;
}

const files = systemFiles;

/** What stands in the place of the password's hash of an account that was lost: no password fits. */
export const lostHash = '!';

/**
 * Makes the files of messaging sound again: sets damaged lines aside, makes missing files anew from what is
 * left with the highest ids known, puts placeholders where accounts and chats are referred to that were
 * lost, and ends all tokens where it is not known which were revoked. Harmless where nothing is damaged,
 * and where it was cut off before.
 */
export async function repairMessaging(options: RepairOptions): Promise<void> {
  const { data, clock, tell } = options;
  const folder = join(data, 'messaging');
  const all = messagingCollections(folder);
  const mustExist = await isComplete(folder, files, tell);
  // It has never been served.
  if (!mustExist) return;
  const parts: { close(): Promise<void> }[] = [];
  const failures: unknown[] = [];
  const onFailed = (error: unknown) => void failures.push(error);

  const keepDamage: KeepDamage = async ({ file, line, message }, bytes) => {
    const place = line === undefined ? { file } : { file, line };
    const kept = bytes && (await setAside(files, data, file, bytes));
    tell({ ...place, message: kept ? `${message} It was set aside as ${kept}.` : message });
  };

  async function open<T extends object>(collection: CollectionFiles<T>) {
    let isDamaged = false;
    const opened = await openCollection<T>({
      ...collection,
      clock,
      mustExist,
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
    const { opened: chats } = await open<Chat>(all.chats);
    const { opened: members } = await open<MemberRecord>(all.members);
    const tokens = await open<RevokedTokenRecord>(all.revokedTokens);
    if (tokens.isDamaged) {
      await tokens.opened.put(revocationOfAll(clock.now()));
      const message =
        'It is not known which tokens were revoked: all that were issued before now have ended.';
      tell({ file: snapshotPath(all.revokedTokens), message });
    }
    const { opened: keys } = await open<MessageKeyRecord>(all.keys);
    const messages = await openJsonMessageStore({
      folder: join(folder, 'messages'),
      clock,
      files,
      keys,
      mustExist,
      isRepair: true,
      onDamage: () => {},
      keepDamage,
      onFlushFailed: onFailed,
    });
    await messages.close();
    if (failures.length > 0) throw failures[0];
    const standIn = createStandIns(users, chats, all, options);
    for (const { ownerId, participantId = ownerId } of chats.values()) {
      await standIn.forUser(ownerId);
      await standIn.forUser(participantId);
    }
    for (const { chatId, userId } of members.values()) await standIn.forMember(chatId, userId);
    for (const [chatId, path] of await findLogs(join(folder, 'messages', 'chats'))) {
      for (const senderId of await repairChatLog(path, chatId, keepDamage)) {
        await standIn.forMember(chatId, senderId);
      }
    }
    await markComplete(folder, files);
  } finally {
    await closeAll(parts);
  }
}

/** Sets aside the damaged lines of a chat's log; gives who sent the messages that are left. */
async function repairChatLog(
  path: string,
  chatId: number,
  keepDamage: KeepDamage,
): Promise<ReadonlySet<number>> {
  const senders = new Set<number>();
  const damage: Parameters<Report>[] = [];
  const report: Report = (...found) => void damage.push(found);
  for await (const { record } of readChatLog(path, chatId, undefined, report)) {
    senders.add(record.senderId);
  }
  if (damage.length === 0) return senders;
  for (const found of damage) await keepDamage(...found);
  async function* whole() {
    for await (const { record } of readChatLog(path, chatId, undefined, () => {})) {
      yield encodeLine(JSON.stringify(record));
    }
  }
  await replaceFile(path, whole(), { files });
  return senders;
}

/** Puts placeholders in the place of accounts and chats that are referred to, and were lost. */
function createStandIns(
  users: Collection<User>,
  chats: Collection<Chat>,
  all: ReturnType<typeof messagingCollections>,
  { clock, tell }: RepairOptions,
) {
  const createdAt = new Date(clock.now()).toISOString();

  async function forUser(id: number): Promise<void> {
    if (users.get(id)) return;
    const username = `Lost account ${id}`;
    const email = `lost-account-${id}@lost.invalid`;
    await users.put({
      id,
      username,
      email,
      passwordHash: lostHash,
      avatar: null,
      bio: '',
      createdAt,
    });
    const message = `Account ${id} is referred to, and lost: a placeholder takes its place.`;
    tell({ file: snapshotPath(all.users), message });
  }

  return {
    forUser,
    /** Of somebody who is in a chat, or has posted in it. */
    async forMember(chatId: number, userId: number): Promise<void> {
      await forUser(userId);
      if (chats.get(chatId)) return;
      const name = `Lost chat ${chatId}`;
      await chats.put({ id: chatId, type: 'group', name, ownerId: userId, createdAt });
      const message = `Chat ${chatId} is referred to, and lost: a placeholder takes its place.`;
      tell({ file: snapshotPath(all.chats), message });
    },
  };
}
