import type { AuditLog } from '../base/audit.js';
import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/log.js';
import type { Waits } from '../base/waits.js';
import { createAccounts } from './accounts.js';
import type { Counter } from './chats.js';
import { createChats } from './chats.js';
import { createMessageCipher, createMessageTexts } from './cipher.js';
import { createHashingThreads } from './hashing-threads.js';
import { createListWaits } from './list-waits.js';
import { createMembers } from './members.js';
import { createMessages } from './messages.js';
import { createPasswordHasher } from './password-hasher.js';
import { createPasswords } from './passwords.js';
import { createDirectory, createPeople } from './people.js';
import type { MessagingStore } from './store.js';
import { createTokens } from './tokens.js';
import { createWatch } from './watch.js';

export interface MessagingOptions {
  readonly store: MessagingStore;
  readonly clock: Clock;
  readonly log: Logger;
  /** Records the operator's actions on accounts. */
  readonly audit: Pick<AuditLog, 'add'>;
  /** Counts users' actions against their limits. */
  readonly counter: Counter;
  /** Limits the requests that wait, together with those of other features. */
  readonly waits: Waits;
  readonly jwtSecret: string;
  /** Lifetime of an access token, in seconds. */
  readonly tokenTtl: number;
  readonly bcryptCost: number;
  readonly encryptionSecret?: string | undefined;
}

export type Messaging = ReturnType<typeof createMessaging>;

/** Creates the messaging feature on its store. */
export function createMessaging(options: MessagingOptions) {
  const { store, clock, log, counter, waits, encryptionSecret } = options;
  const tokens = createTokens({
    secret: options.jwtSecret,
    ttl: options.tokenTtl,
    clock,
    store: store.tokens,
  });
  const threads = createHashingThreads();
  const hasher = createPasswordHasher({ cost: options.bcryptCost, threads });
  const accounts = createAccounts({ users: store.users, tokens, hasher, clock, log });
  const cipher = createMessageCipher(encryptionSecret);
  const texts = createMessageTexts(cipher, log);
  const chats = createChats({ store, texts, counter, clock, log });
  const watch = createWatch(store.changes);
  return {
    tokens,
    accounts,
    passwords: createPasswords({ store, tokens, hasher, clock, encryptionSecret }),
    people: createPeople({ store, clock, audit: options.audit, encryptionSecret }),
    directory: createDirectory(store.users),
    chats,
    members: createMembers({ store, chats, counter }),
    messages: createMessages({ store, chats, cipher, texts, clock, waits, watch }),
    listWaits: createListWaits({ clock, waits, watch }),
    /** Stops the hashing threads and closes the store. */
    async close(): Promise<void> {
      watch.close();
      await hasher.close();
      await store.close();
    },
  };
}
