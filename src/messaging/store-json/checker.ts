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

/** Turns the fault that an import reports for a record into a sentence. */
function sentence(kind: string, check: Check): Check {
  return (record) => {
    const fault = check(record);
    return fault === undefined ? undefined : `This ${kind} ${fault}.`;
  };
}

/**
 * Returns the checker for the files of messaging. It reads them as an export does, but continues after a fault. It
 * checks each record as an import does, and decrypts all messages. Messages that are encrypted with the operator's
 * secret are decrypted only if the secret is set.
 */
export function messagingChecker(encryptionSecret: string | undefined): DataChecker {
  return {
    name: 'messaging',
    async check(data, report) {
      const users = new Map<number, User>();
      const email = uniqueEmails();
      const cipher = createMessageCipher(encryptionSecret);
      const unknown = createUnknowns();
      const readers = locateJsonMessaging(join(data, 'messaging'), 0, report);
      const lastId = await lastIdOf(readers);
      const further: Readonly<Record<string, Check>> = {
        user(user: User) {
          users.set(user.id, user);
          return email(user);
        },
        chat: uniquePairs(),
        message({ id, senderId, text, encrypted, scheme }: StoredMessage) {
          const sender = users.get(senderId);
          if (!sender || !isKeyKnown(sender, scheme, encryptionSecret)) return undefined;
          const decrypted = cipher.decrypt(encrypted, scheme, sender);
          if (decrypted === undefined)
            return `Message ${id} cannot be decrypted: its authentication tag does not match.`;
          return (text ?? decrypted) === decrypted
            ? undefined
            : `The clear text and the encrypted text of message ${id} differ.`;
        },
      };
      const marks = ({ chatId, userId, startId = 0, readId = 0 }: MemberRecord) =>
        Math.max(startId, readId) > lastId
          ? `Member ${userId} of chat ${chatId} has marks above ${lastId}, the highest message ID.`
          : undefined;
      const checks = new Map<string, Check[]>(
        messagingKinds().map(({ name, check }) => [
          name,
          // Checks the marks first. Otherwise, they would also cause a fault in the record of the highest ID.
          [
            ...(name === 'member' ? [marks] : []),
            sentence(name, check),
            ...(further[name] ? [further[name]] : []),
          ],
        ]),
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

/** Returns whether a sender's key can be derived. A deleted account may have a stored key. A lost account has none. */
function isKeyKnown(
  { passwordHash, deleted }: User,
  scheme: CipherScheme,
  secret: string | undefined,
): boolean {
  if (deleted) return scheme === 'secret' && deleted.key !== undefined;
  return passwordHash !== noHash && (scheme === 'email' || secret !== undefined);
}

/** Returns the highest message ID that was assigned. */
async function lastIdOf(readers: ReturnType<typeof locateJsonMessaging>): Promise<number> {
  let lastId = 0;
  const reader = readers.find(({ kind }) => kind === 'message-ids');
  for await (const { record } of reader?.read() ?? []) {
    lastId = (record as MessageIdsRecord).lastMessageId;
  }
  return lastId;
}

/** Maximum number of lost accounts and chats that `data check` lists individually. */
const maxUnknown = 1_000;

/** Reports one finding for each lost account or chat, regardless of how many records reference it. */
function createUnknowns() {
  const found = new Map<string, { place: Place; message: string; others: number }>();
  return {
    /** Returns whether the fault is a reference to a lost account or chat. */
    take(message: string, place: Place): boolean {
      const subject = /references unknown (\w+ \d+)/.exec(message)?.[1];
      if (subject === undefined) return false;
      const known = found.get(subject) ?? (found.size < maxUnknown ? undefined : found.get(rest));
      if (known) known.others += 1;
      else found.set(found.size < maxUnknown ? subject : rest, { place, message, others: 0 });
      return true;
    },
    report(report: Report): void {
      for (const [subject, { place, message, others }] of found) {
        const records =
          others === 1 ? 'One more record references' : `${others} more records reference`;
        const more =
          others === 0
            ? ''
            : ` ${records} ${subject === rest ? 'other lost accounts or chats' : 'it'}.`;
        report(faultAt(place, message + more));
      }
    },
  };
}

/** The key of all accounts and chats that are not listed individually. */
const rest = 'others';
