import { spawnSync } from 'node:child_process';
import { mkdir, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createApiClient } from '../helpers/api-client.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { startTestServer } from '../helpers/test-server.js';

/** Mounts a file system of 3 MB; returns undefined if this machine does not allow it. */
async function mountSmallDisk(): Promise<string | undefined> {
  const folder = join(await makeTempFolder(), 'disk');
  await mkdir(folder);
  const options = ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder];
  const { status } = spawnSync('mount', options, { stdio: 'ignore' });
  if (status !== 0) return undefined;
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  return folder;
}

it('the service responds with 503 while the disk is full, and recovers when there is space', async (test) => {
  const disk = await mountSmallDisk();
  if (disk === undefined) return test.skip('This machine does not allow mounting a small tmpfs.');
  const data = join(disk, 'data');
  const server = await startTestServer({ data, env: { MSGSITE_RATE_LIMIT: 'off' } });
  const api = await createApiClient(server.site);
  const account = { username: 'A', email: 'a@x.kz', password: 'long enough' };
  const { token } = (await api('POST', '/api/auth/register', { body: account })).body;
  await api('POST', '/api/chats', { token, body: { type: 'group', name: 'g' } });
  const post = (text: string) =>
    api('POST', '/api/chats/1/messages', {
      token,
      body: { text },
      headers: { 'Idempotency-Key': text.slice(0, 20) },
    });
  await post('before');
  const { bavail, bsize } = await statfs(disk);
  // Leaves two blocks free, so that writes fail halfway, as on real disks.
  const ballast = join(disk, 'ballast');
  await writeFile(ballast, Buffer.alloc((bavail - 2) * bsize));
  const kept = ['before'];
  const refused: string[] = [];
  for (let n = 0; n < 20; n += 1) {
    const text = `${n} `.padEnd(20 + 1500, 'x');
    const { status, body, headers } = await post(text);
    if (status === 201) kept.push(text);
    else {
      expect([status, body.code]).toEqual([503, 'storage_unavailable']);
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
      refused.push(text);
    }
  }
  expect(refused.length).toBeGreaterThan(0);
  const product = await api('POST', '/api/admin/products', { body: { name: 'x'.repeat(200) } });
  expect(product.status).toBe(503);
  const texts = async () =>
    (await api('GET', '/api/chats/1/messages', { token })).body.messages.map(
      (message: { text: string }) => message.text,
    );
  expect(await texts()).toEqual(kept);
  expect((await api('GET', '/api/products')).body.data).toEqual([]);

  await writeFile(ballast, '');
  for (const text of refused) expect((await post(text)).status).toBe(201);
  const again = await api('POST', '/api/auth/register', { body: { ...account, email: 'b@x.kz' } });
  expect(again.status).toBe(201);
  expect(await texts()).toEqual([...kept, ...refused]);
  await server.close();

  const second = await startTestServer({ data, env: { MSGSITE_RATE_LIMIT: 'off' } });
  const after = await createApiClient(second.site);
  const { messages } = (await after('GET', '/api/chats/1/messages', { token })).body;
  expect(messages.map((message: { text: string }) => message.text)).toEqual([...kept, ...refused]);
  await second.close();
});
