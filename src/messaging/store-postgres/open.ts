import type { Clock } from '../../base/clock.js';
import type { Database } from '../../storage/postgres/database.js';
import { assignments, type TransactionSql } from '../../storage/postgres/sql.js';
import type { ExpiringTable } from '../../storage/postgres/sweep.js';
import { placeholderOf } from '../records.js';
import type { EndedAccount, MessagingStore } from '../store.js';
import type { PostgresChanges } from './changes.js';
import { createPostgresChanges } from './changes.js';
import { createPostgresChatStore } from './chat-store.js';
import { decrementMemberCounts, removeChats, transferOwnership } from './leaving.js';
import { createPostgresMessageStore } from './message-store.js';
import type { ChatRow } from './rows.js';
import { codecs, type UserRow, userRow } from './rows.js';
import { takeUserLock } from './user-locks.js';
import { createPostgresTokenStore, createPostgresUserStore } from './user-store.js';

export { sweepRemovedChats } from './leaving.js';

/** Tables whose rows expire. */
export const expiringMessagingTables: readonly ExpiringTable[] = [
  { table: 'msgsite.revoked_tokens', column: 'expires_at' },
  { table: 'msgsite.message_keys', column: 'expires_at' },
];

/**
 * Creates messaging on PostgreSQL, for any number of processes. `clock` determines when tokens and keys expire, and
 * must follow the database's clock.
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

/** Returns a function that deletes an account in one transaction. */
function createAccountEnd(
  database: Database,
  changes: PostgresChanges,
): MessagingStore['endAccount'] {
  return async (id, end) => {
    const chats = await database.transaction('end an account', (sql) => endAccount(sql, id, end));
    if (!chats) return false;
    changes.report({ person: id }, { list: id }, ...chats.map((chat) => ({ chat })));
    return true;
  };
}

/** Deletes an account. Returns the IDs of the user's chats, or undefined if the account does not exist. */
async function endAccount(
  sql: TransactionSql,
  id: number,
  end: EndedAccount,
): Promise<number[] | undefined> {
  await takeUserLock(sql, id);
  const [row] = await sql<UserRow[]>`
    select * from msgsite.users where id = ${id} and deleted_at is null for update`;
  if (!row) return undefined;
  const chats = await sql<ChatRow[]>`
    select chats.* from msgsite.members join msgsite.chats on chats.id = chat_id
    where user_id = ${id} order by chats.id for update of chats`;
  await leaveShared(
    sql,
    id,
    chats.filter(({ type }) => type !== 'private'),
  );
  await leavePrivate(
    sql,
    id,
    chats.filter(({ type }) => type === 'private'),
  );
  await sql`delete from msgsite.message_keys where sender_id = ${id}`;
  const { id: _, ...placeholder } = placeholderOf(codecs.user.toRecord(row), end);
  await sql`update msgsite.users set ${assignments(userRow(placeholder))} where id = ${id}`;
  return chats.map((chat) => chat.id);
}

/** Removes a user from groups and channels, and deletes those without members. */
async function leaveShared(
  sql: TransactionSql,
  id: number,
  chats: readonly ChatRow[],
): Promise<void> {
  const ids = idsOf(chats);
  await sql`
    delete from msgsite.members where user_id = ${id} and chat_id = any(${ids}::bigint[])`;
  await transferOwnership(sql, idsOf(chats.filter(({ ownerId }) => ownerId === id)));
  const left = await decrementMemberCounts(sql, ids);
  await removeChats(sql, idsOf(left.filter(({ memberCount }) => memberCount <= 0)));
}

/** Clears a user's marks in private chats, and deletes those whose other account is already deleted. */
async function leavePrivate(
  sql: TransactionSql,
  id: number,
  chats: readonly ChatRow[],
): Promise<void> {
  const otherOf = ({ ownerId, participantId }: ChatRow) =>
    ownerId === id ? participantId : ownerId;
  const ended = await sql<{ id: number }[]>`
    select id from msgsite.users
    where id = any(${chats.map((chat) => otherOf(chat) ?? id)}::bigint[])
      and deleted_at is not null`;
  const gone = new Set(idsOf(ended));
  await removeChats(sql, idsOf(chats.filter((chat) => gone.has(otherOf(chat) ?? id))));
  await sql`update msgsite.members set read_id = null, start_id = null where user_id = ${id}`;
}

function idsOf(rows: readonly { readonly id: number }[]): number[] {
  return rows.map(({ id }) => id);
}
