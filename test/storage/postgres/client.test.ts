import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../../src/storage/postgres/connect.js';
import type { Sql } from '../../../src/storage/postgres/sql.js';
import { createTestDatabase } from '../../helpers/test-database.js';

async function open(options: Partial<Parameters<typeof connect>[0]> = {}) {
  const url = options.url ?? (await createTestDatabase());
  const usual = { connections: 1, statementTimeout: 5_000, applicationName: 'test' };
  const sql = connect({ ...usual, ...options, url });
  onTestFinished(() => sql.end(1_000));
  return sql;
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => ({ n: n + 1 }));

describe.each([true, false])('a client with pipelining: %s', (isPipelined) => {
  it('returns the correct rows for a statement after one that failed while it returned rows', async () => {
    const sql = await open({ isPipelined });
    for (let round = 0; round < 3; round += 1) {
      const failing = sql`select i, 1 / (4 - i) from generate_series(1, 8) as i`;
      const next = sql`select i as n from generate_series(1, 5) as i`;
      const [failed, rows] = await Promise.allSettled([failing, next]);
      expect(failed).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
      expect(rows).toEqual({ status: 'fulfilled', value: numbers(5) });
    }
  });

  it('returns the correct rows for a statement after one that timed out while it returned rows', async () => {
    const sql = await open({ isPipelined, statementTimeout: 100 });
    const late = sql`
      select repeat('x', 10000), case when i > 500 then pg_sleep(1) end
      from generate_series(1, 1000) as i`;
    const next = sql`select i as n from generate_series(1, 5) as i`;
    const [failed, rows] = await Promise.allSettled([late, next]);
    expect(failed).toMatchObject({ status: 'rejected', reason: { code: '57014' } });
    expect(rows).toEqual({ status: 'fulfilled', value: numbers(5) });
  });

  it('returns the result of every statement in order while the socket is full', async () => {
    const sql = await open({ isPipelined });
    const long = 'x'.repeat(1_000_000);
    const statements = numbers(50).map(
      ({ n }) => sql<{ n: number; text: string }[]>`select ${n}::int as n, ${long}::text as text`,
    );
    const results = await Promise.all(statements);
    expect(results.map(([row]) => [row?.n, row?.text.length])).toEqual(
      numbers(50).map(({ n }) => [n, long.length]),
    );
  });

  it('rejects a transaction whose failed statement was ignored', async () => {
    const sql = await open({ isPipelined });
    const ignoring = sql.begin(async (inside) => {
      await inside`insert into msgsite.revoked_tokens values ('a', now(), 0)`;
      await inside`select 1 / 0`.catch(() => []);
    });
    await expect(ignoring).rejects.toMatchObject({ code: '22012' });
    expect(await sql`select from msgsite.revoked_tokens`).toHaveLength(0);
  });

  it('reserves a connection for each transaction', async () => {
    const sql = await open({ isPipelined, connections: 2 });
    const hold = async (inside: Sql) => {
      const [row] = await inside<{ pid: number }[]>`select pg_backend_pid() as pid, pg_sleep(0.1)`;
      return row?.pid;
    };
    const held = await Promise.all([sql.begin(hold), sql.begin(hold), hold(sql)]);
    expect(held[0]).not.toBe(held[1]);
    expect(held.slice(0, 2)).toContain(held[2]);
  });
});

it('a client reads and writes every type that the tables use', async () => {
  const sql = await open();
  const [row] = await sql`
    select ${2 ** 40}::bigint as big_number, ${1.5}::float8 as price, ${true}::boolean as is_true,
      ${null}::text as nothing, ${undefined}::text as nothing_either,
      ${new Date(1.5e12)}::timestamptz as at, ${['a"\\', 'b,}', '']}::text[] = array['a"\\', 'b,}', ''] as are_equal,
      ${[1, 2]}::bigint[] = array[1, 2]::bigint[] as are_numbers`;
  expect(row).toEqual({
    bigNumber: 2 ** 40,
    price: 1.5,
    isTrue: true,
    nothing: null,
    nothingEither: null,
    at: '2017-07-14T02:40:00.000Z',
    areEqual: true,
    areNumbers: true,
  });
});

it('a client prepares a statement once, and sends its text again after a migration', async () => {
  const sql = await open();
  await sql.unsafe('create table changing (a int); insert into changing values (1)');
  const read = () => sql`select * from changing`;
  expect(await read()).toEqual([{ a: 1 }]);
  await sql.unsafe('alter table changing add b int default 2');
  expect(await read()).toEqual([{ a: 1, b: 2 }]);
  const [kept] = await sql<{ count: number }[]>`
    select count(*) as count from pg_prepared_statements where statement like '%changing'`;
  expect(kept?.count).toBeGreaterThan(0);
});
