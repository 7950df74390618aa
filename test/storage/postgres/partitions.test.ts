import { expect, it, onTestFinished } from 'vitest';
import { connect, type Sql } from '../../../src/storage/postgres/connect.js';
import { checksumOf, migrate, readMigrations } from '../../../src/storage/postgres/migrations.js';
import { createEmptyDatabase } from '../../helpers/test-database.js';

/** Creates a database of the release before there were partitions, with messages and payments. */
async function useWholeTables() {
  const url = await createEmptyDatabase();
  const sql = connect({ url, connections: 2, statementTimeout: 0, applicationName: 'test' });
  onTestFinished(() => sql.end());
  await sql`create schema msgsite`;
  await sql`
    create table msgsite.migrations (
      number integer primary key, name text not null, checksum text not null,
      applied_at timestamptz not null default now())`;
  const steps = await readMigrations();
  for (const { number, name, sql: text } of steps.filter(({ number }) => number < partitionsStep)) {
    await sql.unsafe(text);
    await sql`
      insert into msgsite.migrations (number, name, checksum)
      values (${number}, ${name}, ${checksumOf(text)})`;
  }
  await sql.unsafe(content);
  return { url, sql };
}

const partitionsStep = 22;

const content = `
  insert into msgsite.workers values ('w', 'payments', now() + interval '1 hour');
  insert into msgsite.messages
    select 1 + n % 40, n, n % 7, 'text', case when n % 3 = 0 then 'text ' || n end, '\\x01', '\\x02', '\\x03',
      'email', now() - n * interval '1 second'
    from generate_series(1, 2000) n;
  select setval('msgsite.message_ids', 2000);
  insert into msgsite.payments (key, state, organization_id, operation_id, created_at, session_id,
      ended_at, worker, look_at, record)
    select '7-qr-' || n, case when n % 10 = 0 then 'open' else 'ended' end, 7, n, n, 's', now(),
      case when n % 10 = 0 then 'w' end, case when n % 20 = 0 then now() end, '{"text":"\\u0000"}'
    from generate_series(1, 500) n;
  alter table msgsite.messages set (fillfactor = 90, toast.autovacuum_enabled = off);
  alter table msgsite.payments alter column record set storage external;
  grant select on msgsite.messages to pg_monitor;
  grant select, update on msgsite.payments to public;
`;

/** Reads the contents and the structure of both tables. */
async function readTables(sql: Sql) {
  const [row] = await sql`
    select
      (select md5(string_agg(messages::text, '|' order by chat_id, id)) from msgsite.messages)
        as messages,
      (select md5(string_agg(payments::text, '|' order by key)) from msgsite.payments) as payments,
      (select json_agg(array[table_name, grantee::text, privilege_type::text]
          order by table_name, grantee::text, privilege_type::text)
        from information_schema.table_privileges
        where table_name in ('messages', 'payments') and grantee <> current_user) as privileges,
      (select json_agg(array[conrelid::regclass::text, conname, pg_get_constraintdef(oid)]
          order by conname)
        from pg_constraint
        where conrelid in ('msgsite.messages'::regclass, 'msgsite.payments'::regclass)
          and contype <> 'n') as constraints,
      (select json_agg(replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')
          order by indexrelid::regclass::text)
        from pg_index
        where indrelid in ('msgsite.messages'::regclass, 'msgsite.payments'::regclass)
          -- A later migration makes it.
          and indexrelid::regclass::text not like '%open_payments_by_creation') as indexes,
      (select json_agg(array[attrelid::regclass::text, attname, attstorage::text, attnotnull::text]
          order by attrelid::regclass::text, attnum)
        from pg_attribute
        where attrelid in ('msgsite.messages'::regclass, 'msgsite.payments'::regclass)
          and attnum > 0) as columns,
      (select last_value from msgsite.message_ids) as last_id`;
  return row;
}

async function readPartitions(sql: Sql) {
  return sql<{ table: string; settings: string[] | null; rows: number }[]>`
    select relname as table, reloptions as settings, reltuples::int as rows
    from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent in ('msgsite.messages'::regclass, 'msgsite.payments'::regclass)
    order by 1`;
}

it('messages and payments are moved to partitions without loss, however many processes start simultaneously', async () => {
  const { url, sql } = await useWholeTables();
  const before = await readTables(sql);
  const reports = await Promise.all([migrate(url), migrate(url), migrate(url)]);
  expect(reports.flatMap(({ applied }) => applied)).toContain('0022-partitions');
  expect(await readTables(sql)).toEqual(before);
  const partitions = await readPartitions(sql);
  const of = (name: string) => partitions.filter(({ table }) => table.startsWith(name));
  expect([of('messages_').length, of('payments_').length]).toEqual([8, 4]);
  expect(of('messages_').every(({ settings }) => settings?.includes('fillfactor=90'))).toBe(true);
  // None is empty, and the planner has statistics of all.
  expect(partitions.every(({ rows }) => rows > 0)).toBe(true);
  expect(await sql`select to_regclass('msgsite.messages_whole') as left`).toEqual([{ left: null }]);
  // The claims of a worker that is gone are free.
  await sql`delete from msgsite.workers where id = 'w'`;
  expect(await sql`select from msgsite.payments where worker is not null`).toHaveLength(0);
  await expect(sql`update msgsite.payments set worker = 'nobody'`).rejects.toThrow(
    'payments_worker_fkey',
  );
});

it('an interrupted conversion leaves the tables unchanged, and is repeated at the next start', async () => {
  const { url, sql } = await useWholeTables();
  const before = await readTables(sql);
  const other = await sql.reserve();
  onTestFinished(() => other.release());
  await other`begin`;
  // Everything is copied before the foreign key has to wait for this.
  await other`lock table msgsite.workers in row exclusive mode`;
  const cutOff = expect(migrate(url)).rejects.toThrow('cannot be used');
  await expect
    .poll(
      () => sql`
        select pg_terminate_backend(pid) from pg_locks
        where relation = 'msgsite.workers'::regclass and not granted`,
    )
    .toHaveLength(1);
  await cutOff;
  await other`rollback`;
  expect(await readTables(sql)).toEqual(before);
  expect(await readPartitions(sql)).toEqual([]);
  expect((await migrate(url)).applied).toContain('0022-partitions');
  expect(await readTables(sql)).toEqual(before);
});
