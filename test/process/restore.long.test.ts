import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startMsgsite, startServe } from '../helpers/msgsite-process.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

const writers = 6;

async function call(url: string, path: string, token = '', body?: unknown) {
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

async function serve(data: string) {
  const env = { MSGSITE_RATE_LIMIT: 'off', MSGSITE_LOG_LEVEL: 'error' };
  const serving = await startServe(['--demo', '--only', 'site', '--data', data], { env });
  onTestFinished(() => void serving.child.kill('SIGKILL'));
  return serving;
}

it('a copy of a killed server’s data folder passes the check and contains all acknowledged writes', async () => {
  const folder = await makeTempFolder();
  const data = join(folder, 'data');
  const first = await serve(data);
  const account = { username: 'w', email: 'w@x.kz', password: 'long enough' };
  const { token } = (await call(first.site, '/api/auth/register', '', account)).body;
  const group = { type: 'group', name: 'Ovens' };
  const chat = (await call(first.site, '/api/chats', token, group)).body.chat.id;
  const path = `/api/chats/${chat}/messages`;
  const acknowledged: { id: number; text: string }[] = [];

  async function write(writer: number): Promise<void> {
    for (let n = 0; ; n += 1) {
      const text = `${writer}.${n} ${'ж'.repeat(1900)}`;
      const { status, body } = await call(first.site, path, token, { text });
      expect(status).toBe(201);
      acknowledged.push({ id: body.message.id, text });
    }
  }

  const working = Array.from({ length: writers }, (_, writer) => write(writer));
  const ended = Promise.allSettled(working);
  // After enough messages, the journal is moved to the chat log (at 8 MiB), and further messages follow.
  await expect.poll(() => acknowledged.length, { timeout: 50_000 }).toBeGreaterThan(1000);
  const products = (await call(first.site, '/api/products')).body;
  await first.end('SIGKILL');
  await ended;

  const copy = join(folder, 'backup');
  await cp(data, copy, { recursive: true, preserveTimestamps: true });
  const check = startMsgsite(['data', 'check', '--data', copy, '--json']);
  const exitCode = await check.exit();
  expect([exitCode, check.stdout()]).toEqual([0, expect.stringMatching(/"ok": ?true/)]);

  const second = await serve(copy);
  expect((await call(second.site, '/api/products')).body).toEqual(products);
  const stored = new Map<number, string>();
  for (let last = 0, more = true; more; ) {
    const { body } = await call(second.site, `${path}?after=${last}`, token);
    for (const { id, text } of body.messages) {
      stored.set(id, text);
      last = id;
    }
    more = body.hasMore;
  }
  for (const { id, text } of acknowledged) expect(stored.get(id)).toBe(text);
  // Messages whose requests were in progress during the kill may have been stored without a response.
  expect(stored.size).toBeLessThanOrEqual(acknowledged.length + writers);
  const { status, body } = await call(second.site, path, token, { text: 'after the restore' });
  expect([status, stored.has(body.message.id)]).toEqual([201, false]);
  expect(await second.end('SIGTERM')).toBe(0);
});
