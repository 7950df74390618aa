import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shiftDay } from '../../../src/payments/reconcile/days.js';
import { providerDay } from '../../../src/payments/zoned-time.js';
import { openSandboxBank, type SandboxBank } from '../../commands/pay/sandbox-bank.js';
import { startTestServer, type TestServer } from '../../helpers/test-server.js';
import { createGatewayClient, type GatewayClient, type Headers } from '../gateway-client.js';

const zone = 'Asia/Almaty';
const nobody = '0123456789abcdef01234567';
let bank: SandboxBank;
let server: TestServer;
let client: GatewayClient;
let headers: Headers;
// biome-ignore lint/suspicious/noExplicitAny: the response to a sign-in, as returned by the client.
let session: any;
let stranger: Headers;

beforeAll(async () => {
  bank = await openSandboxBank();
  const env = {
    MSGSITE_PROVIDER: bank.url,
    MSGSITE_POLL_INTERVAL: '0.05',
    // Requests in doubt stay in doubt until a person settles them.
    MSGSITE_RESOLVE_INTERVAL: '3600',
    MSGSITE_RATE_LIMIT: 'off',
    MSGSITE_PROVIDER_TIMEOUT: '3',
  };
  server = await startTestServer({ only: 'gateway', env });
  client = await createGatewayClient(server.gateway);
  ({ session, headers } = await client.signIn());
  stranger = (await client.signIn('77021112233')).headers;
});
afterAll(async () => {
  await server.close();
  await bank.close();
});

const get = (path: string, as = headers) => client.get(`/api/${path}`, as);
const post = (path: string, body?: unknown, as = headers) => client.post(`/api/${path}`, body, as);
const today = () => providerDay(Date.now(), zone);

/** Creates a payment and waits until it is paid. */
async function paid(amount: number, as = headers): Promise<string> {
  const { body } = await post('qr/create', { amount }, as);
  const id = String(body.Data.QrOperationId);
  while ((await get(`payments/${id}?wait=25`, as)).body.payment.state === 'open');
  return id;
}

const refund = (id: string, returnAmount: number, as = headers) =>
  post('refund/create', { qrOperationId: Number(id), returnAmount }, as);

/** Sends a request whose response is lost. Returns its entry in the list. */
async function inDoubt(operation: string, ask: () => Promise<{ body: { outcome?: string } }>) {
  await bank.disturb({ faults: [`lost@${operation} x2`] });
  expect((await ask()).body.outcome).toBe('unknown');
  await bank.disturb({});
  return (await get('intents')).body.intents[0];
}

const qrInDoubt = (amount: number) => inDoubt('qr/create', () => post('qr/create', { amount }));
const closed = (intent: string, as = headers) => post(`intents/${intent}/close`, undefined, as);
const failure = ({ status, body }: { status: number; body: { code?: string } }) => [
  status,
  body.code,
];

describe('GET /api/session', () => {
  it('returns the session and the time zone', async () => {
    const { organizationId, profileId, orgName, phone } = session;
    const { status, body } = await get('session');
    expect(status).toBe(200);
    const facts = { orgName, phone, organizationId, profileId, zone, sandbox: true };
    expect(body).toEqual({ ...facts, instance: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect((await get('session', {})).status).toBe(401);
  });
});

describe('GET /api/refunds', () => {
  it('returns the refunds of the organization, newest first, including those in doubt', async () => {
    const payment = await paid(1500);
    for (const amount of [100, 200]) expect((await refund(payment, amount)).status).toBe(200);
    const doubtful = await inDoubt('refunds/create', () => refund(payment, 300));
    const { body } = await get('refunds');
    expect(body).toEqual({
      refunds: [
        expect.objectContaining({ id: doubtful.intent, amount: 300, outcome: null }),
        expect.objectContaining({ amount: 200, outcome: 'success' }),
        {
          id: expect.any(String),
          paymentId: payment,
          type: 'refund',
          amount: 100,
          outcome: 'success',
          cashier: session.phone,
          createdAt: expect.stringMatching(/Z$/),
          cursor: expect.stringMatching(/^\d+-[0-9a-f]{24}$/),
        },
      ],
      hasMore: false,
    });
    const [newest, second] = body.refunds;
    const amounts = async (query: string) =>
      (await get(`refunds${query}`)).body.refunds.map(({ amount }: typeof newest) => amount);
    expect(await amounts(`?after=${newest.cursor}`)).toEqual([200, 100]);
    expect(await amounts(`?after=${second.cursor}&state=ended`)).toEqual([100]);
    expect(await amounts('?state=ended')).toEqual([200, 100]);
    expect((await get('refunds', stranger)).body).toEqual({ refunds: [], hasMore: false });

    const ofPayment = await get(`intents?kind=refund&paymentId=${payment}`);
    expect(ofPayment.body.intents).toEqual([doubtful]);
    expect((await get('intents?kind=refund&paymentId=5')).body.intents).toEqual([]);
    expect((await closed(doubtful.intent)).body.intent.state).toBe('not_made');
    expect((await get('refunds')).body.refunds[0]).toMatchObject({
      amount: 300,
      outcome: 'failed',
    });
  });

  it.each(['?state=open', '?after=5', '?after=', `?after=x-${nobody}`, '?state=ended&state=ended'])(
    'rejects %s with 400',
    async (query) => {
      expect(failure(await get(`refunds${query}`))).toEqual([400, 'validation_failed']);
    },
  );
});

describe('GET /api/intents', () => {
  it('returns intents in doubt, and intents whose operation was found', async () => {
    const doubtful = await qrInDoubt(777);
    expect(doubtful).toEqual({
      intent: expect.stringMatching(/^[0-9a-f]{24}$/),
      kind: 'qr',
      amount: 777,
      key: expect.any(String),
      createdAt: expect.stringMatching(/Z$/),
      state: 'in_doubt',
      paymentId: null,
      candidates: expect.any(Array),
      closedAt: null,
      cursor: expect.stringContaining(doubtful.intent),
    });
    expect((await get('intents?kind=qr&state=in_doubt')).body.intents).toEqual([doubtful]);
    expect((await get('intents?kind=invoice')).body.intents).toEqual([]);
    expect((await get(`intents?after=${doubtful.cursor}`)).body.intents).toEqual([]);
    expect((await get('intents', stranger)).body).toEqual({ intents: [], hasMore: false });

    const [missing] = (await get(`reconciliation?day=${today()}`)).body.missingHere;
    await post('payments/adopt', { id: missing.paymentId, intent: doubtful.intent });
    const adopted = await get('intents?state=adopted&kind=qr');
    expect(adopted.body.intents).toEqual([
      {
        ...{ ...doubtful, state: 'adopted', candidates: [] },
        ...{ closedAt: expect.any(String), keyTaken: true },
      },
    ]);
    expect((await get('intents')).body.intents).toEqual([]);
  });

  it.each(['?state=not_made', '?kind=card', '?paymentId=x', '?after=5', '?kind=qr&kind=refund'])(
    'rejects %s with 400',
    async (query) => {
      expect(failure(await get(`intents${query}`))).toEqual([400, 'validation_failed']);
    },
  );
});

describe('POST /api/intents/:intent/close', () => {
  it('closes an intent in doubt as never made, once', async () => {
    const { cursor, ...doubtful } = await qrInDoubt(778);
    expect(failure(await closed(doubtful.intent, stranger))).toEqual([404, 'not_found']);
    const { status, body } = await closed(doubtful.intent);
    expect(status).toBe(200);
    expect(body.intent).toEqual({
      ...doubtful,
      state: 'not_made',
      candidates: [],
      closedAt: expect.stringMatching(/Z$/),
    });
    expect(failure(await closed(doubtful.intent))).toEqual([409, 'conflict']);
    expect((await get('intents')).body.intents).toEqual([]);
  });

  it.each([nobody, 'x', nobody.toUpperCase()])(
    'responds with 404 for the unknown intent %s',
    async (intent) => {
      expect(failure(await closed(intent))).toEqual([404, 'not_found']);
    },
  );
});

describe('POST /api/payments/adopt', () => {
  const adopt = (body: object, as = headers) => post('payments/adopt', body, as);

  it('adopts the operation of a request in doubt and finds the request automatically', async () => {
    const doubtful = await qrInDoubt(779);
    const [{ paymentId: id }] = (
      await get(`reconciliation?day=${today()}`)
    ).body.missingHere.filter(({ amount }: { amount: number }) => amount === 779);
    expect(failure(await adopt({ id }, stranger))).toEqual([404, 'not_found']);
    const { status, body } = await adopt({ id });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      payment: { paymentId: id, type: 'qr', amount: 779 },
      isNew: true,
    });
    expect(body.settled).toEqual([
      expect.objectContaining({ intent: doubtful.intent, state: 'adopted', candidates: [] }),
    ]);
    // The payment is polled from now on.
    let { payment } = (await get(`payments/${id}?wait=25`)).body;
    while (payment.state === 'open') ({ payment } = (await get(`payments/${id}?wait=25`)).body);
    expect(payment.outcome).toBe('success');
    // The ID can be a number, as in every body. The payment is known now.
    expect((await adopt({ id: Number(id), type: 'qr' })).body).toEqual({
      payment,
      isNew: false,
      settled: [],
    });
  });

  it('rejects an intent that does not match or belongs to another organization', async () => {
    const [doubtful, other] = [await qrInDoubt(780), await qrInDoubt(781)];
    const { intent } = doubtful;
    expect(failure(await adopt({ id: '5', intent }, stranger))).toEqual([404, 'not_found']);
    expect(failure(await adopt({ id: '5', intent: nobody }))).toEqual([404, 'not_found']);
    const { missingHere } = (await get(`reconciliation?day=${today()}`)).body;
    const idOf = (wanted: number) =>
      missingHere.find(({ amount }: { amount: number }) => amount === wanted).paymentId;
    expect((await adopt({ id: idOf(780) })).body.settled).toHaveLength(1);
    expect(failure(await adopt({ id: idOf(781), intent }))).toEqual([409, 'conflict']);
    expect((await adopt({ id: idOf(781), intent: other.intent })).status).toBe(200);
  });

  it.each([
    [{ id: '5' }, 404],
    [{ id: '5', type: 'invoice' }, 404],
    [{}, 400],
    [{ id: 'x' }, 400],
    [{ id: '9'.repeat(31) }, 400],
    [{ id: '5', type: 'refund' }, 400],
    [{ id: '5', intent: '12' }, 400],
  ])('responds to %j with %d', async (body, status) => {
    expect((await adopt(body)).status).toBe(status);
  });
});

describe('GET /api/report', () => {
  it('sums up the payments of the session’s organization', async () => {
    const { headers: own, session: of } = await client.signIn('77035554433');
    const payment = await paid(1500, own);
    await paid(2501, own);
    await refund(payment, 400.5, own);
    const nothing = { count: 0, sum: 0 };
    const takings = {
      qr: { count: 1, sum: 1500 },
      invoice: nothing,
      refund: { count: 1, sum: 400.5 },
      gross: { count: 1, sum: 1500 },
      net: 1099.5,
    };
    const { organizationId } = of;
    const { status, body } = await get('report', own);
    expect(status).toBe(200);
    expect(body).toEqual({
      day: today(),
      zone,
      ...takings,
      cashiers: [{ organizationId, cashier: '+7 (703) ***-**-33', ...takings }],
    });
    expect((await get(`report?day=${today()}`, own)).body).toEqual(body);
    const { body: before } = await get(`report?day=${shiftDay(today(), -1)}`, own);
    expect([before.gross, before.cashiers]).toEqual([nothing, []]);
  });
});

describe('GET /api/reconciliation', () => {
  it('returns the differences between both sides, for yesterday by default', async () => {
    const { headers: own, session: of } = await client.signIn('77046667788');
    const id = await paid(1500, own);
    const lists = [
      'missingHere',
      'missingThere',
      'otherAmount',
      'otherStatus',
      'flipped',
      'inDoubt',
    ];
    const same = Object.fromEntries(lists.map((list) => [list, []]));
    expect((await get(`reconciliation?day=${today()}`, own)).body).toEqual({
      day: today(),
      ...same,
    });
    await bank.force(id, 'Rejected');
    const { body } = await get(`reconciliation?day=${today()}`, own);
    const name = { organizationId: of.organizationId, type: 'qr', paymentId: id, amount: 1500 };
    const ours = { ...name, status: 'Processed', outcome: 'success' };
    expect(body).toEqual({
      day: today(),
      ...same,
      otherStatus: [
        { ...ours, state: 'ended', providerStatus: 'Rejected', providerOutcome: 'failed' },
      ],
      flipped: [{ ...ours, flippedTo: 'Rejected' }],
    });
    const yesterday = shiftDay(today(), -1);
    expect((await get('reconciliation', own)).body).toEqual({ day: yesterday, ...same });
  });

  it('runs once at a time per organization, queues a few requests, and drops those of disconnected clients', async () => {
    await bank.disturb({ faults: ['slow=60@operations/history'] });
    const leaving = new AbortController();
    const { signal } = leaving;
    const pending = Array.from({ length: 7 }, () =>
      fetch(`${server.gateway}/api/reconciliation`, { headers, signal }),
    );
    const outcomes = Promise.allSettled(pending);
    const refused = await Promise.race(pending);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' });
    // Requests of other organizations, and requests without provider calls, do not wait.
    expect((await get('report')).status).toBe(200);
    leaving.abort();
    await outcomes;
    await bank.disturb({});
    expect((await get('reconciliation', stranger)).status).toBe(200);
    while ((await get('reconciliation')).status === 429);
  });

  it('responds with 401 if the session ends in the meantime', async () => {
    const { headers: own } = await client.signIn('77019998877');
    await bank.disturb({ faults: ['slow=0.3@operations/history'] });
    const pending = get('reconciliation', own);
    await post('auth/logout', undefined, own);
    expect((await pending).status).toBe(401);
    await bank.disturb({});
  });
});

describe.each(['report', 'reconciliation'])('the day of %s', (path) => {
  it.each(['21.11.2026', '2026-02-30', '2026-13-01', '', '1999-12-31', '0100-01-01', '2999-01-01'])(
    'is rejected with 400 if it is %j',
    async (day) => {
      const answer = await get(`${path}?day=${day}`);
      expect(failure(answer)).toEqual([400, 'validation_failed']);
      expect(answer.body.details).toEqual([{ path: '/day', message: expect.any(String) }]);
    },
  );

  it('is rejected if it is in the future in the provider’s zone', async () => {
    const tomorrow = shiftDay(today(), 1);
    const { body } = await get(`${path}?day=${tomorrow}`);
    expect(body.details[0].message).toContain('is in the future; today is ');
    expect((await get(`${path}?day=2000-01-01`)).status).toBe(200);
  });
});

it.each([
  ['GET', 'session'],
  ['GET', 'refunds'],
  ['GET', 'intents'],
  ['GET', 'report'],
  ['GET', 'reconciliation'],
  ['POST', 'payments/adopt'],
  ['POST', `intents/${nobody}/close`],
])('%s /api/%s requires a session', async (method, path) => {
  const body = method === 'POST' ? { id: '5' } : undefined;
  const call = await client.call(method, `/api/${path}`, {
    headers: {},
    ...(body ? { body } : {}),
  });
  expect(failure(call)).toEqual([401, 'unauthorized']);
});
