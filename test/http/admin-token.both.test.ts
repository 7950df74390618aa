import { expect, test } from 'vitest';
import { startTestServer } from '../helpers/test-server.js';

const token = 'sixteen letters!';

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
}

/** Starts a server with an admin token. `ask` calls it from any address, because this machine is a trusted proxy. */
async function startGuarded(env: Readonly<Record<string, string>> = {}) {
  const server = await startTestServer({
    env: { MSGSITE_ADMIN_TOKEN: token, MSGSITE_TRUSTED_PROXIES: '127.0.0.1', ...env },
  });
  async function ask(address: string, authorization?: string, body = '{"name":"a"}') {
    const response = await fetch(`${server.site}/api/admin/products`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Forwarded-For': address,
        ...(authorization === undefined ? {} : { Authorization: authorization }),
      },
      body,
    });
    await response.arrayBuffer();
    const answer: Answer = {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
    };
    return answer;
  }
  return { ...server, ask };
}

async function guessTenTimes(ask: (address: string, authorization: string) => Promise<Answer>) {
  for (let count = 0; count < 10; count += 1) {
    expect((await ask('10.1.1.1', `Bearer guess number ${count}`)).status).toBe(401);
  }
}

test('ten wrong admin tokens block an address, even for the right token', async () => {
  const { ask, close } = await startGuarded();
  await guessTenTimes(ask);
  const limited = await ask('10.1.1.1', 'Bearer another guess');
  expect(limited.status).toBe(429);
  expect(Number(limited.retryAfter)).toBeGreaterThan(0);
  expect(await ask('10.1.1.1', `Bearer ${token}`)).toMatchObject({
    status: 429,
    retryAfter: expect.stringMatching(/^\d+$/),
  });
  // Rejected before the body is read.
  expect((await ask('10.1.1.1', `Bearer ${token}`, 'no JSON')).status).toBe(429);
  expect((await ask('10.1.1.2', `Bearer ${token}`)).status).toBe(201);
  await close();
});

test('the addresses of an IPv6 network share one count of wrong admin tokens', async () => {
  const { ask, close } = await startGuarded();
  for (let count = 0; count < 10; count += 1) await ask(`2001:db8::${count}`, 'Bearer wrong');
  expect((await ask('2001:db8::ff', `Bearer ${token}`)).status).toBe(429);
  expect((await ask('2001:db8:0:1::1', `Bearer ${token}`)).status).toBe(201);
  await close();
});

test('requests without an admin token or with the right one are not counted as wrong tokens', async () => {
  const { ask, close } = await startGuarded();
  for (let count = 0; count < 15; count += 1) {
    expect((await ask('10.1.1.1')).status).toBe(401);
    expect((await ask('10.1.1.1', 'Basic dXNlcjpwYXNz')).status).toBe(401);
  }
  const right = Array.from({ length: 30 }, () => ask('10.1.1.1', `Bearer ${token}`));
  expect(new Set((await Promise.all(right)).map(({ status }) => status))).toEqual(new Set([201]));
  await close();
});

test('wrong admin tokens do not block an address if rate limits are off', async () => {
  const { ask, close } = await startGuarded({ MSGSITE_RATE_LIMIT: 'off' });
  await guessTenTimes(ask);
  expect((await ask('10.1.1.1', 'Bearer another guess')).status).toBe(401);
  expect((await ask('10.1.1.1', `Bearer ${token}`)).status).toBe(201);
  await close();
});
