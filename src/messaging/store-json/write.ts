import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { AppError } from '../../base/errors.js';
import { ensureFolder, syncFolder, writeAll } from '../../base/files/durable-write.js';
import { type OpenFile, systemFiles } from '../../base/files/file-layer.js';
import { storageError } from '../../base/files/storage-errors.js';
import { eachOf, type RecordWriter } from '../../base/records.js';
import { writeCollection } from '../../storage/json/collection.js';
import { encodeLine } from '../../storage/json/lines.js';
import { noLog } from '../../storage/json/log-reader.js';
import type { Chat, StoredMessage, User } from '../model.js';
import type {
  MemberRecord,
  MessageIdsRecord,
  MessageKeyRecord,
  RevokedTokenRecord,
} from '../records.js';
import { chatLogPath } from './chat-logs.js';
import { messagingCollections } from './collections.js';
import { markComplete } from './manifest.js';
import { openMessageJournal } from './message-journal.js';

const files = systemFiles;

/** Fills the folder of messaging, which holds nothing yet. */
export async function fillJsonMessaging(folder: string): Promise<readonly RecordWriter[]> {
  const messages = join(folder, 'messages');
  await ensureFolder(files, join(messages, 'chats'));
  const all = messagingCollections(folder);
  /** Owner and private participant of each chat: they stand in the chat itself. */
  const founders = new Map<number, readonly (number | undefined)[]>();
  const pairFault = uniquePairs();
  const emailFault = uniqueEmails();
  return [
    writer('user', (users: AsyncIterable<User>) =>
      writeCollection(all.users, sound(users, emailFault)),
    ),
    writer('revoked-token', (tokens: AsyncIterable<RevokedTokenRecord>) =>
      writeCollection(all.revokedTokens, tokens),
    ),
    writer('chat', (chats: AsyncIterable<Chat>) => {
      const fault = (chat: Chat) => {
        founders.set(chat.id, [chat.ownerId, chat.participantId]);
        return pairFault(chat);
      };
      return writeCollection(all.chats, sound(chats, fault));
    }),
    writer('member', (members: AsyncIterable<MemberRecord>) =>
      writeCollection(all.members, withoutFounders(members, founders)),
    ),
    writer('message', (each: AsyncIterable<StoredMessage>) =>
      writeChatLogs(join(messages, 'chats'), each),
    ),
    writer('message-key', (keys: AsyncIterable<MessageKeyRecord>) =>
      writeCollection(all.keys, keys),
    ),
    writer('message-ids', async (ids: AsyncIterable<MessageIdsRecord>) => {
      await eachOf(ids, 1, async ({ lastMessageId: lastId }) => {
        const place = { folder: messages, files };
        const journal = await openMessageJournal(place, { log: noLog, lastId });
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

/** Says of a user whether one before it has the same e-mail address. */
export function uniqueEmails(): (user: User) => string | undefined {
  const emails = new Set<string>();
  return ({ email }) => {
    const name = email.toLowerCase();
    if (emails.has(name)) return 'This e-mail address belongs to another user, too.';
    emails.add(name);
    return undefined;
  };
}

/** Says of a chat whether one before it is a private one of the same two. */
export function uniquePairs(): (chat: Chat) => string | undefined {
  const pairs = new Set<string>();
  return ({ type, ownerId, participantId = ownerId }) => {
    if (type !== 'private') return undefined;
    const pair = [ownerId, participantId].sort((a, b) => a - b).join(' ');
    if (pairs.has(pair)) return 'These two have another private chat.';
    pairs.add(pair);
    return undefined;
  };
}

async function* sound<T>(
  records: AsyncIterable<T>,
  faultOf: (record: T) => string | undefined,
): AsyncGenerator<T> {
  for await (const record of records) {
    const fault = faultOf(record);
    if (fault !== undefined) throw new AppError('unreadable_input', fault);
    yield record;
  }
}

async function* withoutFounders(
  members: AsyncIterable<MemberRecord>,
  founders: ReadonlyMap<number, readonly (number | undefined)[]>,
): AsyncGenerator<MemberRecord> {
  for await (const member of members) {
    if (!founders.get(member.chatId)?.includes(member.userId)) yield member;
  }
}

/** Text written in one go. */
const chunkLength = 256 * 1024;
/** Logs that are being synced while the next one is written. */
const syncing = 8;

interface OpenLog {
  readonly chatId: number;
  readonly path: string;
  readonly file: OpenFile;
  position: number;
  text: string;
}

/** Writes new logs of chats from their messages, which come chat after chat. Durable once it resolves. */
async function writeChatLogs(
  folder: string,
  messages: AsyncIterable<StoredMessage>,
): Promise<void> {
  const limit = pLimit(syncing);
  const folders = new Set<string>();
  const closing: Promise<void>[] = [];
  let log: OpenLog | undefined;

  async function begin(chatId: number): Promise<OpenLog> {
    const path = chatLogPath(folder, chatId);
    const shard = dirname(path);
    if (!folders.has(shard)) await ensureFolder(files, shard);
    folders.add(shard);
    return { chatId, path, file: await files.open(path, 'w'), position: 0, text: '' };
  }

  async function write(to: OpenLog): Promise<void> {
    const bytes = Buffer.from(to.text);
    to.text = '';
    await writeAll(to.file, bytes, to.position);
    to.position += bytes.length;
  }

  async function end(done: OpenLog): Promise<void> {
    try {
      await write(done);
      await done.file.datasync();
    } catch (cause) {
      throw storageError(cause, done.path);
    } finally {
      await done.file.close();
    }
  }

  /** Ends a log beside the work on the next one; waits where too many are being ended. */
  async function leave(done: OpenLog): Promise<void> {
    const job = limit(() => end(done));
    job.catch(() => {});
    closing.push(job);
    if (closing.length >= syncing) await closing.shift();
  }

  try {
    for await (const message of messages) {
      if (log && log.chatId !== message.chatId) {
        await leave(log);
        log = undefined;
      }
      log ??= await begin(message.chatId);
      log.text += encodeLine(JSON.stringify(message));
      if (log.text.length > chunkLength) await write(log);
    }
    if (log) await leave(log);
    await Promise.all(closing);
    for (const shard of folders) await syncFolder(files, shard);
  } catch (cause) {
    await Promise.allSettled(closing);
    await log?.file.close().catch(() => {});
    throw storageError(cause, log?.path ?? folder);
  }
}
