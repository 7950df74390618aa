import { join } from 'node:path';
import { systemFiles } from '../../base/files/file-layer.js';
import { listFolder } from '../../storage/json/collection-files.js';
import {
  checkCollection,
  checkJsonLines,
  type DataChecker,
  type Place,
  type Report,
} from '../../storage/json/data-checker.js';
import { createMessageCipher, type MessageCipher } from '../cipher.js';
import type { Chat, StoredMessage, User } from '../model.js';
import { isMessage } from './chat-log-search.js';

interface Found<T> {
  readonly record: T;
  readonly place: Place;
}

type Records<T> = ReadonlyMap<string | number, Found<T>>;

/** What messages are checked against. */
interface Known {
  readonly users: Records<User>;
  readonly chats: Records<Chat>;
  readonly cipher: MessageCipher;
  readonly canRead: (scheme: unknown) => boolean;
  readonly report: Report;
}

const byHand = 'Restore the file from a backup, or mend it by hand.';

/**
 * Checks the files of messaging: every line, that what refers to users and chats finds them, that
 * e-mails are unique, ids rise, and every message decrypts. Messages of the operator's scheme are
 * decrypted where the secret is given.
 */
export function messagingChecker(encryptionSecret: string | undefined): DataChecker {
  const canRead = (scheme: unknown) => scheme === 'email' || encryptionSecret !== undefined;
  return {
    name: 'messaging',
    async check(data, report) {
      const folder = join(data, 'messaging');
      const users = await checkCollection<User>(folder, 'users', ({ id }) => id, report);
      const chats = await checkCollection<Chat>(folder, 'chats', ({ id }) => id, report);
      checkUsers(users, report);
      checkChats(chats, users, report);
      await checkMembers(folder, chats, users, report);
      for (const name of ['revoked-tokens', 'idempotency-keys']) {
        await checkCollection(folder, name, (record) => JSON.stringify(record), report);
      }
      const cipher = createMessageCipher(encryptionSecret);
      await checkMessages(join(folder, 'messages'), { users, chats, cipher, canRead, report });
    },
  };
}

function checkUsers(users: Records<User>, report: Report): void {
  const emails = new Map<string, number>();
  for (const { record, place } of users.values()) {
    const { id, email, username, passwordHash } = record;
    if (![email, username, passwordHash].every((text) => typeof text === 'string')) {
      const message = `User ${id} lacks a field.`;
      report({ severity: 'error', ...place, message, advice: byHand });
      continue;
    }
    const other = emails.get(email.toLowerCase());
    emails.set(email.toLowerCase(), id);
    if (other === undefined) continue;
    const message = `Users ${other} and ${id} have the same e-mail address.`;
    report({ severity: 'error', ...place, message, advice: byHand });
  }
}

function checkChats(chats: Records<Chat>, users: Records<User>, report: Report): void {
  for (const { record, place } of chats.values()) {
    for (const userId of [record.ownerId, record.participantId ?? record.ownerId]) {
      if (users.has(userId)) continue;
      const message = `Chat ${record.id} is of user ${userId}, whom there is not.`;
      report({ severity: 'error', ...place, message, advice: byHand });
    }
  }
}

async function checkMembers(
  folder: string,
  chats: Records<Chat>,
  users: Records<User>,
  report: Report,
): Promise<void> {
  const members = await checkCollection<{ chatId: number; userId: number }>(
    folder,
    'members',
    ({ chatId, userId }) => `${chatId} ${userId}`,
    report,
  );
  for (const { record, place } of members.values()) {
    if (chats.has(record.chatId) && users.has(record.userId)) continue;
    const message = `User ${record.userId} is a member of chat ${record.chatId}, and one of them is missing.`;
    report({ severity: 'error', ...place, message, advice: byHand });
  }
}

async function checkMessages(folder: string, known: Known): Promise<void> {
  for (const name of await listFolder(systemFiles, folder)) {
    if (/^journal\.\d+\.jsonl$/.test(name)) await checkLog(join(folder, name), undefined, known);
  }
  for (const shard of await listFolder(systemFiles, join(folder, 'chats'))) {
    for (const name of await listFolder(systemFiles, join(folder, 'chats', shard))) {
      const chatId = /^(\d+)\.jsonl$/.exec(name)?.[1];
      if (chatId === undefined) continue;
      await checkLog(join(folder, 'chats', shard, name), Number(chatId), known);
    }
  }
}

/** `chatId`: whose log it is; undefined for a journal, which holds messages of all chats. */
async function checkLog(path: string, chatId: number | undefined, known: Known): Promise<void> {
  let lastId = 0;
  await checkJsonLines(path, known.report, (value, line) => {
    const fault = isMessage(value)
      ? messageFault(value, chatId, lastId, known)
      : lineFault(value, chatId);
    if (isMessage(value)) lastId = value.id;
    if (!fault) return;
    known.report({ severity: 'error', file: path, line, message: fault, advice: byHand });
  });
}

/** A journal's first line keeps the last id; everything else is a message. */
function lineFault(value: unknown, chatId: number | undefined): string | undefined {
  const { lastId } = (value ?? {}) as { lastId?: unknown };
  const isHeader = chatId === undefined && Number.isSafeInteger(lastId);
  return isHeader ? undefined : 'This line is no stored message.';
}

function messageFault(
  message: StoredMessage,
  chatId: number | undefined,
  lastId: number,
  { users, chats, cipher, canRead }: Known,
): string | undefined {
  const { id } = message;
  if (chatId !== undefined && message.chatId !== chatId) {
    return `Message ${id} belongs to chat ${message.chatId}, not to this one.`;
  }
  if (id <= lastId) return `Message ${id} stands behind message ${lastId}: ids must rise.`;
  if (!chats.has(message.chatId)) return `There is no chat ${message.chatId} of message ${id}.`;
  const sender = users.get(message.senderId)?.record;
  if (!sender) return `There is no user ${message.senderId}, who sent message ${id}.`;
  if (!canRead(message.scheme)) return undefined;
  const text = cipher.decrypt(message.encrypted, message.scheme, sender);
  if (text === undefined) return `Message ${id} cannot be decrypted: its tag does not verify.`;
  const { text: clear = text } = message;
  return clear === text ? undefined : `The clear and the encrypted text of message ${id} differ.`;
}
