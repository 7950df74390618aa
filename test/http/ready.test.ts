import { spawnSync } from 'node:child_process';
import { mkdir, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createApiClient } from '../helpers/api-client.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { startTestServer } from '../helpers/test-server.js';

it('GET /ready returns 503 while the data folder is missing, and 200 after it is restored', async () => {
  const data = join(await makeTempFolder(), 'data');
  const server = await startTestServer({ data });
  onTestFinished(() => server.close());
  const site = await createApiClient(server.site);
  const gateway = await createApiClient(server.gateway);
  expect((await site('GET', '/ready')).status).toBe(200);
  await rename(data, `${data}-elsewhere`);
  await expect.poll(async () => (await site('GET', '/ready')).status).toBe(503);
  const failed = await site('GET', '/ready');
  expect(failed.body).toMatchObject({ ok: false, code: 'storage_unavailable' });
  expect(failed.headers.get('retry-after')).toMatch(/^\d+$/);
  const { body } = await gateway('GET', '/ready');
  expect([body.code, 'ok' in body]).toEqual(['storage_unavailable', false]);
  expect((await site('GET', '/health')).body).toEqual({ ok: true, status: 'ok' });
  await rename(`${data}-elsewhere`, data);
  await expect.poll(async () => (await site('GET', '/ready')).status).toBe(200);
});

it('GET /ready detects a full disk by writing, and leaves no file behind', async (test) => {
  const disk = join(await makeTempFolder(), 'disk');
  await mkdir(disk);
  const mounting = ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk];
  if (spawnSync('mount', mounting, { stdio: 'ignore' }).status !== 0) {
    return test.skip('This machine does not allow mounting a small tmpfs.');
  }
  onTestFinished(() => void spawnSync('umount', ['-l', disk]));
  const data = join(disk, 'data');
  const server = await startTestServer({ data });
  onTestFinished(() => server.close());
  const ask = () => fetch(`${server.gateway}/ready`);
  expect((await ask()).status).toBe(200);
  const names = await readdir(data);
  const { bavail, bsize } = await statfs(disk);
  const ballast = join(disk, 'ballast');
  await writeFile(ballast, Buffer.alloc((bavail - 2) * bsize));
  await expect.poll(async () => (await ask()).status).toBe(503);
  await rm(ballast);
  await expect.poll(async () => (await ask()).status).toBe(200);
  expect((await readdir(data)).filter((name) => !names.includes(name))).toEqual([]);
});

it('GET /ready reports a shutdown to requests that have already been sent in part', async () => {
  const server = await startTestServer();
  const socket = connect(Number(new URL(server.gateway).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes;
  });
  socket.write('GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /ready HTTP/1.1\r\n');
  // By then, the start of the second request has arrived.
  await expect.poll(() => text).toContain('200 OK');
  text = '';
  const closing = server.close();
  socket.write('Host: 127.0.0.1\r\n\r\n');
  await expect.poll(() => text).toContain('shutting_down');
  expect(text).toContain('503 Service Unavailable');
  await closing;
});
