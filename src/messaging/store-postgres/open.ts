import type { Clock } from '../../base/clock.js';
import type { Database } from '../../storage/postgres/database.js';
import type { ExpiringTable } from '../../storage/postgres/sweep.js';
import type { MessagingStore } from '../store.js';
import { createPostgresChatStore } from './chat-store.js';
import { createPostgresMessageStore } from './message-store.js';
import { createPostgresTokenStore } from './token-store.js';
import { createPostgresUserStore } from './user-store.js';

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
  const messages = createPostgresMessageStore(database, clock);
  return {
    users: createPostgresUserStore(database),
    tokens: createPostgresTokenStore(database),
    chats: createPostgresChatStore(database),
    messages,
    close: () => messages.close(),
  };
}
