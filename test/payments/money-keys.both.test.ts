import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../helpers/test-server.js';
import { createGatewayClient, type GatewayClient, type Headers } from './gateway-client.js';

let server: TestServer;
let client: GatewayClient;
let headers: Headers;

beforeAll(async () => {
  server = await startTestServer({ only: 'gateway' });
  client = await createGatewayClient(server.gateway);
  ({ headers } = await client.signIn());
});
afterAll(() => server.close());

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

describe.each([
  ['qr/create', { amount: 5 }, 200],
  ['invoice/create', { amount: 5, phoneNumber: '77017654321' }, 200],
  ['refund/create', { qrOperationId: 4_040_404, returnAmount: 5 }, 404],
])('%s', (path, body, status) => {
  it('returns the client’s key or a new key', async () => {
    const made = await client.post(`/api/${path}`, body, headers);
    expect(made.status).toBe(status);
    expect(made.headers.get('Idempotency-Key')).toMatch(uuid);
    const keyHeaders = { ...headers, 'Idempotency-Key': `key of ${path}` };
    const answer = await client.post(`/api/${path}`, body, keyHeaders);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('Idempotency-Key')).toBe(`key of ${path}`);
  });
});

it('the gateway rejects a different profile for a used key, and uses the session’s profile by default', async () => {
  const { session, headers: own } = await client.signIn();
  const keyHeaders = { ...own, 'Idempotency-Key': 'of a profile' };
  const post = (more: Headers) =>
    client.post('/api/qr/create', { amount: 7 }, { ...keyHeaders, ...more });
  const first = await post({});
  const same = await post({ 'X-Profile-Id': String(session.profileId) });
  expect(same.body).toEqual(first.body);
  const other = await post({ 'X-Profile-Id': String(session.profileId + 1) });
  expect([other.status, other.body.code]).toEqual([409, 'conflict']);
  expect(other.headers.get('Idempotency-Key')).toBe('of a profile');
});
