import { expect, it, onTestFinished } from 'vitest';
import { countPostgresDeliveries } from '../../../src/events/store-postgres/open.js';
import { startFaultyProxy } from '../../helpers/faulty-proxy.js';
import { readMetrics } from '../../helpers/read-metrics.js';
import { createTestDatabase, useTestDatabase } from '../../helpers/test-database.js';
import { startTestServer } from '../../helpers/test-server.js';
import { createGatewayClient } from '../../payments/gateway-client.js';

it('all processes report the same numbers of stored payments and sessions', async () => {
  const env = { MSGSITE_DATABASE: await createTestDatabase(), MSGSITE_METRICS_PORT: '0' };
  const secrets = {
    MSGSITE_GATEWAY_KEY: 'ab'.repeat(32),
    MSGSITE_JWT_SECRET: 'j'.repeat(32),
  };
  const first = await startTestServer({ only: 'gateway', env: { ...env, ...secrets } });
  onTestFinished(() => first.close());
  const second = await startTestServer({ only: 'site', env: { ...env, ...secrets } });
  onTestFinished(() => second.close());
  const gateway = await createGatewayClient(first.gateway);
  const { headers } = await gateway.signIn();
  await gateway.post('/api/invoice/create', { phoneNumber: '77017654321', amount: 800 }, headers);
  for (const { metrics } of [first, second]) {
    await expect
      .poll(async () => {
        const { value } = await readMetrics(metrics);
        return [value('payments', { state: 'open' }), value('sessions')];
      })
      .toEqual([1, 1]);
  }
});

it('a process reports the last known counts and a storage error while the database hangs', async () => {
  const proxy = await startFaultyProxy(await createTestDatabase());
  onTestFinished(() => proxy.close());
  const env = { MSGSITE_DATABASE: proxy.url, MSGSITE_METRICS_PORT: '0' };
  const server = await startTestServer({ env });
  onTestFinished(() => server.close());
  const gateway = await createGatewayClient(server.gateway);
  await gateway.signIn();
  const readValues = async () => {
    const { value } = await readMetrics(server.metrics);
    return [value('sessions'), (value('storage_errors_total') ?? 0) > 0];
  };
  await expect.poll(readValues).toEqual([1, false]);
  proxy.become('hanging');
  await expect.poll(readValues).toEqual([1, true]);
  proxy.become('open');
});

it('the database updates the delivery counts when any statement adds, changes or removes deliveries', async () => {
  const database = await useTestDatabase();
  const run = (text: string) => database.run('test', (sql) => sql.unsafe(text));
  const states = async () => (await countPostgresDeliveries(database)).states;
  await run(`
    insert into msgsite.deliveries (id, state, payment, lane, listed_at, record)
    select n::text, case when n % 3 = 0 then 'dropped' else 'pending' end, '', '', now(), '{}'
    from generate_series(1, 30) n`);
  expect(await states()).toEqual({ pending: 20, delivered: 0, dropped: 10 });
  await run(`update msgsite.deliveries set state = 'delivered' where id in ('1', '2', '3')`);
  await run(`update msgsite.deliveries set record = '{"a": 1}'`);
  expect(await states()).toEqual({ pending: 18, delivered: 3, dropped: 9 });
  const removal = database.transaction('test', async (sql) => {
    await sql`delete from msgsite.deliveries where state = 'dropped'`;
    throw new Error('Rolled back.');
  });
  await expect(removal).rejects.toThrow('Rolled back');
  expect(await states()).toEqual({ pending: 18, delivered: 3, dropped: 9 });
  await run(`delete from msgsite.deliveries where state = 'dropped'`);
  await run(`insert into msgsite.deliveries (id, state, payment, lane, listed_at, record)
    values ('1', 'pending', '', '', now(), '{}') on conflict (id) do nothing`);
  expect(await states()).toEqual({ pending: 18, delivered: 3, dropped: 0 });
  await run('truncate msgsite.deliveries');
  expect(await states()).toEqual({ pending: 0, delivered: 0, dropped: 0 });
});
