import { join } from 'node:path';
import { AppError } from '../../base/errors.js';
import { ensureFolder, replaceFile } from '../../base/files/durable-write.js';
import { systemFiles } from '../../base/files/file-layer.js';
import { eachOf, type RecordWriter } from '../../base/records.js';
import { writeCollection } from '../../storage/json/collection-transfer.js';
import type { Chat, User } from '../model.js';
import type { MemberRecord, MessageIdsRecord, MessageKeyRecord } from '../records.js';
import { writeChatLogs } from './chat-log-writer.js';

/** Fills the folder of messaging, which holds nothing yet. */
export async function fillJsonMessaging(folder: string): Promise<readonly RecordWriter[]> {
  const messages = join(folder, 'messages');
  await ensureFolder(systemFiles, join(messages, 'chats'));
  /** Owner and private participant of each chat: they stand in the chat itself. */
  const founders = new Map<number, readonly (number | undefined)[]>();
  const collection = (name: string) => (records: AsyncIterable<object>) =>
    writeCollection(folder, name, records);
  return [
    {
      kind: 'user',
      write: (records) => collection('users')(withUniqueEmails(records as AsyncIterable<User>)),
    },
    { kind: 'revoked-token', write: collection('revoked-tokens') },
    {
      kind: 'chat',
      write: (records) =>
        collection('chats')(withUniquePairs(records as AsyncIterable<Chat>, founders)),
    },
    {
      kind: 'member',
      write: (records) =>
        collection('members')(withoutFounders(records as AsyncIterable<MemberRecord>, founders)),
    },
    { kind: 'message', write: (records) => writeChatLogs(join(messages, 'chats'), records) },
    {
      kind: 'message-key',
      write: (records) =>
        collection('idempotency-keys')(toKeyRecords(records as AsyncIterable<MessageKeyRecord>)),
    },
    {
      kind: 'message-ids',
      write: (records) =>
        eachOf(records as AsyncIterable<MessageIdsRecord>, 1, ({ lastMessageId }) => {
          const line = `${JSON.stringify({ lastId: lastMessageId })}\n`;
          return replaceFile(join(messages, 'journal.1.jsonl'), line);
        }),
    },
  ];
}

async function* withUniqueEmails(users: AsyncIterable<User>): AsyncGenerator<User> {
  const emails = new Set<string>();
  for await (const user of users) {
    const email = user.email.toLowerCase();
    if (emails.has(email)) throw twice('This e-mail address belongs to another user, too.');
    emails.add(email);
    yield user;
  }
}

async function* withUniquePairs(
  chats: AsyncIterable<Chat>,
  founders: Map<number, readonly (number | undefined)[]>,
): AsyncGenerator<Chat> {
  const pairs = new Set<string>();
  for await (const chat of chats) {
    const { id, type, ownerId, participantId = ownerId } = chat;
    founders.set(id, [ownerId, chat.participantId]);
    const pair = [ownerId, participantId].sort((a, b) => a - b).join(' ');
    if (type === 'private') {
      if (pairs.has(pair)) throw twice('These two have another private chat.');
      pairs.add(pair);
    }
    yield chat;
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

async function* toKeyRecords(keys: AsyncIterable<MessageKeyRecord>) {
  for await (const { senderId, key, messageId, chatId, bodyHash, expires } of keys) {
    yield { name: `${senderId} ${key}`, messageId, chatId, bodyHash, expires };
  }
}

function twice(message: string): AppError {
  return new AppError('unreadable_input', message);
}
