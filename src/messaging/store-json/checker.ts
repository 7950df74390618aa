import { join } from 'node:path';
import {
  type DataChecker,
  faultAt,
  type Place,
  type Report,
  restoreAdvice,
} from '../../storage/json/check/data-checker.js';
import { createMessageCipher } from '../cipher.js';
import type {
  Chat,
  CipherScheme,
  MemberRecord,
  MessageIdsRecord,
  StoredMessage,
  User,
} from '../model.js';
import { messagingKinds, noHash, uniqueEmails, uniquePairs } from '../records.js';
import { repairMessaging } from './repair.js';
import { locateJsonMessaging } from './transfer.js';

type Check = (record: never) => string | undefined;

/** What an import says of a record, as a sentence. */
function sentence(kind: string, check: Check): Check {
  return (record) => {
    const fault = check(record);
    return fault === undefined ? undefined : `This ${kind} ${fault}.`;
  };
}

/**
 * Checks the files of messaging: it reads them as an export does, goes on after every fault, and asks of each
 * record what an import asks, and that every message decrypts. Messages of the operator's scheme are
 * decrypted where the secret is given.
 */
export function messagingChecker(encryptionSecret: string | undefined): DataChecker {
  return {
    name: 'messaging',
    async check(data, report) {
      const checks = new Map<string, Check[]>(
        messagingKinds().map(({ name, check }) => [name, [sentence(name, check)]]),
      );
      const users = new Map<number, User>();
      const email = uniqueEmails();
      const pair = uniquePairs();
      checks.get('user')?.push((user: User) => {
        users.set(user.id, user);
        return email(user);
      });
      checks.get('chat')?.push((chat: Chat) => pair(chat));
      const cipher = createMessageCipher(encryptionSecret);
      checks.get('message')?.push((message: StoredMessage) => {
        const sender = users.get(message.senderId);
        if (!sender || !isKeyKnown(sender, message.scheme, encryptionSecret)) return undefined;
        const text = cipher.decrypt(message.encrypted, message.scheme, sender);
        if (text === undefined)
          return `Message ${message.id} cannot be decrypted: its tag does not verify.`;
        return (message.text ?? text) === text
          ? undefined
          : `The clear and the encrypted text of message ${message.id} differ.`;
      });
      const unknown = createUnknowns();
      const readers = locateJsonMessaging(join(data, 'messaging'), 0, report);
      const lastId = await lastIdOf(readers);
      // First, so that it is one fault: else the record of the highest id would be another.
      checks
        .get('member')
        ?.unshift(({ chatId, userId, startId = 0, readId = 0 }: MemberRecord) =>
          Math.max(startId, readId) > lastId
            ? `Member ${userId} of chat ${chatId} has marks beyond ${lastId}, the highest id of a message.`
            : undefined,
        );
      for (const { kind, read } of readers) {
        for await (const { record, place } of read()) {
          for (const check of checks.get(kind) ?? []) {
            const message = check(record as never);
            if (message === undefined) continue;
            const isTaken = unknown.take(message, place);
            if (!isTaken) report({ severity: 'error', ...place, message, advice: restoreAdvice });
            break;
          }
        }
      }
      unknown.report(report);
    },
    repair: repairMessaging,
  };
}

/** Whether there is what a key is made from: of an account that has ended one key may be left, of a lost one none. */
function isKeyKnown(
  { passwordHash, deleted }: User,
  scheme: CipherScheme,
  secret: string | undefined,
): boolean {
  if (deleted) return scheme === 'secret' && deleted.key !== undefined;
  return passwordHash !== noHash && (scheme === 'email' || secret !== undefined);
}

/** The highest id given to a message. */
async function lastIdOf(readers: ReturnType<typeof locateJsonMessaging>): Promise<number> {
  let lastId = 0;
  for (const { kind, read } of readers) {
    if (kind !== 'message-ids') continue;
    for await (const { record } of read()) lastId = (record as MessageIdsRecord).lastMessageId;
  }
  return lastId;
}

/** The most lost accounts and chats that `data check` lists one by one. */
const mostUnknown = 1_000;

/** One finding for each account or chat that is lost, however many records refer to it. */
function createUnknowns() {
  const found = new Map<string, { place: Place; message: string; others: number }>();
  return {
    /** Whether it was such a fault. */
    take(message: string, place: Place): boolean {
      const subject = /references unknown (\w+ \d+)/.exec(message)?.[1];
      if (subject === undefined) return false;
      const known = found.get(subject) ?? (found.size < mostUnknown ? undefined : found.get(rest));
      if (known) known.others += 1;
      else found.set(found.size < mostUnknown ? subject : rest, { place, message, others: 0 });
      return true;
    },
    report(report: Report): void {
      for (const [subject, { place, message, others }] of found) {
        const records =
          others === 1 ? 'One more record references' : `${others} more records reference`;
        const more =
          others === 0 ? '' : ` ${records} ${subject === rest ? 'others that are lost' : 'it'}.`;
        // A placeholder takes the place of what is referred to.
        report(faultAt(place, message + more));
      }
    },
  };
}

/** What stands for all that are not listed. */
const rest = 'others';
