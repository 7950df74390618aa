import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { silentLog } from '../../../src/base/log.js';
import {
  followDatabaseClock,
  openDatabase,
  probeDatabase,
} from '../../../src/storage/postgres/database.js';
import { isDatabaseAway } from '../../../src/storage/postgres/database-errors.js';
import { fromStorable, json, toStorable } from '../../../src/storage/postgres/sql.js';
import { startFaultyProxy } from '../../helpers/faulty-proxy.js';
import { startPostgres } from '../../helpers/postgres-server.js';
import { createEmptyDatabase, useTestDatabase } from '../../helpers/test-database.js';

it('the database preserves every character that JSON allows, even U+0000', async () => {
  const database = await useTestDatabase();
  const texts = ['', 'plain', 'a\0b\0', '\uf8f0', '\uf8f00', '\0\uf8f0\0', 'Алия 😀'];
  for (const text of texts) {
    const rows = database.run('echo', (sql) => sql`select ${text}::text as echo`);
    expect(await rows).toMatchObject([{ echo: text }]);
    expect(fromStorable(toStorable(text))).toBe(text);
  }
  const list = database.run('echo', (sql) => sql`select unnest(${texts}::text[]) as echo`);
  expect(await list).toMatchObject(texts.map((echo) => ({ echo })));
});

it('the database preserves every digit of an integer in JSON', async () => {
  const database = await useTestDatabase();
  const value = { id: 12345678901234567890n, deep: [-(2n ** 80n), '12345678901234567890', 1.5] };
  const rows = database.run(
    'echo',
    (sql) => sql`select ${json(value)}::json as echo, ${json(value)}::text as text`,
  );
  const text =
    '{"id":12345678901234567890,"deep":[-1208925819614629174706176,"12345678901234567890",1.5]}';
  expect(await rows).toEqual([{ echo: value, text }]);
});

it('the database returns 64-bit integers as numbers', async () => {
  const database = await useTestDatabase();
  const rows = database.run('number', (sql) => sql`select ${2 ** 40}::bigint as n`);
  expect(await rows).toMatchObject([{ n: 2 ** 40 }]);
});

it('a slow statement is cancelled with storage_unavailable', async () => {
  const database = await useTestDatabase({ statementTimeout: 50 });
  const slow = database.run('sleep', (sql) => sql`select pg_sleep(10)`);
  await expect(slow).rejects.toMatchObject({ code: 'storage_unavailable' });
});

it('an empty database at the address is rejected with storage_unavailable', async () => {
  const database = await useTestDatabase();
  await probeDatabase(database);
  const empty = await useTestDatabase({ url: await createEmptyDatabase() });
  await expect(probeDatabase(empty)).rejects.toMatchObject({ code: 'storage_unavailable' });
  const read = empty.run('read', (sql) => sql`select 1 from msgsite.users`);
  await expect(read).rejects.toMatchObject({ code: 'storage_unavailable' });
});

it('a role without the required privileges is rejected with a hint that names them', async () => {
  const owner = await useTestDatabase();
  const role = `weak_${randomBytes(8).toString('hex')}`;
  const asOwner = (statements: string) => owner.run('role', (sql) => sql.unsafe(statements));
  const inSchema = 'on all tables in schema msgsite';
  await asOwner(`create role ${role} login password 'secret';
    grant usage on schema msgsite to ${role}; grant select, insert, update, delete ${inSchema} to ${role};
    revoke insert on msgsite.migrations from ${role}`);
  onTestFinished(async () => void (await asOwner(`drop owned by ${role}; drop role ${role}`)));
  const address = new URL(owner.url);
  address.username = role;
  address.password = 'secret';
  const database = await useTestDatabase({ url: address.href });
  const revoke = (name: string) =>
    database.run(
      'revoke',
      (sql) => sql`insert into msgsite.revoked_tokens values (${name}, now(), 0)`,
    );
  await Promise.all([probeDatabase(database), revoke('a')]);
  await asOwner(`revoke insert ${inSchema} from ${role}`);
  const refused = { code: 'storage_unavailable' };
  await expect(probeDatabase(database)).rejects.toMatchObject(refused);
  const hint = expect.stringMatching(/privileges .* schema msgsite: .*revoked_tokens/);
  await expect(revoke('b')).rejects.toMatchObject({ ...refused, hint });
  await asOwner(`grant insert ${inSchema} to ${role}`);
  await Promise.all([probeDatabase(database), revoke('b')]);
});

it('a transaction that the database ended for idling fails with storage_unavailable', async () => {
  const database = await useTestDatabase();
  const resting = database.transaction('rest', async (sql) => {
    await sql`set local idle_in_transaction_session_timeout = '1ms'`;
    await delay(50);
    await sql`select 1`;
  });
  await expect(resting).rejects.toMatchObject({ code: 'storage_unavailable' });
});

it('a transaction whose work fails is rolled back', async () => {
  const database = await useTestDatabase();
  const failing = database.transaction('fail', async (sql) => {
    await sql`insert into msgsite.revoked_tokens values ('a', now(), 0)`;
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  const rows = await database.run('count', (sql) => sql`select 1 from msgsite.revoked_tokens`);
  expect(rows).toHaveLength(0);
});

it('a connection lost in the middle of a result does not affect the process or later results', async () => {
  const database = await useTestDatabase({ connections: 2 });
  for (let round = 0; round < 3; round += 1) {
    const lost = database.transaction('lose the connection', async (sql) => {
      await sql`select 1`;
      // Returns a row, and then the connection ends.
      await sql`select pg_terminate_backend(pg_backend_pid())`;
      return sql`insert into msgsite.revoked_tokens values ('a', now(), 0)`;
    });
    await expect(lost).rejects.toMatchObject({ code: 'storage_unavailable' });
    for (let n = 0; n < 4; n += 1) {
      const rows = await database.run('echo', (sql) => sql`select ${n}::int as n`);
      expect([...rows]).toEqual([{ n }]);
    }
  }
  const rows = await database.run('count', (sql) => sql`select 1 from msgsite.revoked_tokens`);
  expect(rows).toHaveLength(0);
});

it('connections cut at any time do not affect the process, and later ones work', async () => {
  const whole = await useTestDatabase();
  const proxy = await startFaultyProxy(whole.url);
  onTestFinished(() => proxy.close());
  const database = openDatabase({ url: proxy.url, log: silentLog(), clock: systemClock });
  onTestFinished(() => database.close());
  let working = true;
  const work = async () => {
    while (working) {
      const transaction = database.transaction('several statements', async (sql) => {
        await sql`select 1`;
        await delay(1);
        await sql`select 2`;
        await sql`select 3`;
      });
      await transaction.catch((error) =>
        expect(error).toMatchObject({ code: 'storage_unavailable' }),
      );
    }
  };
  const workers = Promise.all(Array.from({ length: 8 }, work));
  for (let cut = 0; cut < 40; cut += 1) {
    await delay(20);
    proxy.reset();
  }
  working = false;
  await workers;
  const ask = () => database.run('ask', (sql) => sql`select 1 as one`).catch(() => []);
  await expect.poll(ask).toHaveLength(1);
});

it('slow statements are logged by name', async () => {
  const warnings: unknown[] = [];
  const log = Object.assign(silentLog(), { warn: (facts: unknown) => warnings.push(facts) });
  const database = await useTestDatabase({ log, slow: 20 });
  await database.run('quick', (sql) => sql`select 1`);
  await database.run('snail', (sql) => sql`select pg_sleep(0.05)`);
  expect(warnings).toContainEqual(expect.objectContaining({ query: 'snail' }));
});

it('notifications reach other processes and not the sender', async () => {
  const here = await useTestDatabase();
  const there = await useTestDatabase({ url: here.url });
  const own: string[] = [];
  here.notifications.on('topic', (detail) => own.push(detail));
  const received = new Promise<string>((resolve) => there.notifications.on('topic', resolve));
  const sent = new AbortController();
  onTestFinished(() => sent.abort());
  void (async () => {
    // Listening starts shortly after the request.
    for (; !sent.signal.aborted; await systemClock.sleep(50, sent.signal)) {
      here.notifications.send('topic', 'word and more');
      here.notifications.send('other', 'word');
    }
  })();
  expect(await received).toBe('word and more');
  expect(own).toEqual([]);
});

it("the clock follows the database if the machine's clock is wrong", async () => {
  const database = await useTestDatabase();
  const wrong = { ...systemClock, now: () => Date.now() - 3_600_000 };
  const clock = await followDatabaseClock(database, wrong);
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(30_000);
  await clock.close();
});

it('statements fail with 503 while the database is unavailable, and work again afterwards', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.remove());
  const url = await createEmptyDatabase(server.url);
  const database = openDatabase({ url, log: silentLog(), clock: systemClock });
  onTestFinished(() => database.close());
  const ask = () => database.run('ask', (sql) => sql`select 1 as one`);
  expect(await ask()).toHaveLength(1);
  await server.stop();
  for (let round = 0; round < 3; round += 1) {
    const asked = await Promise.allSettled([ask(), ask(), ask()]);
    for (const outcome of asked) {
      expect(outcome).toMatchObject({ reason: { code: 'storage_unavailable' } });
    }
  }
  await server.start();
  for (;;) {
    const [outcome] = await Promise.allSettled([ask()]);
    if (outcome?.status === 'fulfilled') break;
    expect(outcome?.reason).toMatchObject({ code: 'storage_unavailable' });
  }
});

it.each([
  ['ECONNREFUSED', true],
  ['57P01', true],
  ['57014', true],
  ['53300', true],
  ['55000', true],
  ['40P01', true],
  ['23505', false],
  ['42703', false],
  ['22021', false],
])('the error code %s means an unavailable database: %s', (code, expected) => {
  expect(isDatabaseAway(Object.assign(new Error('x'), { code }))).toBe(expected);
  expect(isDatabaseAway(new AggregateError([Object.assign(new Error('x'), { code })]))).toBe(
    expected,
  );
});
