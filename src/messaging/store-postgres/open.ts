import type { Clock } from '../../base/clock.js';
import type { Database } from '../../storage/postgres/database.js';
import type { ExpiringTable } from '../../storage/postgres/sweep.js';
import type { MessagingStore } from '../store.js';
import { createAccountEnd } from './account-end.js';
import { createPostgresChanges } from './changes.js';
import { createPostgresChatStore } from './chat-store.js';
import { createPostgresMessageStore } from './message-store.js';
import { createPostgresTokenStore } from './token-store.js';
import { createPostgresUserStore } from './user-store.js';

export { sweepRemovedChats } from './removed-chats.js';

/** What messaging keeps for a time only. */
export const expiringMessagingTables: readonly ExpiringTable[] = [
  { table: 'msgsite.revoked_tokens', column: 'expires_at' },
  { table: 'msgsite.message_keys', column: 'expires_at' },
];

/**
 * Messaging on PostgreSQL, for any number of processes at the same time. `clock` decides when tokens
 * and keys expire: give one that follows the database's.
 */
export function createPostgresMessagingStore(database: Database, clock: Clock): MessagingStore {
  const changes = createPostgresChanges(database);
  const options = { database, clock, changes };
  return {
    users: createPostgresUserStore(options),
    tokens: createPostgresTokenStore(database, clock),
    chats: createPostgresChatStore(options),
    messages: createPostgresMessageStore(options),
    changes: { on: changes.on },
    endAccount: createAccountEnd(database, changes),
    close: async () => changes.close(),
  };
}
