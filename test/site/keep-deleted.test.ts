import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { createApiClient } from '../helpers/api-client.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { startTestServer } from '../helpers/test-server.js';

const day = 86_400_000;

test('a deleted product is kept for MSGSITE_KEEP_DELETED and is removed from the file at the next startup', async () => {
  let later = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + later };
  const data = join(await makeTempFolder(), 'data');
  const options = { data, clock, only: 'site', env: { MSGSITE_KEEP_DELETED: '3d' } } as const;
  const server = await startTestServer(options);
  const api = await createApiClient(server.site);
  const { id } = (await api('POST', '/api/admin/products', { body: { name: 'a' } })).body.data;
  const restore = async () => (await api('POST', `/api/admin/products/${id}/restore`)).status;
  await api('DELETE', `/api/admin/products/${id}`);
  later += 3 * day - 60_000;
  expect(await restore()).toBe(200);
  await api('DELETE', `/api/admin/products/${id}`);
  later += 3 * day;
  expect(await restore()).toBe(404);
  await server.close();
  const content = () => readFile(join(data, 'site.jsonl'), 'utf8');
  expect(await content()).toContain('deleted-product');
  const again = await startTestServer(options);
  await expect.poll(content).not.toContain('deleted-product');
  await again.close();
});
