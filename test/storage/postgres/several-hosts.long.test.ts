import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { readDatabaseSchema } from '../../../src/app/database-schema.js';
import { systemClock } from '../../../src/base/clock.js';
import { parseDatabaseAddress } from '../../../src/base/database-address.js';
import { silentLog } from '../../../src/base/log.js';
import { openDatabase } from '../../../src/storage/postgres/database.js';
import { migrate, startError } from '../../../src/storage/postgres/migrations.js';
import { startFaultyProxy } from '../../helpers/faulty-proxy.js';
import { createTestDatabase, openTestDatabase } from '../../helpers/test-database.js';

/** Returns the address of one database with several ports of this machine. */
async function at(ports: readonly (number | undefined)[], parameters = '') {
  const url = await createTestDatabase();
  const { hosts, user, password, path } = parseDatabaseAddress(url);
  const own = hosts[0]?.port;
  const list = ports.map((port) => `127.0.0.1:${port ?? own}`).join(',');
  return { url: `postgres://${user}:${password}@${list}${path}${parameters}`, direct: url };
}

function open(url: string, isPipelined = true) {
  const database = openDatabase({ url, log: silentLog(), clock: systemClock, isPipelined });
  onTestFinished(() => database.close());
  const ask = () => database.run('ask', (sql) => sql<{ one: number }[]>`select 1 as one`);
  return { ...database, ask };
}

/** Starts a server that accepts connections but never responds. */
async function startSilentServer(): Promise<number> {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

const nobody = 1;

it.each([
  ['first', true, [undefined, nobody]],
  ['first', false, [undefined, nobody]],
  ['last', true, [nobody, nobody, undefined]],
  ['last', false, [nobody, nobody, undefined]],
])(
  'a client finds the running server if it is the %s of the list (pipelined: %s)',
  async (_, isPipelined, ports) => {
    const { url } = await at(ports);
    expect(await open(url, isPipelined).ask()).toHaveLength(1);
  },
);

it('a client finds the running server after one that hangs, and prefers it from then on', async () => {
  const { url } = await at([await startSilentServer(), undefined]);
  const database = open(url);
  await expect.poll(() => database.ask().catch(() => [])).toHaveLength(1);
  const all = Array.from({ length: 20 }, () => database.ask());
  expect(await Promise.all(all)).toHaveLength(20);
});

it('a client rejects a read-only server, and reports the error of each host', async () => {
  const { url, direct } = await at([nobody, undefined]);
  const admin = await openTestDatabase({ url: direct });
  const name = parseDatabaseAddress(direct).path.slice(1);
  await admin.run('read only', (sql) =>
    sql.unsafe(`alter database ${name} set default_transaction_read_only = on`),
  );
  await admin.close();
  const reason = await open(url)
    .ask()
    .catch((error) => error);
  expect(reason).toMatchObject({ code: 'storage_unavailable' });
  const error = startError(reason, url);
  expect(error).toMatchObject({ code: 'storage_unavailable' });
  expect(String(error)).toMatch(/127\.0\.0\.1:1: connect ECONNREFUSED.*; .*not read-write/);
  expect(String(error)).not.toContain('test@');
  await expect(migrate(url, await readDatabaseSchema())).rejects.toMatchObject({
    code: 'storage_unavailable',
  });
  // target_session_attrs=any accepts it.
  expect(await open(`${url}?target_session_attrs=any`).ask()).toHaveLength(1);
});

it.each([true, false])(
  'a client replaces a connection whose server reports that it is read-only (pipelined: %s)',
  async (isPipelined) => {
    const database = open(await createTestDatabase(), isPipelined);
    const session = () =>
      database.run('who', (sql) => sql<{ pid: number }[]>`select pg_backend_pid() as pid`);
    const [before] = await session();
    const refused = database.transaction('write', async (sql) => {
      await sql`set transaction read only`;
      await sql`insert into msgsite.revoked_tokens values ('a', now(), 0)`;
    });
    await expect(refused).rejects.toMatchObject({ code: 'storage_unavailable' });
    await expect.poll(async () => (await session())[0]?.pid).not.toBe(before?.pid);
  },
);

it.each([true, false])(
  'a client recovers after all connections were reset (pipelined: %s)',
  async (isPipelined) => {
    const proxy = await startFaultyProxy(await createTestDatabase());
    onTestFinished(() => proxy.close());
    const database = open(`${proxy.url}?target_session_attrs=read-write`, isPipelined);
    await Promise.all(Array.from({ length: 20 }, () => database.ask()));
    proxy.reset();
    for (let writer = 0; writer < 20; writer += 1) {
      await expect.poll(() => database.ask().catch(() => [])).toHaveLength(1);
    }
  },
);

it('a client does not send a wrong password to another host', async () => {
  const { url } = await at([undefined, nobody]);
  const wrong = url.replace(':test@', ':p%40ss@');
  const reported = startError(
    await open(wrong)
      .ask()
      .catch((error) => error),
    wrong,
  );
  expect(reported).toMatchObject({ code: 'configuration' });
  expect(String(reported)).not.toMatch(/p%40ss|p@ss/);
});
