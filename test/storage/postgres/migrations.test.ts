import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { readDatabaseSchema } from '../../../src/app/database-schema.js';
import { describeDatabaseAddress } from '../../../src/base/database-address.js';
import { connect } from '../../../src/storage/postgres/connect.js';
import {
  assertStructure,
  checksumOf,
  migrate,
  missingMigrations,
} from '../../../src/storage/postgres/migrations.js';
import { runCli } from '../../helpers/run-cli.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';
import { createEmptyDatabase, useTestDatabase } from '../../helpers/test-database.js';

const schema = await readDatabaseSchema();
/** A step that a later version might add. */
const next = {
  number: 99,
  name: '0099-next',
  sql: 'create table msgsite.next (id integer)',
};

/** Returns an empty database, and a connection to it. */
async function useEmptyDatabase() {
  const url = await createEmptyDatabase();
  const sql = connect({ url, connections: 1, statementTimeout: 0, applicationName: 'test' });
  onTestFinished(() => sql.end(1_000));
  return { url, sql };
}

it('migrations are numbered without gaps, starting with the baseline', () => {
  expect(schema.map(({ number }) => number)).toEqual(schema.map((_, index) => index + 1));
  expect(schema[0]?.name).toBe('0001-baseline');
});

it('the baseline is unchanged, because every database stores its checksum', () => {
  expect(checksumOf(schema[0]?.sql ?? '')).toBe(
    '84c86d4239aec2fe4e5a4f2d317463074dd0a018b66a1b292103bf5a3ef34c8d',
  );
});

it('every migration is applied once, even if several processes start simultaneously', async () => {
  const url = await createEmptyDatabase();
  const reports = await Promise.all([1, 2, 3].map(() => migrate(url, schema)));
  const applied = reports.flatMap((report) => report.applied);
  expect(applied).toEqual(schema.map(({ name }) => name));
  expect(await migrate(url, schema)).toEqual({ applied: [], version: applied.length });
});

it('a later version adds its steps, and rejects a database without them', async () => {
  const database = await useTestDatabase();
  const later = [...schema, next];
  await expect(assertStructure(database, later)).rejects.toThrow('It lacks 0099-next');
  expect(await migrate(database.url, later)).toEqual({
    applied: ['0099-next'],
    version: next.number,
  });
  await assertStructure(database, later);
  expect(await migrate(database.url, later)).toMatchObject({ applied: [] });
});

it('a database that a newer version has changed is rejected', async () => {
  const { url } = await useTestDatabase();
  await migrate(url, [...schema, next]);
  await expect(migrate(url, schema)).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining('0099-next'),
  });
});

it('migrations that were edited after they were applied are rejected', () => {
  const step = { number: 1, name: '0001-a', sql: 'select 1' };
  const done = { number: 1, name: '0001-a', checksum: checksumOf(step.sql) };
  expect(missingMigrations([step, next], [done])).toEqual([next]);
  expect(() => missingMigrations([{ ...step, sql: 'select 3' }], [done])).toThrow('0001-a');
});

it('a failing migration leaves nothing behind', async () => {
  const { url, sql } = await useEmptyDatabase();
  const broken = { ...next, sql: `${next.sql}; select 1 / 0` };
  await expect(migrate(url, [...schema, broken])).rejects.toThrow('division by zero');
  expect(await sql`select 1 from pg_namespace where nspname = 'msgsite'`).toHaveLength(0);
});

const migrationsTable = `
  create table msgsite.migrations (
    number integer primary key, name text not null, checksum text not null,
    applied_at timestamptz not null default now());`;

it.each([
  ['without a table of migrations', 'create table msgsite.users (id integer);'],
  ['with an empty table of migrations', migrationsTable],
  [
    'with the steps of an unreleased version',
    `${migrationsTable}
    insert into msgsite.migrations values (1, '0001-site', 'a'), (24, '0024-state', 'b');`,
  ],
])('every command rejects a schema msgsite %s', async (_, content) => {
  const { url, sql } = await useEmptyDatabase();
  await sql.unsafe(`create schema msgsite; ${content}`);
  const cwd = await makeTempFolder();
  const commands = [
    'serve --port 0',
    'data migrate',
    'data export',
    'pay payments',
    'webhooks list',
  ];
  for (const words of commands) {
    const argv = [...words.split(' '), '--database', url];
    const { exitCode, stdout, stderr } = await runCli(argv, { cwd, env: { HOME: cwd } });
    expect({ words, exitCode, stdout }).toEqual({ words, exitCode: 2, stdout: '' });
    expect(stderr).toContain('created by an unreleased version of msgsite');
    expect(stderr).toContain('Use another database');
  }
});

it('data migrate prepares a database and reports the applied steps', async () => {
  const url = await createEmptyDatabase();
  const first = await runCli(['data', 'migrate', '--database', url]);
  expect(first).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('0001-baseline') });
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

it('missing privileges, unknown settings and fixed settings are reported as configuration errors', async () => {
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
    stderr: expect.stringMatching(/permission.*Grant the role .* the privileges/s),
  });
  const misspelt = `${database.url}?no_such_setting=secret`;
  const unknown = await runCli(['data', 'migrate', '--database', misspelt]);
  expect(unknown).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('no_such_setting'),
  });
  expect(refused.stderr + unknown.stderr).not.toContain('secret');
  const fixed = await runCli(['data', 'migrate', '--database', `${database.url}?ssl=true`]);
  expect(fixed).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('"ssl"') });
});

it.each(['pay payments', 'webhooks list'])(
  '%s does not change the structure of a database, and explains what to do',
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
    expect((await migrate(none, schema)).applied).toHaveLength(schema.length);
    await migrate(database.url, [...schema, next]);
    const newer = await run(database.url);
    expect(newer.exitCode).toBe(2);
    expect(newer.stderr).toContain('0099-next');
  },
);

it('pay rejects a gateway key that differs from that of the other processes', async () => {
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
  expect(refused.stderr).toContain('MSGSITE_GATEWAY_KEY differs from the one');
});
