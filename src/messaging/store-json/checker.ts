import { join } from 'node:path';
import type { DataChecker } from '../../storage/json/data-checker.js';
import { repairAdvice, restoreAdvice } from '../../storage/json/data-checker.js';
import { createMessageCipher } from '../cipher.js';
import type { Chat, StoredMessage, User } from '../model.js';
import { messagingKinds } from '../records.js';
import { locateJsonMessaging } from './read.js';
import { lostHash, repairMessaging } from './repair.js';
import { uniqueEmails, uniquePairs } from './write.js';

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
        if (!sender || sender.passwordHash === lostHash) return undefined;
        if (message.scheme !== 'email' && encryptionSecret === undefined) return undefined;
        const text = cipher.decrypt(message.encrypted, message.scheme, sender);
        if (text === undefined)
          return `Message ${message.id} cannot be decrypted: its tag does not verify.`;
        return (message.text ?? text) === text
          ? undefined
          : `The clear and the encrypted text of message ${message.id} differ.`;
      });
      for (const { kind, read } of locateJsonMessaging(join(data, 'messaging'), 0, report)) {
        for await (const { record, place } of read()) {
          for (const check of checks.get(kind) ?? []) {
            const fault = check(record as never);
            if (fault === undefined) continue;
            // A placeholder takes the place of what is referred to.
            const advice = /references unknown/.test(fault) ? repairAdvice : restoreAdvice;
            report({ severity: 'error', ...place, message: fault, advice });
            break;
          }
        }
      }
    },
    repair: (data, repair) => repairMessaging({ data, ...repair }),
  };
}
