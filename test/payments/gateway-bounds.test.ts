import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { startTestServer } from '../helpers/test-server.js';
import { createGatewayClient } from './gateway-client.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Starts a gateway whose provider handles every call with `answer`. */
async function withProvider(answer: (response: ServerResponse) => void) {
  const upstream = createServer((request, response) => {
    request.resume();
    answer(response);
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    upstream.closeAllConnections();
    await new Promise((resolve) => upstream.close(resolve));
  });
  const { port } = upstream.address() as AddressInfo;
  return start({ MSGSITE_PROVIDER: `http://127.0.0.1:${port}` });
}

async function start(env: Readonly<Record<string, string>> = {}) {
  const server = await startTestServer({ only: 'gateway', env });
  closers.push(server.close);
  return { ...(await createGatewayClient(server.gateway)), url: server.gateway };
}

const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;

/** Writes endlessly, as fast as the client reads. */
function endless(response: ServerResponse): void {
  const more = () => {
    while (response.write('x'.repeat(65_536)));
  };
  response.write('{"text":"');
  response.on('drain', more);
  more();
}

it.each<[string, (response: ServerResponse) => void]>([
  ['with 5,000 levels', (response) => response.end(`{"processId":"p","body":${deep}}`)],
  [
    'with an error of 5,000 levels',
    (response) => {
      response.statusCode = 409;
      response.end(`{"kind":"failure","message":"No.","answer":{"StatusCode":-1,"a":${deep}}}`);
    },
  ],
  ['with an endless body', endless],
  [
    'with endless headers',
    (response) => {
      response.socket?.write(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`);
    },
  ],
])(
  'the gateway reports a provider’s answer %s as provider_error and continues to serve',
  async (_, answer) => {
    const { post, get } = await withProvider(answer);
    const failed = await post('/api/auth/init');
    expect(failed).toMatchObject({ status: 500, body: { success: false, code: 'provider_error' } });
    expect(JSON.stringify(failed.body).length).toBeLessThan(1000);
    expect((await get('/health')).status).toBe(200);
  },
);

it('the gateway reports session_ended during a sign-in as provider_error', async () => {
  const { post } = await withProvider((response) => {
    response.statusCode = 401;
    response.end('{"kind":"session_ended","message":"Sign in."}');
  });
  const failed = await post('/api/auth/init');
  expect(failed).toMatchObject({ status: 500, body: { success: false, code: 'provider_error' } });
});

it('a session has at most 64 concurrent provider calls, and further calls wait', async () => {
  const held = new Set<ServerResponse>();
  let most = 0;
  let isHolding = true;
  const answer = (response: ServerResponse) => response.end('{"StatusCode":0}');
  const { post, get } = await withProvider((response) => {
    const step = response.req.url?.replace('/provider/v1/', '');
    if (step === 'sign-in/start') response.end('{"processId":"p"}');
    else if (step === 'sign-in/phone')
      response.end('{"processId":"p","desc":"","view":"EnterOtp","body":{}}');
    else if (step === 'sign-in/code')
      response.end('{"tokenSN":"t","vtokenSecret":"s","organizationId":1}');
    else if (!isHolding) answer(response);
    else most = Math.max(most, held.add(response).size);
  });
  await post('/api/auth/init');
  await post('/api/auth/send-phone', { processId: 'p', phoneNumber: '77011234567' });
  const { body } = await post('/api/auth/verify-otp', { processId: 'p', otp: '123456' });
  const headers = { 'X-Token-SN': body.tokenSN, 'X-Vtoken-Secret': body.vtokenSecret };
  const checks = Promise.all(Array.from({ length: 150 }, () => get('/api/session/check', headers)));
  await expect.poll(() => held.size).toBe(64);
  // Waiting calls start when others end. An excess call would be counted here.
  for (let ended = 0; ended < 40; ended++) {
    const [first] = held;
    if (!first) break;
    held.delete(first);
    answer(first);
    await expect.poll(() => held.size).toBe(64);
  }
  isHolding = false;
  for (const response of held) answer(response);
  const statuses = (await checks).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(150);
  expect(most).toBe(64);
});

it('every endpoint below /api/ of the gateway has a rate limit', async () => {
  const { get } = await start();
  const { paths } = (await get('/openapi.json')).body;
  const unlimited = Object.entries<Record<string, { responses: object }>>(paths).flatMap(
    ([path, methods]) =>
      Object.values(methods).flatMap(({ responses }) => ('429' in responses ? [] : [path])),
  );
  expect(unlimited.filter((path) => path.startsWith('/api/'))).toEqual([]);
});
