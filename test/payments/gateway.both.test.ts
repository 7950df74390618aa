import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { createSandbox } from '../../src/payments/providers/sandbox/sandbox.js';
import { openSandboxServer } from '../../src/payments/providers/sandbox/server.js';
import { openSandboxStore } from '../../src/payments/providers/sandbox/store-json/open.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';
import { createGatewayClient, type GatewayClient, type Headers } from './gateway-client.js';

type Provider = 'in process' | 'over HTTP';

/** Tests a gateway with a provider in the same process and with a provider over HTTP. */
describe.each<[Provider]>([['in process'], ['over HTTP']])('the gateway, sandbox %s', (way) => {
  let server: TestServer;
  let client: GatewayClient;
  let headers: Headers;
  const closers: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    // In this sandbox, payments are paid after 80 ms, and open invoices expire after 3.6 s.
    const env = { MSGSITE_SANDBOX_SPEED: '50', MSGSITE_RATE_LIMIT: 'off' };
    server = await startTestServer({ only: 'gateway', env });
    closers.push(server.close);
    if (way === 'over HTTP') {
      const sandbox = createSandbox({
        store: await openSandboxStore(`${server.data}/elsewhere`, systemClock),
        clock: systemClock,
        speed: 50,
        zone: 'Asia/Almaty',
      });
      const upstream = await openSandboxServer({
        sandbox,
        host: '127.0.0.1',
        port: 0,
        clock: systemClock,
      });
      closers.push(upstream.close);
      server = await startTestServer({
        only: 'gateway',
        env: { ...env, MSGSITE_PROVIDER: upstream.url },
      });
      closers.push(server.close);
    }
    client = await createGatewayClient(server.gateway);
    headers = (await client.signIn()).headers;
  });
  afterAll(async () => {
    for (const close of closers.reverse()) await close();
  });

  const qr = async (amount: number, more: Headers = {}) =>
    client.post('/api/qr/create', { amount }, { ...headers, ...more });
  const invoice = async (amount: number, more: Headers = {}) =>
    client.post(
      '/api/invoice/create',
      { phoneNumber: '77017654321', amount },
      { ...headers, ...more },
    );
  const status = async (id: number) => client.get(`/api/qr/status?qrOperationId=${id}`, headers);
  const paid = async (amount: number): Promise<number> => {
    const id = (await qr(amount)).body.Data.QrOperationId;
    for (;;) if ((await status(id)).body.Data.Status === 'Processed') return id;
  };

  it('responds to /health without a session', async () => {
    expect(await client.get('/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('signs in a cashier with three steps', async () => {
    const init = await client.post('/api/auth/init');
    expect(init.body).toMatchObject({ success: true, view: 'EnterPhoneNumber' });
    const { processId } = init.body;
    expect(init.body.body).toBeTypeOf('object');
    const sent = await client.post('/api/auth/send-phone', {
      phoneNumber: '77011234567',
      processId,
      more: 'is ignored',
    });
    expect(sent.body).toMatchObject({ success: true, processId, view: 'EnterOtp' });
    expect(sent.body.desc).toContain('67');
    expect(sent.body.desc).not.toContain('77011234567');
    const done = await client.post('/api/auth/verify-otp', { otp: '123456', processId });
    expect(done.body).toMatchObject({
      success: true,
      processId,
      step: 'finished',
      message: expect.any(String),
      tokenSN: expect.any(String),
      vtokenSecret: expect.any(String),
      profileId: expect.any(Number),
      organizationId: expect.any(Number),
      orgName: expect.any(String),
      phone: '77011234567',
      organizations: expect.any(Array),
    });
  });

  it('rejects wrong codes, unknown processes and steps out of order with success: false', async () => {
    const { processId } = (await client.post('/api/auth/init')).body;
    const refused = { status: 400, body: { success: false, error: expect.any(String) } };
    const verify = (otp: string, id = processId) =>
      client.post('/api/auth/verify-otp', { otp, processId: id });
    const send = (id: string) =>
      client.post('/api/auth/send-phone', { phoneNumber: '77011234567', processId: id });
    expect(await verify('123456')).toMatchObject(refused);
    await send(processId);
    expect(await send(processId)).toMatchObject(refused);
    for (let tries = 1; tries <= 5; tries++) {
      expect(await verify('000000')).toMatchObject(refused);
    }
    expect(await verify('123456')).toMatchObject(refused);
    expect(await verify('123456', 'unknown')).toMatchObject(refused);
    expect(await send('unknown')).toMatchObject(refused);
  });

  it.each([
    ['/api/auth/send-phone', { processId: 'p' }, '/phoneNumber'],
    ['/api/auth/send-phone', { phoneNumber: '77011234567' }, '/processId'],
    ['/api/auth/send-phone', { phoneNumber: '87011234567', processId: 'p' }, '/phoneNumber'],
    ['/api/auth/send-phone', { phoneNumber: 87011234567, processId: 'p' }, '/phoneNumber'],
    ['/api/auth/verify-otp', { processId: 'p' }, '/otp'],
    ['/api/auth/verify-otp', { otp: 123456, processId: 'p' }, '/otp'],
    ['/api/auth/session', { tokenSN: 5 }, '/tokenSN'],
    ['/api/invoice/create', { amount: 5 }, '/phoneNumber'],
    ['/api/invoice/create', { phoneNumber: '77017654321' }, '/amount'],
    ['/api/invoice/create', { phoneNumber: '77017654321', amount: '5 ' }, '/amount'],
    ['/api/invoice/create', { phoneNumber: '+77017654321', amount: 5 }, '/phoneNumber'],
    ['/api/invoice/create', { phoneNumber: '77017654321', amount: 5, comment: 5 }, '/comment'],
    ['/api/invoice/cancel', {}, '/operationId'],
    ['/api/invoice/cancel', { operationId: 5.5 }, '/operationId'],
    ['/api/invoice/history', [], ''],
    ['/api/qr/create', {}, '/amount'],
    ['/api/qr/create', { amount: 0 }, '/amount'],
    ['/api/qr/create', { amount: -1 }, '/amount'],
    ['/api/qr/create', { amount: 1.005 }, '/amount'],
    ['/api/qr/create', { amount: 1e300 }, '/amount'],
    ['/api/qr/create', { amount: null }, '/amount'],
    ['/api/qr/create', { amount: 0.30000000000000004 }, '/amount'],
    ['/api/qr/create', { amount: 5, latitude: 91 }, '/latitude'],
    ['/api/qr/create', { amount: 5, longitude: '76E' }, '/longitude'],
    ['/api/history/operations', {}, '/endDate'],
    ['/api/history/operations', { endDate: '21.11.2026' }, '/endDate'],
    ['/api/history/operations', { endDate: '2026-02-31' }, '/endDate'],
    ['/api/history/operations', { endDate: '2026-11-21', statementPeriodCode: 'x' }, ''],
    ['/api/history/details', {}, '/id'],
    ['/api/history/details', { id: '5.0' }, '/id'],
    ['/api/refund/create', { qrOperationId: 5 }, '/returnAmount'],
    ['/api/refund/create', { returnAmount: 5 }, '/qrOperationId'],
    ['/api/refund/create', { qrOperationId: 5, returnAmount: 0 }, '/returnAmount'],
  ])('rejects %s %j and reports the property', async (path, body, at) => {
    const { status, body: answer } = await client.post(path, body, headers);
    expect(status).toBe(400);
    expect(answer).toMatchObject({ error: expect.any(String), code: 'validation_failed' });
    expect(answer).not.toHaveProperty('ok');
    expect(answer.details.map(({ path }: { path: string }) => path)).toContainEqual(
      expect.stringContaining(at),
    );
  });

  it.each(['', 'abc', '1e3', '0x10', ' 5', '+5', '0500', true, null, [5]])(
    'rejects %j as a number and explains the format',
    async (given) => {
      for (const [path, body, message] of [
        ['qr/create', { amount: given }, 'must be a number, or plain digits as text'],
        ['qr/create', { amount: 5, latitude: given }, 'must be a number, or plain digits'],
        [
          'history/details',
          { id: given },
          'must be a non-negative whole number with at most 30 digits',
        ],
        ['refund/create', { qrOperationId: 5, returnAmount: given }, 'must be a number'],
      ] as const) {
        const answer = await client.post(`/api/${path}`, body, headers);
        expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
        const at = `/${Object.keys(body).at(-1)}`;
        const expected = { path: at, message: expect.stringContaining(message) };
        expect(answer.body.details).toContainEqual(expected);
      }
    },
  );

  it.each([
    ['qr/create', '{"amount":12345678901234567890}', 'must be 90000000000000 or less'],
    ['qr/create', '{"amount":"12345678901234567890"}', 'must be 90000000000000 or less'],
    ['qr/create', '{"amount":"0"}', 'must be more than 0'],
    ['qr/create', '{"amount":"1.005"}', 'with at most two decimals'],
    ['qr/create', '{"amount":"0.1000000000000000000001"}', 'must be a number'],
    ['history/details', '{"id":-5}', 'must be a non-negative whole number with at most 30 digits'],
    ['history/details', `{"id":1${'0'.repeat(30)}}`, 'with at most 30 digits'],
    ['history/details', `{"id":"1${'0'.repeat(30)}"}`, 'with at most 30 digits'],
    ['history/details', '{"id":1e20}', 'must be a non-negative whole number'],
    ['history/details', '{"id":1,"operationMethod":"1.5"}', 'must be a whole number'],
    ['history/details', '{"id":1,"operationMethod":"9007199254740993"}', 'or less'],
    ['invoice/cancel', '{"operationId":1e20}', 'must be text or a whole number'],
    ['invoice/cancel', '{"operationId":-1}', 'must be text or a whole number'],
    ['invoice/cancel', `{"operationId":1${'0'.repeat(50)}}`, 'must have at most 50 characters'],
  ])('rejects a number outside its limits: %s %s', async (path, body, message) => {
    const answer = await client.post(`/api/${path}`, body, headers);
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(answer.body.details).toMatchObject([{ message: expect.stringContaining(message) }]);
  });

  it('rejects an integer of more than 1,000 digits', async () => {
    const body = `{"amount":1500,"more":1${'0'.repeat(1_000)}}`;
    expect(await client.post('/api/qr/create', body, headers)).toMatchObject({
      status: 400,
      body: { code: 'invalid_json', error: expect.stringContaining('more than 1000 digits') },
    });
  });

  it('accepts numbers as text, and IDs and phone numbers as numbers', async () => {
    const coordinates = { latitude: '43.25', longitude: '-76.5' };
    const made = await client.post(
      '/api/qr/create',
      { amount: '1506.50', ...coordinates },
      headers,
    );
    expect(made).toMatchObject({ status: 200, body: { Data: { Amount: 1506.5 } } });
    const order = { amount: '706', phoneNumber: 77017654321 };
    const billed = await client.post('/api/invoice/create', order, headers);
    const expected = { Amount: 706, ClientMobile: '77017654321' };
    expect(billed).toMatchObject({ status: 200, body: { Data: expected } });
    const { Id } = billed.body.Data;
    const details = { id: String(Id), operationMethod: '0' };
    expect((await client.post('/api/history/details', details, headers)).body.Data.Id).toBe(Id);
    const cancelled = await client.post('/api/invoice/cancel', { operationId: Id }, headers);
    expect(cancelled.body.Data.Status).toBe('RemotePaymentCanceled');
    const period = { endDate: '2099-12-31', statementPeriodCode: '0' };
    expect((await client.post('/api/history/operations', period, headers)).status).toBe(200);
    const qrOperationId = String(await paid(1500));
    const refund = { qrOperationId, returnAmount: '500.00' };
    const returned = await client.post('/api/refund/create', refund, headers);
    expect(returned).toMatchObject({ status: 200, body: { Data: { ReturnAmount: 500 } } });
  });

  it('treats requests with a number and with its digits as text as equal', async () => {
    const more = { ...headers, 'Idempotency-Key': `key-${Math.random()}` };
    const ids = new Set<number>();
    for (const amount of [1506, '1506', '1506.00']) {
      const { body } = await client.post('/api/qr/create', { amount }, more);
      ids.add(body.Data.QrOperationId);
    }
    expect(ids.size).toBe(1);
    const other = await client.post('/api/qr/create', { amount: '1506.01' }, more);
    expect(other).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  it('compares all digits of long integers in a body', async () => {
    const more = { ...headers, 'Idempotency-Key': `key-${Math.random()}` };
    const body = (last: number) => `{"amount":1506,"order":1234567890123456789${last}}`;
    expect((await client.post('/api/qr/create', body(1), more)).status).toBe(200);
    expect((await client.post('/api/qr/create', body(1), more)).status).toBe(200);
    expect((await client.post('/api/qr/create', body(2), more)).status).toBe(409);
  });

  it.each([
    ['/api/invoice/client-info', 'phoneNumber'],
    ['/api/invoice/client-info?phoneNumber=123', 'phoneNumber'],
    ['/api/invoice/details', 'operationId'],
    ['/api/qr/status', 'qrOperationId'],
    ['/api/qr/status?qrOperationId=', 'qrOperationId'],
  ])('rejects GET %s', async (path, name) => {
    const { status, body } = await client.get(path, headers);
    expect(status).toBe(400);
    expect(body.details).toMatchObject([{ path: `/${name}` }]);
  });

  it.each([
    ['POST', '/api/invoice/create'],
    ['POST', '/api/invoice/cancel'],
    ['POST', '/api/invoice/history'],
    ['GET', '/api/invoice/client-info'],
    ['GET', '/api/invoice/details'],
    ['POST', '/api/qr/create'],
    ['GET', '/api/qr/status'],
    ['POST', '/api/history/operations'],
    ['POST', '/api/history/details'],
    ['POST', '/api/refund/create'],
    ['GET', '/api/session/check'],
  ])('%s %s requires a session before it reads the body', async (method, path) => {
    const body = method === 'POST' ? { body: '{' } : {};
    const secret = headers['X-Vtoken-Secret'] ?? '';
    const token = headers['X-Token-SN'] ?? '';
    for (const pair of [
      {},
      { 'X-Token-SN': token },
      { 'X-Vtoken-Secret': secret },
      { 'X-Token-SN': 'other', 'X-Vtoken-Secret': secret },
      { 'X-Token-SN': token, 'X-Vtoken-Secret': `${secret.slice(0, -4)}AAAA` },
    ]) {
      const answer = await client.call(method, path, { ...body, headers: pair as Headers });
      expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    }
  });

  it('creates, reads, cancels and lists invoices', async () => {
    const found = await client.get('/api/invoice/client-info?phoneNumber=77017654321', headers);
    expect(found.body).toMatchObject({ StatusCode: 0, Data: { ClientName: expect.any(String) } });
    const made = await invoice(706);
    expect(made.body).toMatchObject({
      StatusCode: 0,
      Data: {
        Id: expect.any(Number),
        Status: 'RemotePaymentCreated',
        Amount: 706,
        ClientMobile: '77017654321',
        ReceiptUrl: expect.stringMatching(/^https:/),
        OrderNumber: expect.any(String),
      },
    });
    const { Id } = made.body.Data;
    const read = await client.get(`/api/invoice/details?operationId=${Id}`, headers);
    expect(read.body.Data.Id).toBe(Id);
    const cancel = () => client.post('/api/invoice/cancel', { operationId: String(Id) }, headers);
    const cancelled = await cancel();
    expect(cancelled.body.Data.Status).toBe('RemotePaymentCanceled');
    expect(await cancel()).toMatchObject({
      status: 409,
      body: { code: 'refused', details: { StatusCode: expect.any(Number) } },
    });
    const list = await client.post('/api/invoice/history', {}, headers);
    expect(list.body.Data.Invoices[0].Id).toBe(Id);
    expect((await client.post('/api/invoice/history', undefined, headers)).status).toBe(200);
  });

  it('creates a QR token and reads its status', async () => {
    const made = await qr(1506);
    expect(made.body).toMatchObject({
      StatusCode: 0,
      Data: {
        QrOperationId: expect.any(Number),
        QrToken: expect.stringMatching(/^https:/),
        ExpireDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/),
        Amount: 1506,
        ReceiptUrl: expect.stringMatching(/^https:/),
      },
    });
    const { body } = await status(made.body.Data.QrOperationId);
    expect(body).toMatchObject({ StatusCode: 0, Data: { Amount: 1506 } });
  });

  it('responds with 404 to requests for unknown operations and customers', async () => {
    const unknown = { status: 404, body: { code: 'not_found', error: expect.any(String) } };
    expect(await status(1)).toMatchObject(unknown);
    const of = (id: string) => client.get(`/api/invoice/details?operationId=${id}`, headers);
    expect(await of('1')).toMatchObject(unknown);
    expect(await of('abc')).toMatchObject(unknown);
    const { QrOperationId } = (await qr(1506)).body.Data;
    expect(await of(String(QrOperationId))).toMatchObject(unknown);
    const client404 = '/api/invoice/client-info?phoneNumber=77010000404';
    expect(await client.get(client404, headers)).toMatchObject(unknown);
    expect(await client.post('/api/history/details', { id: 1 }, headers)).toMatchObject(unknown);
    expect(
      await client.post('/api/refund/create', { qrOperationId: 1, returnAmount: 1 }, headers),
    ).toMatchObject(unknown);
  });

  it('refunds at most the paid amount', async () => {
    const id = await paid(1500);
    const refund = (returnAmount: number) =>
      client.post('/api/refund/create', { qrOperationId: id, returnAmount }, headers);
    expect((await refund(1000)).body).toMatchObject({ StatusCode: 0 });
    expect(await refund(500.01)).toMatchObject({ status: 409, body: { code: 'refused' } });
    expect((await refund(500)).status).toBe(200);
    const open = (await qr(1506)).body.Data.QrOperationId;
    const early = await client.post(
      '/api/refund/create',
      { qrOperationId: open, returnAmount: 1 },
      headers,
    );
    expect(early).toMatchObject({ status: 409, body: { code: 'refused' } });
  });

  it('lists operations and reads one', async () => {
    const id = await paid(1600);
    const endDate = '2099-12-31';
    const { body } = await client.post('/api/history/operations', { endDate }, headers);
    expect(body.Data.Operations[0]).toMatchObject({ Id: id, Amount: 1600, Status: 'Processed' });
    const details = await client.post('/api/history/details', { id, operationMethod: 0 }, headers);
    expect(details.body.Data).toMatchObject({ Id: id, Amount: 1600 });
  });

  it('reports an error StatusCode as provider_error with the complete answer', async () => {
    for (const answer of [await qr(1510), await invoice(10)]) {
      expect(answer).toMatchObject({
        status: 500,
        body: {
          code: 'provider_error',
          error: expect.any(String),
          details: { StatusCode: expect.any(Number), Message: expect.any(String) },
        },
      });
      expect(answer.body.details.StatusCode).not.toBe(0);
    }
  });

  it('responds with 500 provider_error if a status read fails', async () => {
    const id = (await qr(1507)).body.Data.QrOperationId;
    expect(await status(id)).toMatchObject({ status: 500, body: { code: 'provider_error' } });
  });

  it('uses the profile in X-Profile-Id, or the session’s profile by default', async () => {
    const { session } = await client.signIn();
    const own = await qr(1506);
    expect(own.body.Data.ProfileId).toBe(session.profileId);
    const other = await qr(1506, { 'X-Profile-Id': '42' });
    expect(other.body.Data.ProfileId).toBe(42);
    expect(await invoice(706, { 'X-Profile-Id': 'x' })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'X-Profile-Id' }] },
    });
  });

  it('ignores a profile in the body', async () => {
    const { session } = await client.signIn();
    const body = { phoneNumber: '77017654321', amount: 1506, profileId: { any: 'thing' } };
    for (const path of ['/api/qr/create', '/api/invoice/create']) {
      const { Data } = (await client.post(path, body, headers)).body;
      expect(Data.ProfileId).toBe(session.profileId);
    }
  });

  it('deduplicates equal requests with the same Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': `key-${Math.random()}` };
    const answers = await Promise.all([qr(1506, key), qr(1506, key), qr(1506, key)]);
    const ids = new Set(answers.map(({ body }) => body.Data.QrOperationId));
    expect(ids.size).toBe(1);
    expect(await qr(1606, key)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const reordered = await client.post(
      '/api/invoice/create',
      { phoneNumber: '77017654321', amount: 706 },
      { ...headers, ...key },
    );
    const again = await client.post(
      '/api/invoice/create',
      { amount: 706, phoneNumber: '77017654321' },
      { ...headers, ...key },
    );
    expect(again.body).toEqual(reordered.body);
    expect(ids.has(again.body.Data.Id)).toBe(false);
    const { headers: stranger } = await client.signIn('77772223344');
    const theirs = await client.post('/api/qr/create', { amount: 1506 }, { ...stranger, ...key });
    expect(ids.has(theirs.body.Data.QrOperationId)).toBe(false);
    const long = { 'Idempotency-Key': 'k'.repeat(256) };
    expect((await qr(1506, long)).status).toBe(400);
  });

  it('allows a retry with the same Idempotency-Key after a failure', async () => {
    const key = { 'Idempotency-Key': `key-${Math.random()}` };
    expect((await qr(1510, key)).status).toBe(500);
    expect((await qr(1510, key)).status).toBe(500);
    expect((await qr(1506, key)).status).toBe(200);
  });

  it('hides payments from other organizations', async () => {
    const { QrOperationId } = (await qr(1506)).body.Data;
    const { headers: stranger } = await client.signIn('77772223344');
    const path = `/api/qr/status?qrOperationId=${QrOperationId}`;
    expect((await client.get(path, stranger)).status).toBe(404);
  });

  it('reports whether a session is valid, and ends it on logout', async () => {
    const { session, headers: own } = await client.signIn();
    const { tokenSN } = session;
    const ask = (body?: object, more: Headers = {}) =>
      client.post('/api/auth/session', body, more).then((answer) => answer.body);
    expect(await ask({ tokenSN })).toEqual({ authenticated: true, tokenSN });
    expect(await ask(undefined, own)).toEqual({ authenticated: true, tokenSN });
    expect(await ask({})).toEqual({ authenticated: false, tokenSN: null });
    expect(await ask({ tokenSN: 'x' })).toEqual({ authenticated: false, tokenSN: 'x' });
    expect((await client.get('/api/session/check', own)).body).toEqual({ active: true });
    expect((await client.post('/api/auth/logout')).body).toEqual({ success: true });
    const forged = { ...own, 'X-Vtoken-Secret': 'x' };
    expect((await client.post('/api/auth/logout', undefined, forged)).body).toEqual({
      success: true,
    });
    expect(await ask({ tokenSN })).toMatchObject({ authenticated: true });
    expect((await client.post('/api/auth/logout', undefined, own)).body).toEqual({ success: true });
    expect(await ask({ tokenSN })).toEqual({ authenticated: false, tokenSN });
    expect((await client.get('/api/session/check', own)).status).toBe(401);
    expect((await client.post('/api/auth/logout', undefined, own)).status).toBe(200);
  });

  it('reports active: false after the provider has ended the session', async () => {
    const { headers: own } = await client.signIn('77015556677');
    await client.post('/api/qr/create', { amount: 1509 }, own);
    const check = await client.get('/api/session/check', own);
    expect(check).toMatchObject({
      status: 200,
      body: {
        active: false,
        error: expect.any(String),
        code: expect.any(Number),
        details: expect.any(Object),
      },
    });
  });

  it.each([
    ['GET', 'invoice/client-info?phoneNumber=77017654321'],
    ['POST', 'invoice/create', { amount: 1500, phoneNumber: '77017654321' }],
    ['GET', 'invoice/details?operationId=5'],
    ['POST', 'invoice/cancel', { operationId: '5' }],
    ['POST', 'invoice/history', {}],
    ['POST', 'qr/create', { amount: 1500 }],
    ['GET', 'qr/status?qrOperationId=5'],
    ['POST', 'history/operations', { endDate: '2026-11-21' }],
    ['POST', 'history/details', { id: 5 }],
    ['POST', 'refund/create', { qrOperationId: 5, returnAmount: 10 }],
    ['GET', 'reconciliation'],
    ['POST', 'payments/adopt', { id: '5' }],
  ])(
    'responds to %s %s with session_ended if the provider has ended the session',
    async (...call) => {
      const [method, path, body] = call;
      const { headers: own } = await client.signIn('77015556677');
      await client.post('/api/qr/create', { amount: 1509 }, own);
      const how = { headers: own, ...(body ? { body } : {}) };
      const answer = await client.call(method, `/api/${path}`, how);
      expect([answer.status, answer.body.code]).toEqual([500, 'session_ended']);
      expect(answer.body).not.toHaveProperty('outcome');
    },
  );

  it('responds to unknown paths and methods with the usual error body', async () => {
    const missing = await client.get('/api/nothing', headers);
    expect(missing).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(missing.body).not.toHaveProperty('ok');
    const method = await client.get('/api/qr/create', headers);
    expect(method).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
  });
});

describe('sign-in rate limits', () => {
  it('stop a flood of requests from one address', async () => {
    const server = await startTestServer({ only: 'gateway' });
    const { post } = await createGatewayClient(server.gateway);
    const flood = () => Promise.all(Array.from({ length: 60 }, () => post('/api/auth/init')));
    const statuses = [await flood(), await flood()].map((of) => of.map(({ status }) => status));
    await server.close();
    expect(statuses[0]).not.toContain(429);
    // On a slow machine, a few more requests are allowed in the meantime.
    expect(statuses[1]).toContain(429);
  });
});
