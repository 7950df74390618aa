import { expect, it, onTestFinished } from 'vitest';
import { createApiClient } from '../../helpers/api-client.js';
import { startFaultyProxy } from '../../helpers/faulty-proxy.js';
import { createTestDatabase } from '../../helpers/test-database.js';
import { startTestServer } from '../../helpers/test-server.js';

it('GET /ready returns 503 while the database hangs, and 200 when it responds again', async () => {
  const proxy = await startFaultyProxy(await createTestDatabase());
  onTestFinished(() => proxy.close());
  const server = await startTestServer({ env: { MSGSITE_DATABASE: proxy.url } });
  onTestFinished(() => server.close());
  const site = await createApiClient(server.site);
  const codes = async () => [
    (await site('GET', '/ready')).body.code ?? 'ready',
    (await site('GET', '/health')).status,
  ];
  expect(await codes()).toEqual(['ready', 200]);
  proxy.become('hanging');
  await expect.poll(codes).toEqual(['storage_unavailable', 200]);
  proxy.become('open');
  await expect.poll(codes).toEqual(['ready', 200]);
});
