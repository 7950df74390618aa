import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { describeDatabaseAddress } from '../../../src/base/database-address.js';
import { fillNameKeys } from '../../../src/messaging/store-postgres/name-keys.js';
import { openPostgresMessagingStore } from '../../../src/messaging/store-postgres/open.js';
import { connect, jsonParameter } from '../../../src/storage/postgres/connect.js';
import type { Database } from '../../../src/storage/postgres/database.js';
import {
  checksumOf,
  migrate,
  missingMigrations,
  readMigrations,
} from '../../../src/storage/postgres/migrations.js';
import { runCli } from '../../helpers/run-cli.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';
import { createEmptyDatabase, useTestDatabase } from '../../helpers/test-database.js';

it('migrations are numbered without gaps', async () => {
  const numbers = (await readMigrations()).map(({ number }) => number);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});

it('every migration is applied once, however many processes start simultaneously', async () => {
  const url = await createEmptyDatabase();
  const reports = await Promise.all([migrate(url), migrate(url), migrate(url)]);
  const applied = reports.flatMap((report) => report.applied);
  expect(applied).toEqual((await readMigrations()).map(({ name }) => name));
  expect(await migrate(url)).toMatchObject({ applied: [], version: applied.length });
});

it('a database changed by a newer program is refused', async () => {
  const database = await useTestDatabase();
  await database.run(
    'newer',
    (sql) => sql`insert into msgsite.migrations values (9999, '9999-future', '')`,
  );
  await expect(migrate(database.url)).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining('9999-future'),
  });
});

it('migrations edited after they were applied are refused', () => {
  const step = { number: 1, name: '0001-a', sql: 'select 1' };
  const done = { number: 1, name: '0001-a', checksum: checksumOf(step.sql) };
  const next = { number: 2, name: '0002-b', sql: 'select 2' };
  expect(missingMigrations([step, next], [done])).toEqual([next]);
  expect(() => missingMigrations([{ ...step, sql: 'select 3' }], [done])).toThrow('0001-a');
});

it('a failing migration leaves nothing behind', async () => {
  const database = await useTestDatabase();
  const url = await createEmptyDatabase();
  expect(database.url).not.toBe(url);
  // An existing table makes the second step fail.
  const sql = connect({ url, connections: 1, statementTimeout: 0, applicationName: 'test' });
  await sql`create schema msgsite`;
  await sql`create table msgsite.users ()`;
  await expect(migrate(url)).rejects.toThrow('users');
  const tables = await sql`select 1 from pg_tables where schemaname = 'msgsite'`;
  await sql.end();
  expect(tables).toHaveLength(1);
});

/** Creates a database as it was after its first `count` steps. */
async function useDatabaseAfter(count: number) {
  const url = await createEmptyDatabase();
  const sql = connect({ url, connections: 1, statementTimeout: 0, applicationName: 'test' });
  onTestFinished(() => sql.end());
  const steps = (await readMigrations()).slice(0, count);
  await sql`create schema msgsite`;
  await sql`
    create table msgsite.migrations (
      number integer primary key, name text not null, checksum text not null,
      applied_at timestamptz not null default now())`;
  for (const { number, name, sql: text } of steps) {
    await sql.unsafe(text);
    await sql`
      insert into msgsite.migrations (number, name, checksum)
      values (${number}, ${name}, ${checksumOf(text)})`;
  }
  return { url, sql };
}

it('a migration renames the time of an event in stored deliveries, and nothing else', async () => {
  const { url, sql } = await useDatabaseAfter(12);
  const time = '2026-01-02T03:04:05.678Z';
  const stored = {
    id: 'dlv_1',
    facts: { data: { a: 1, arisenAt: 'theirs', text: '\0,"arisenAt":"x"' } },
    state: 'delivered',
    arisenAt: time,
    attempts: [{ response: '{"a":1,"arisenAt":"theirs"}' }],
  };
  const other = { id: 'dlv_2', state: 'pending', occurredAt: time, attempts: [] };
  for (const record of [stored, other]) {
    await sql`
      insert into msgsite.deliveries (id, state, listed_at, record)
      values (${record.id}, ${record.state}, ${time}, ${jsonParameter(sql, record)})`;
  }
  expect((await migrate(url)).applied[0]).toBe('0013-occurred-at');
  const rows = await sql<{ record: object }[]>`select record from msgsite.deliveries order by id`;
  const { arisenAt, ...same } = stored;
  expect(rows.map(({ record }) => record)).toEqual([{ ...same, occurredAt: arisenAt }, other]);
});

it('a migration adds the organization to the keys of payments, whatever their fields contain', async () => {
  const { url, sql } = await useDatabaseAfter(13);
  const payment = (id: string, organizationId: number, more: object = {}) => ({
    id,
    type: 'qr',
    state: 'open',
    organizationId,
    sessionId: 's',
    amount: 1,
    status: '\0","organizationId":9,"createdAt":8,"',
    clientPhone: '"organizationId":7',
    createdAt: 1_795_348_109_123,
    ...more,
  });
  const stored = [
    ['qr-1', payment('1', 17)],
    ['invoice-1', payment('1', -4, { type: 'invoice', state: 'ended', endedAt: 5 })],
    [`qr-${'9'.repeat(30)}`, payment('9'.repeat(30), 2 ** 40, { state: 'unknown' })],
  ] as const;
  await sql`insert into msgsite.workers values ('w', 'payments', now())`;
  for (const [key, record] of stored) {
    await sql`
      insert into msgsite.payments (key, state, session_id, worker, record)
      values (${key}, ${record.state}, 's', 'w', ${jsonParameter(sql, record)})`;
  }
  // As a person may have written it.
  await sql`
    insert into msgsite.payments (key, state, session_id, record)
    values ('qr-5', 'open', 's', '{ "organizationId" : 3, "createdAt" : 6, "type" : "qr" }'::text::json)`;
  expect((await migrate(url)).applied).toContain('0015-money');
  const rows = await sql<{ key: string; record: object; worker: string | null }[]>`
    select key, organization_id, operation_id, created_at, worker, record
    from msgsite.payments where key <> '3-qr-5' order by created_at, organization_id`;
  expect(rows).toEqual(
    [stored[1], stored[0], stored[2]].map(([, record]) => ({
      key: `${record.organizationId}-${record.type}-${record.id}`,
      organizationId: record.organizationId,
      operationId: record.id,
      createdAt: record.createdAt,
      worker: 'w',
      record,
    })),
  );
  const [other] = await sql`select created_at from msgsite.payments where key = '3-qr-5'`;
  expect(other).toEqual({ createdAt: 6 });
});

it('the search names are filled in before serving, even with several processes or after a kill', async () => {
  const { url, sql } = await useDatabaseAfter(17);
  await sql`
    insert into msgsite.users (username, email, email_key, password_hash, bio, created_at)
    select case when n % 500 = 0 then 'Ёлка ' else 'User ' end || n, n || '@X.kz', n || '@x.kz', '',
      '', now()
    from generate_series(1, 2500) as n`;
  await sql`
    insert into msgsite.chats (type, name, owner_id, created_at) values ('group', 'g', 1, now())`;
  await sql`insert into msgsite.members (chat_id, user_id) values (1, 1), (1, 2)`;
  await sql`insert into msgsite.revoked_tokens values ('t', now() + interval '1 day')`;
  await sql`select setval('msgsite.message_ids', 41)`;
  expect((await migrate(url)).applied).toContain('0018-leaving');
  const databases = await Promise.all([useTestDatabase({ url }), useTestDatabase({ url })]);
  const killed = { ...databases[0], transaction: failAfter(1, databases[0]) };
  await expect(fillNameKeys(killed)).rejects.toThrow('killed');
  const missing = () => sql`select from msgsite.users where name_key is null`;
  expect(await missing()).toHaveLength(1500);
  const stores = await Promise.all(
    databases.map((database) => openPostgresMessagingStore(database, systemClock)),
  );
  expect(await missing()).toHaveLength(0);
  for (const store of stores) {
    const found = await store.users.list({ after: 500, limit: 3, part: 'елКА' });
    expect(found.map(({ id }) => id)).toEqual([1000, 1500, 2000]);
    // Existing messages count as read.
    expect(await store.chats.membership(1, 2)).toMatchObject({ startId: 41, readId: null });
    expect(await store.chats.countMembers(1)).toBe(2);
    expect(await store.tokens.isRevoked('t', 0)).toBe(true);
    await store.close();
  }
});

/** Counts the transactions of a process that is killed after so many. */
function failAfter(count: number, database: Database): Database['transaction'] {
  let left = count;
  return (name, work) => {
    if (left === 0) throw new Error('killed');
    left -= 1;
    return database.transaction(name, work);
  };
}

it('data migrate prepares a database and reports the applied steps', async () => {
  const url = await createEmptyDatabase();
  const first = await runCli(['data', 'migrate', '--database', url]);
  expect(first).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('0001-site') });
  const second = await runCli(['data', 'migrate', '--database', url, '--json']);
  expect(JSON.parse(second.stdout)).toMatchObject({ applied: [] });
  expect(await runCli(['data', 'migrate'])).toMatchObject({ exitCode: 2 });
});

it('data migrate names an unreachable database without its password', async () => {
  const result = await runCli(['data', 'migrate'], {
    env: { MSGSITE_DATABASE: 'postgres://me:secret@127.0.0.1:1/shop' },
  });
  expect(result.exitCode).toBe(1);
  expect(result.stderr).toContain('postgres://me@127.0.0.1:1/shop');
  expect(result.stderr).not.toContain('secret');
  expect(describeDatabaseAddress('postgres://h/d')).toBe('postgres://h/d');
});

it('missing rights and unknown settings are reported as configuration errors', async () => {
  const database = await useTestDatabase();
  const role = `weak_${randomBytes(8).toString('hex')}`;
  const asOwner = (statement: string) => database.run('role', (sql) => sql.unsafe(statement));
  await asOwner(`create role ${role} login password 'secret'`);
  onTestFinished(async () => void (await asOwner(`drop role ${role}`)));
  const weak = new URL(await createEmptyDatabase());
  weak.username = role;
  weak.password = 'secret';
  const refused = await runCli(['data', 'migrate', '--database', weak.href]);
  expect(refused).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/permission.*Give the role .* the rights/s),
  });
  const misspelt = `${database.url}?no_such_setting=secret`;
  const unknown = await runCli(['data', 'migrate', '--database', misspelt]);
  expect(unknown).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('no_such_setting'),
  });
  expect(refused.stderr + unknown.stderr).not.toContain('secret');
});

it.each(['pay payments', 'webhooks list'])(
  '%s changes no structure and explains what to do',
  async (words) => {
    const database = await useTestDatabase();
    const cwd = await makeTempFolder();
    const run = (url: string) =>
      runCli([...words.split(' '), '--database', url, '--data', 'data'], {
        cwd,
        env: { HOME: cwd },
      });
    expect(await run(database.url)).toMatchObject({ exitCode: 0 });
    const none = await createEmptyDatabase();
    expect(await run(none)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('msgsite data migrate'),
    });
    const steps = (await readMigrations()).map(({ name }) => name);
    expect((await migrate(none)).applied).toEqual(steps);
    await database.run(
      'older',
      (sql) => sql`delete from msgsite.migrations where number = ${steps.length}`,
    );
    const older = await run(database.url);
    expect(older.exitCode).toBe(2);
    expect(older.stderr).toContain(`it lacks ${steps.at(-1)}`);
    await database.run(
      'newer',
      (sql) => sql`insert into msgsite.migrations values (9999, '9999-future', '')`,
    );
    const newer = await run(database.url);
    expect(newer.exitCode).toBe(2);
    expect(newer.stderr).toContain('9999-future');
  },
);

it('pay refuses a gateway key that differs from the other processes', async () => {
  const { url } = await useTestDatabase();
  const cwd = await makeTempFolder();
  const run = (key: string) =>
    runCli(['pay', 'status', '--database', url], {
      cwd,
      env: { HOME: cwd, MSGSITE_GATEWAY_KEY: key },
    });
  expect((await run('one key that all processes have')).exitCode).toBe(4);
  const refused = await run('another key that is just as long');
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('MSGSITE_GATEWAY_KEY is not the one');
});
