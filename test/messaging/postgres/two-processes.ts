import { afterAll, beforeAll, beforeEach } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import type { StoredMessage, User } from '../../../src/messaging/model.js';
import type { MessagingStore } from '../../../src/messaging/store.js';
import { createPostgresMessagingStore } from '../../../src/messaging/store-postgres/open.js';
import type { Database } from '../../../src/storage/postgres/database.js';
import {
  emptyTestDatabase,
  openTestDatabase,
  type TestDatabase,
} from '../../helpers/test-database.js';

/** Two simulated processes, each with its own connections and memory. */
export interface TwoProcesses {
  readonly database: TestDatabase;
  readonly here: MessagingStore;
  readonly there: MessagingStore;
}

/** Opens two simulated processes on one database, which is emptied before each test of a file. */
export function openTwoProcesses(): TwoProcesses {
  const databases: TestDatabase[] = [];
  const both = {} as { -readonly [Key in keyof TwoProcesses]: TwoProcesses[Key] };
  beforeAll(async () => {
    const first = await openTestDatabase();
    const second = await openTestDatabase({ url: first.url });
    databases.push(first, second);
    both.database = first;
    both.here = createPostgresMessagingStore(first, systemClock);
    both.there = createPostgresMessagingStore(second, systemClock);
  });
  beforeEach(() => emptyTestDatabase(both.database));
  afterAll(async () => {
    await Promise.all([both.here.close(), both.there.close()]);
    await Promise.all(databases.map((database) => database.close()));
  });
  return both;
}

export const createdAt = new Date(0).toISOString();
export const group = { type: 'group', name: 'g', ownerId: 1, createdAt } as const;
export const channel = { ...group, type: 'channel' } as const;
export const pair = (ownerId: number, participantId: number) =>
  ({ type: 'private', name: '', ownerId, participantId, createdAt }) as const;

export const message = (chatId: number, text: string, senderId = 1): Omit<StoredMessage, 'id'> => ({
  chatId,
  senderId,
  type: 'text',
  text,
  encrypted: { iv: '0'.repeat(32), encrypted: '00', authTag: '0'.repeat(32) },
  scheme: 'email',
  createdAt,
});

export const userFields = (email: string, username = 'Somebody'): Omit<User, 'id'> => ({
  username,
  email,
  passwordHash: '$2b$04$x',
  avatar: null,
  bio: '',
  createdAt,
});

/** Creates users with the IDs 1 to `count`. */
export async function makeUsers(store: MessagingStore, count: number): Promise<void> {
  for (let n = 1; n <= count; n += 1) await store.users.create(userFields(`u${n}@x.kz`, `U${n}`));
}

/** Returns inconsistencies: references to missing rows, owners who are not members, and wrong counts. */
export function findFaults(database: Database): Promise<readonly object[]> {
  return database.run(
    'find faults',
    (sql) => sql`
      select 'member of no chat' as fault, chat_id as chat, user_id as detail from msgsite.members
        where chat_id not in (select id from msgsite.chats)
      union all select 'message of no chat', chat_id, id from msgsite.messages
        where chat_id not in (select id from msgsite.chats)
      union all select 'key of no chat', chat_id, message_id from msgsite.message_keys
        where chat_id not in (select id from msgsite.chats)
      union all select 'owner is not a member', id, owner_id from msgsite.chats
        where not exists (
          select from msgsite.members where chat_id = chats.id and user_id = owner_id)
      union all select 'wrong count', id, member_count from msgsite.chats
        where member_count <> (select count(*) from msgsite.members where chat_id = chats.id)
      union all select 'ended account', chat_id, user_id from msgsite.members
        join msgsite.chats on chats.id = chat_id join msgsite.users on users.id = user_id
        where deleted_at is not null and (chats.type <> 'private' or read_id is not null)
      union all select 'nobody can read it', chats.id, 0 from msgsite.chats
        join msgsite.users as owners on owners.id = owner_id
        join msgsite.users as others on others.id = participant_id
        where owners.deleted_at is not null and others.deleted_at is not null
      union all select 'nothing removed', chat_id, 0 from msgsite.removed_chats`,
  );
}

/** Resolves when this many sessions of the database wait for a lock. */
export async function untilBlocked(database: Database, count: number): Promise<void> {
  for (;;) {
    const [row] = await database.run(
      'waiting sessions',
      (sql) => sql<{ count: number }[]>`
        select count(distinct pid) from pg_locks join pg_stat_activity using (pid)
        where not granted and datname = current_database()`,
    );
    if ((row?.count ?? 0) >= count) return;
  }
}
