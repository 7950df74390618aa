import { expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { messagingKinds } from '../../../src/messaging/records.js';
import { postgresMessagingRecords } from '../../../src/messaging/store-postgres/transfer.js';
import type { Database } from '../../../src/storage/postgres/database.js';
import { identifier } from '../../../src/storage/postgres/sql.js';
import { emptyTestDatabase } from '../../helpers/test-database.js';
import {
  createdAt,
  findFaults,
  group,
  makeUsers,
  message,
  openTwoProcesses,
  pair,
} from './two-processes.js';

const both = openTwoProcesses();

type Exported = Record<string, object[]>;

/** Returns all records of an export, after checking them as an import does. */
function exportOf(database: Database): Promise<Exported> {
  const kinds = messagingKinds();
  return database.transaction('export', async (sql) => {
    const found: Exported = {};
    for (const { kind, read } of postgresMessagingRecords(systemClock.now())) {
      found[kind] = [];
      const check = kinds.find(({ name }) => name === kind)?.check;
      for await (const record of read(sql)) {
        expect([kind, check?.(record)]).toEqual([kind, undefined]);
        found[kind].push(record);
      }
    }
    return found;
  });
}

async function importInto(database: Database, records: Exported): Promise<void> {
  await emptyTestDatabase(database);
  for (const { kind, insert } of postgresMessagingRecords(0)) {
    // Inserts two parts, like a long import.
    const all = records[kind] ?? [];
    const half = Math.ceil(all.length / 2);
    for (const part of [all.slice(0, half), all.slice(half)]) {
      if (part.length > 0) await database.transaction('import', async (sql) => insert(sql, part));
    }
  }
}

async function fill(): Promise<void> {
  const { here } = both;
  await makeUsers(here, 4);
  for (const chat of [group, pair(1, 2), group, pair(1, 4)]) await here.chats.create(chat);
  await here.messages.append(message(1, 'before'));
  await here.chats.addMember(1, 3);
  await here.chats.addMember(1, 2);
  await here.messages.append(message(1, 'after'), { key: 'k', bodyHash: 'h' });
  await here.messages.append(message(2, 'x'), { key: 'l', bodyHash: 'h' });
  await here.chats.markRead(1, 3, 2);
  await here.users.setReset(2, { hash: 'code', expires: 8_640_000_000_000_000 });
  await here.users.endTokens(2);
  await here.tokens.revoke('a', systemClock.now() + 1e6, systemClock.now() + 1e5);
  await here.tokens.revoke('b', systemClock.now() + 1e6);
  await here.endAccount(4, { at: createdAt, key: 'ab'.repeat(32) });
}

it('an export contains every field, and is identical after it was imported', async () => {
  const { here, database } = both;
  await fill();
  const before = await exportOf(database);
  expect(before.member).toContainEqual({ chatId: 1, userId: 3, startId: 1, readId: 2 });
  expect(before.user).toContainEqual(
    expect.objectContaining({ id: 2, sessions: 1, reset: { hash: 'code', expires: 8.64e15 } }),
  );
  expect(before.user).toContainEqual(
    expect.objectContaining({ id: 4, email: '', deleted: { at: createdAt, key: 'ab'.repeat(32) } }),
  );
  expect(before['revoked-token']).toMatchObject([
    { jti: 'a', from: expect.any(Number) },
    { jti: 'b' },
  ]);
  await importInto(database, before);
  expect(await exportOf(database)).toEqual(before);
  expect(await findFaults(database)).toEqual([]);
  expect(await here.users.list({ after: 0, limit: 9, part: 'u2' })).toMatchObject([{ id: 2 }]);
  expect(await here.chats.countMembers(1)).toBe(3);
});

it('an export contains no data of deleted chats', async () => {
  const { database } = both;
  await fill();
  const records = await exportOf(database);
  await database.run(
    'orphans',
    (sql) => sql`
      insert into msgsite.messages select 99, id, sender_id, type, text, iv, encrypted, auth_tag,
        scheme, created_at from msgsite.messages where chat_id = 1`,
  );
  await database.run(
    'orphans',
    (sql) => sql`
      insert into msgsite.message_keys select sender_id, 'orphan', 99, body_hash, message_id,
        expires_at from msgsite.message_keys limit 1`,
  );
  await database.run(
    'orphans',
    (sql) => sql`insert into msgsite.members (chat_id, user_id, start_id) values (99, 1, 0)`,
  );
  expect(await exportOf(database)).toEqual(records);
});

it('no table contains personal data of a deleted account', async () => {
  const { here, database } = both;
  await makeUsers(here, 2);
  const secrets = ['zarina@secret.kz', 'Зарина', 'zarina.png', 'about zarina', 'reset-zarina'];
  const [email = '', username = '', avatar, bio = '', hash = ''] = secrets;
  const { id } = await here.users.create({
    ...{ email, username, avatar: `http://x/${avatar}`, bio, createdAt },
    passwordHash: 'hash-zarina',
  });
  await here.users.setReset(id, { hash, expires: systemClock.now() + 1e6 });
  const { chat } = await here.chats.create(pair(id, 1));
  await here.messages.append(message(chat.id, 'stays', id), { key: 'key-zarina', bodyHash: 'h' });
  const dump = async () => {
    const tables = await database.run(
      'tables',
      (sql) => sql<{ name: string }[]>`
        select 'msgsite.' || tablename as name from pg_tables where schemaname = 'msgsite'`,
    );
    const rows = await Promise.all(
      tables.map(({ name }) =>
        database.run(
          'dump',
          (sql) => sql`select kept::text as row from ${identifier(name)} as kept`,
        ),
      ),
    );
    return JSON.stringify(rows);
  };
  const marks = [...secrets, 'зарина', 'hash-zarina', 'key-zarina'];
  const before = await dump();
  expect(marks.filter((mark) => !before.includes(mark))).toEqual([]);
  await here.endAccount(id, { at: createdAt });
  const after = await dump();
  expect(marks.filter((mark) => after.includes(mark))).toEqual([]);
  expect(after).toContain('stays');
  expect(JSON.stringify(await exportOf(database))).not.toMatch(/zarina/i);
});
