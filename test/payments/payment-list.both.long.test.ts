import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../helpers/test-server.js';
import { createGatewayClient, type GatewayClient, type Headers } from './gateway-client.js';

let server: TestServer;
let client: GatewayClient;
let headers: Headers;

beforeAll(async () => {
  // Payments are paid after 400 ms. Payments whose amount ends in 06 stay open for 18 s.
  const env = { MSGSITE_SANDBOX_SPEED: '10', MSGSITE_POLL_INTERVAL: '0.1' };
  server = await startTestServer({ only: 'gateway', env: { ...env, MSGSITE_RATE_LIMIT: 'off' } });
  client = await createGatewayClient(server.gateway);
  headers = (await client.signIn()).headers;
});
afterAll(() => server.close());

const get = (path: string, as = headers) => client.get(`/api/payments${path}`, as);
const qr = async (amount: number, as = headers): Promise<string> => {
  const { body } = await client.post('/api/qr/create', { amount }, as);
  return String(body.Data.QrOperationId);
};
const ids = (body: { payments: { paymentId: string }[] }) =>
  body.payments.map(({ paymentId }) => paymentId);

describe('GET /api/payments/:payment', () => {
  it('returns a payment by its ID, with or without its type', async () => {
    const id = await qr(1506);
    const { status, body } = await get(`/${id}`);
    expect([status, Object.keys(body)]).toEqual([200, ['payment']]);
    expect(body.payment).toEqual({
      paymentId: id,
      type: 'qr',
      organizationId: expect.any(Number),
      state: 'open',
      outcome: null,
      status: 'QrTokenCreated',
      statusDesc: expect.any(String),
      flippedTo: null,
      amount: 1506,
      qrToken: expect.stringContaining('https://'),
      receiptUrl: expect.any(String),
      orderNumber: expect.any(String),
      clientPhone: null,
      reference: null,
      sandbox: true,
      createdAt: expect.stringMatching(/Z$/),
      expiresAt: expect.stringMatching(/Z$/),
      endedAt: null,
      cursor: expect.any(String),
    });
    expect((await get(`/qr:${id}`)).body).toEqual(body);
    expect((await get(`/invoice:${id}`)).status).toBe(404);
  });

  it('with wait responds as soon as the payment has changed', async () => {
    const id = await qr(1500);
    const states: string[] = [];
    for (let payment = { state: 'open', status: '' }; payment.state === 'open'; ) {
      payment = (await get(`/${id}?wait=25`)).body.payment;
      states.push(payment.status);
    }
    expect(states.at(-1)).toBe('Processed');
    // Each response reports a change, so there are only a few.
    expect(new Set(states).size).toBe(states.length);
  });

  it('with wait returns the unchanged payment when the time has passed', async () => {
    const open = await qr(2506);
    expect((await get(`/${open}?wait=1`)).body.payment.state).toBe('open');
  });

  it('with wait responds with 401 if the session ends in the meantime', async () => {
    const own = (await client.signIn('77019998877')).headers;
    const id = await qr(3506, own);
    const waiting = get(`/${id}?wait=2`, own);
    await client.post('/api/auth/logout', undefined, own);
    expect((await waiting).status).toBe(401);
  });

  it('with wait allows 100 waiting requests per session, and rejects more with 429 and Retry-After', async () => {
    const [id, ended] = [await qr(4506), await qr(2501)];
    while ((await get(`/${ended}?wait=25`)).body.payment.state === 'open');
    const stopping = new AbortController();
    const held = holdAll(server, { id, headers, signal: stopping.signal });
    const outcomes = Promise.allSettled(held);
    const refused = await Promise.race(held);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' });
    expect((await get(`/${ended}?wait=25`)).body.payment.outcome).toBe('failed');
    const other = (await client.signIn()).headers;
    expect((await get(`/${id}?wait=1`, other)).status).toBe(200);
    stopping.abort();
    await outcomes;
  });

  it.each([
    ['/5', 404],
    ['/abc', 404],
    ['/card:5', 404],
    [`/${'9'.repeat(31)}`, 404],
    ['/5?wait=26', 400],
    ['/5?wait=-1', 400],
    ['/5?wait=soon', 400],
  ])('responds to %s with %d', async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });

  it('responds with 404 to another organization', async () => {
    const id = await qr(5506);
    const other = (await client.signIn('77021112233')).headers;
    expect((await get(`/${id}`, other)).status).toBe(404);
    expect((await get(`/${id}`, {})).status).toBe(401);
  });
});

describe('GET /api/payments', () => {
  it('returns pages of payments, newest first', async () => {
    const own = (await client.signIn('77035554433')).headers;
    const made: string[] = [];
    // These payments end soon. A hundred open payments would each be polled ten times a second.
    for (let n = 0; n < 103; n++) made.unshift(await qr(1504, own));
    const first = (await get('', own)).body;
    expect(first.hasMore).toBe(true);
    expect(ids(first)).toEqual(made.slice(0, 100));
    const after = first.payments.at(-1).cursor;
    const second = (await get(`?after=${after}`, own)).body;
    expect([ids(second), second.hasMore]).toEqual([made.slice(100), false]);
  });

  it('returns only payments in the requested state and of the session’s organization', async () => {
    const own = (await client.signIn('77046667788')).headers;
    expect((await get('', own)).body).toEqual({ payments: [], hasMore: false });
    const [open, paid] = [await qr(1506, own), await qr(1500, own)];
    while ((await get(`/${paid}?wait=25`, own)).body.payment.state === 'open');
    expect(ids((await get('?state=open', own)).body)).toEqual([open]);
    expect(ids((await get('?state=ended', own)).body)).toEqual([paid]);
    expect(ids((await get('?state=unknown', own)).body)).toEqual([]);
  });

  it.each(['?state=other', '?after=5', '?after=', '?state=open&state=ended'])(
    'responds to %s with 400',
    async (query) => {
      expect((await get(query)).status).toBe(400);
    },
  );
});

it('the gateway responds to waiting requests when it stops', async () => {
  const stopped = await startTestServer({ only: 'gateway' });
  const own = await createGatewayClient(stopped.gateway);
  const signedIn = (await own.signIn()).headers;
  const { body } = await own.post('/api/qr/create', { amount: 1506 }, signedIn);
  const id = body.Data.QrOperationId;
  const waiting = holdAll(stopped, { id, headers: signedIn });
  // When one request is rejected, all others are waiting.
  expect((await Promise.race(waiting)).status).toBe(429);
  await stopped.close();
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([...Array.from({ length: 100 }, () => 200), 429]);
});

interface Held {
  readonly id: string;
  readonly headers: Headers;
  readonly signal?: AbortSignal;
}

/** Starts requests that wait for a payment, one more than the maximum for a session. */
function holdAll({ gateway }: TestServer, { id, ...init }: Held): Promise<Response>[] {
  return Array.from({ length: 101 }, () => fetch(`${gateway}/api/payments/${id}?wait=25`, init));
}
