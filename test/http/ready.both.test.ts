import { expect, it, onTestFinished } from 'vitest';
import { createApiClient } from '../helpers/api-client.js';
import { startTestServer } from '../helpers/test-server.js';

it('GET /ready reports readiness on both listeners, without a rate limit', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  const site = await createApiClient(server.site);
  const gateway = await createApiClient(server.gateway);
  expect(await site('GET', '/ready')).toMatchObject({
    status: 200,
    body: { ok: true, status: 'ready' },
  });
  expect((await gateway('GET', '/ready')).body).toEqual({ status: 'ready' });
  const many = await Promise.all(Array.from({ length: 300 }, () => fetch(`${server.site}/ready`)));
  expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]));
});
