import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { silentLog } from '../../../src/base/log.js';
import { type Database, openDatabase } from '../../../src/storage/postgres/database.js';
import { type FaultyProxy, startFaultyProxy } from '../../helpers/faulty-proxy.js';
import { createTestDatabase } from '../../helpers/test-database.js';

async function openThrough(connections = 10, isPipelined = true) {
  const proxy = await startFaultyProxy(await createTestDatabase());
  onTestFinished(() => proxy.close());
  const database = openDatabase({
    ...{ url: proxy.url, log: silentLog(), clock: systemClock },
    ...{ connections, isPipelined },
  });
  onTestFinished(() => database.close());
  return { proxy, database };
}

/** Runs every kind of statement repeatedly, and checks that each result belongs to its statement. */
function keepBusy(database: Database): () => Promise<{ readonly completed: number }> {
  let isOver = false;
  let completed = 0;
  let next = 0;
  const checked = async (work: (n: number) => Promise<unknown>) => {
    next += 1;
    const n = next;
    try {
      expect(await work(n)).toEqual(n);
      completed += 1;
    } catch (error) {
      expect(error).toMatchObject({ code: 'storage_unavailable' });
    }
  };
  const single = (n: number) =>
    database.run('one', (sql) => sql<{ n: number }[]>`select ${n}::int as n`).then(([r]) => r?.n);
  const several = (n: number) =>
    database.transaction('several', async (sql) => {
      await sql`insert into msgsite.revoked_tokens values (${`t${n}`}, now(), 0)`;
      await delay(1);
      const [row] = await sql<{ id: number }[]>`
        select count(*)::int as id from msgsite.revoked_tokens where jti = ${`t${n}`}`;
      return row?.id === 1 ? n : 0;
    });
  const large = (n: number) =>
    database
      .run(
        'large',
        (sql) => sql<{ n: number; text: string }[]>`
        select ${n}::int as n, ${'x'.repeat(100_000)}::text as text`,
      )
      .then(([row]) => (row?.text.length === 100_000 ? row.n : 0));
  const worker = async (work: (n: number) => Promise<unknown>) => {
    while (!isOver) {
      await checked(work);
      await delay(1);
    }
  };
  const workers = [single, several, large, single, several, large].flatMap((work) =>
    Array.from({ length: 5 }, () => worker(work)),
  );
  return async () => {
    isOver = true;
    await Promise.all(workers);
    return { completed };
  };
}

const ask = (database: Database) => () =>
  database.run('ask', (sql) => sql`select 1 as one`).catch(() => []);

const faults: Readonly<Record<string, (proxy: FaultyProxy, round: number) => void>> = {
  'reset at any time': (proxy) => proxy.reset(),
  'closed by the other side': (proxy) => proxy.halfClose(),
  'interrupted in the middle of messages': (proxy) => proxy.breakMessages(),
  'closed immediately in every second round': (proxy, round) => {
    proxy.become(round % 2 === 0 ? 'closing' : 'open');
    proxy.reset();
  },
  'slow and reset': (proxy, round) => {
    proxy.become(round % 3 === 0 ? 'slow' : 'open');
    proxy.reset();
  },
};

const faultsOfBoth = Object.entries(faults).flatMap(([name, fault]) =>
  ['on', 'off'].map((pipeline) => [name, pipeline, fault] as const),
);

it.each(faultsOfBoth)(
  'the database client returns correct results and recovers all connections that are %s (pipelining %s)',
  async (_, pipeline, fault) => {
    const { proxy, database } = await openThrough(10, pipeline === 'on');
    const settle = keepBusy(database);
    for (let round = 0; round < 40; round += 1) {
      fault(proxy, round);
      await delay(25);
    }
    proxy.become('open');
    await expect.poll(ask(database)).toHaveLength(1);
    expect((await settle()).completed).toBeGreaterThan(0);
    // No connection is lost permanently, so ten transactions run concurrently.
    const held = Array.from({ length: 10 }, () =>
      database.transaction('hold', async (sql) => {
        const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid, pg_sleep(0.2)`;
        return row?.pid;
      }),
    );
    expect(new Set(await Promise.all(held)).size).toBe(10);
  },
);

it.each(['hanging', 'one-way'] as const)(
  'statements fail while the network is %s, and new connections work once it recovers',
  async (way) => {
    const { proxy, database } = await openThrough(2);
    await expect.poll(ask(database)).toHaveLength(1);
    proxy.become(way);
    const [first, second, third] = await Promise.allSettled([
      database.run('one', (sql) => sql`select 1`),
      database.transaction('two', async (sql) => sql`select 2`),
      database.run('three', (sql) => sql`select 3`),
    ]);
    for (const outcome of [first, second, third]) {
      expect(outcome).toMatchObject({ reason: { code: 'storage_unavailable' } });
    }
    // The old connections still hang, so only new ones work.
    proxy.become('open');
    await expect.poll(ask(database)).toHaveLength(1);
  },
);

it('a slow statement is not cancelled even if the server sends nothing in the meantime', async () => {
  const { database } = await openThrough();
  const slow = database.run('sleep', (sql) => sql`select pg_sleep(4.5)::text as slept`);
  expect(await slow).toHaveLength(1);
});

it.each([true, false])(
  'a value that cannot be encoded fails only its statement, and other results are correct (pipelined: %s)',
  async (isPipelined) => {
    const { database } = await openThrough(1, isPipelined);
    const numbers = Array.from({ length: 20 }, (_, n) => n);
    const outcomes = await Promise.allSettled(
      numbers.map((n) =>
        database.run('echo', (sql) =>
          n % 3 === 0
            ? sql`select ${new Date(Number.NaN)}::timestamptz as n`
            : sql`select ${n}::int as n`,
        ),
      ),
    );
    for (const [n, outcome] of outcomes.entries()) {
      if (n % 3 === 0) expect(outcome.status).toBe('rejected');
      else expect(outcome).toMatchObject({ value: [{ n }] });
    }
  },
);

it.each([true, false])(
  'transactions start while hundreds of statements are queued on a connection (pipelined: %s)',
  async (isPipelined) => {
    const { database } = await openThrough(1, isPipelined);
    const work = Array.from({ length: 500 }, (_, n) =>
      n % 7 === 0
        ? database.transaction(
            'begin',
            async (sql) => (await sql<{ n: number }[]>`select ${n}::int as n`)[0]?.n,
          )
        : database.run(
            'one',
            async (sql) => (await sql<{ n: number }[]>`select ${n}::int as n`)[0]?.n,
          ),
    );
    expect(await Promise.all(work)).toEqual(work.map((_, n) => n));
  },
);
