import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { guardProvider } from '../../../src/payments/providers/guard.js';
import { createHttpProvider } from '../../../src/payments/providers/http.js';
import { readOperation } from '../../../src/payments/providers/operation-rows.js';
import type {
  PaymentProvider,
  ProviderAnswer,
  ProviderCall,
  ProviderError,
} from '../../../src/payments/providers/provider.js';
import {
  readCreated,
  readObserved,
  readRefunded,
} from '../../../src/payments/providers/provider-answer.js';
import { createSandbox, type Sandbox } from '../../../src/payments/providers/sandbox/sandbox.js';
import { openSandboxServer } from '../../../src/payments/providers/sandbox/server.js';
import { openSandboxStore } from '../../../src/payments/providers/sandbox/store-json/open.js';
import { createManualClock, type ManualClock } from '../../helpers/manual-clock.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';
import { providerContract, signIn } from '../provider-contract.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const call: ProviderCall = { signal: new AbortController().signal };
const http = (baseUrl: string, timeout = 5000) =>
  createHttpProvider({ baseUrl, timeout, concurrency: 64, clock: systemClock });

async function openServer(clock: ManualClock) {
  const folder = await makeTempFolder();
  const store = await openSandboxStore(folder, clock);
  const sandbox = createSandbox({ store, clock, speed: 1, zone: 'Asia/Almaty' });
  const server = await openSandboxServer({
    sandbox,
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
  });
  closers.push(server.close);
  const control = async (method: string, path: string, body?: object) => {
    const init = { method, headers: { 'content-type': 'application/json' } };
    const withBody = body ? { ...init, body: JSON.stringify(body) } : init;
    const response = await fetch(`${server.url}/control/${path}`, withBody);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const disturb = (...faults: string[]) => control('PUT', 'faults', { faults });
  return { url: server.url, control, disturb, sandbox };
}

/** Returns a control of the sandbox that uses the control endpoints. */
function remoteControl(
  control: Awaited<ReturnType<typeof openServer>>['control'],
): Pick<Sandbox['control'], 'list' | 'force' | 'evict'> {
  return {
    list: async () => (await control('GET', 'operations')).body.operations as object[],
    force: async (id, status) =>
      (await control('POST', `operations/${id}/force`, { status })).status === 200,
    evict: async (phoneNumber) => void (await control('POST', 'sessions/evict', { phoneNumber })),
  };
}

describe('the sandbox over HTTP', () => {
  providerContract(async (clock) => {
    const { url, control } = await openServer(clock);
    return { provider: http(url), control: remoteControl(control) };
  });
});

describe('the HTTP provider', () => {
  async function begin() {
    const server = await openServer(createManualClock());
    const provider = http(server.url);
    const { profileId, ...session } = await signIn(provider);
    const input = { session, profileId, amount: 1500, latitude: 1, longitude: 1 };
    const count = async () => (await server.sandbox.control.list()).length;
    return { ...server, provider, session, input, count };
  }

  it('retries a read after a broken connection', async () => {
    const { disturb, provider, session } = await begin();
    await disturb('lost-before@session/check x1');
    expect(await provider.checkSession({ session }, call)).toMatchObject({ StatusCode: 0 });
  });

  it.each([
    ['no key', { mayRepeat: true }],
    ['a provider that is not idempotent', { idempotencyKey: 'k' }],
  ])('sends a money request only once with %s', async (_, more) => {
    const { disturb, control, provider, input, count } = await begin();
    await disturb('lost x2');
    const pending = provider.createQr(input, { ...call, ...more });
    await expect(pending).rejects.toMatchObject({ kind: 'failure', isClear: false });
    expect(await count()).toBe(1);
    expect((await control('GET', 'faults')).body).toEqual({ faults: ['lost x1'] });
  });

  it('retries a money request with its key if this is allowed, and the money moves once', async () => {
    const { disturb, provider, input, count } = await begin();
    await disturb('lost x1');
    const made = await provider.createQr(input, { ...call, idempotencyKey: 'k', mayRepeat: true });
    expect(made).toMatchObject({ StatusCode: 0 });
    expect(await count()).toBe(1);
  });

  it('does not report a refusal of the retry as a refusal of the first attempt', async () => {
    const { disturb, provider, input, count } = await begin();
    await disturb('lost x1');
    // A payment with this amount ends the session, so the provider refuses the retry.
    const evicting = { ...input, amount: 109 };
    const pending = provider.createQr(evicting, { ...call, idempotencyKey: 'k', mayRepeat: true });
    await expect(pending).rejects.toMatchObject({
      kind: 'session_ended',
      code: 'provider_error',
      isClear: false,
    });
    expect(await count()).toBe(1);
  });

  it('does not retry after an answer, even if it is an error', async () => {
    const { disturb, control, provider, session } = await begin();
    await disturb('error@session/check x2');
    await expect(provider.checkSession({ session }, call)).rejects.toMatchObject({
      kind: 'failure',
    });
    expect((await control('GET', 'faults')).body).toEqual({ faults: ['error@session/check x1'] });
  });

  it('does not retry after a time-out', async () => {
    const { url, disturb, control, session } = await begin();
    await disturb('hang@session/check x2');
    await expect(http(url, 50).checkSession({ session }, call)).rejects.toMatchObject({
      kind: 'timeout',
      code: 'provider_error',
    });
    expect((await control('GET', 'faults')).body).toEqual({ faults: ['hang@session/check x1'] });
  });

  it('ends a call when the caller aborts', async () => {
    const { disturb, provider, session } = await begin();
    await disturb('hang@session/check x1');
    const caller = new AbortController();
    const pending = provider.checkSession({ session }, { signal: caller.signal });
    setTimeout(() => caller.abort(), 20);
    await expect(pending).rejects.toMatchObject({ kind: 'failure' });
  });

  it('reports that the provider cannot be reached if no server listens', async () => {
    const provider = http('http://127.0.0.1:1');
    await expect(provider.startSignIn({}, call)).rejects.toMatchObject({
      kind: 'failure',
      isClear: true,
      message: 'The provider cannot be reached.',
      hint: expect.stringContaining('http://127.0.0.1:1.'),
    });
  });

  it('uses a server that reports every fault in an invalid request and rejects unknown paths', async () => {
    const { url, control } = await begin();
    const response = await fetch(`${url}/provider/v1/sign-in/phone`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      details: [{ path: '/processId' }, { path: '/phoneNumber' }],
    });
    expect((await fetch(`${url}/provider/v1/nothing`, { method: 'POST' })).status).toBe(404);
    expect((await control('GET', 'nothing')).status).toBe(404);
    expect((await control('PUT', 'faults', { errors: 1 })).status).toBe(400);
  });
});

describe('a sandbox server with a fault', () => {
  async function begin(...faults: string[]) {
    const clock = createManualClock();
    const server = await openServer(clock);
    const provider = guardProvider(http(server.url), { clock: systemClock, timeout: 5000 });
    const { profileId, ...session } = await signIn(provider);
    expect((await server.disturb(...faults)).status).toBe(200);
    const input = { session, profileId, amount: 1500, latitude: 1, longitude: 1 };
    const count = async () => (await server.sandbox.control.list()).length;
    return { ...server, clock, provider, session, input, count };
  }

  it.each([
    ['lost', 1, 'The connection to the provider was lost before it responded.'],
    ['lost-before', 0, 'The connection to the provider was lost before it responded.'],
    ['error', 0, 'The provider responded with HTTP 500.'],
    ['error-after', 1, 'The provider responded with HTTP 500.'],
    ['html', 1, "The provider's answer is not a JSON object."],
    ['code=OK', 1, "The provider's answer has an invalid StatusCode."],
  ])('%s leaves the outcome unknown and creates %d operations', async (fault, made, message) => {
    const { provider, input, count } = await begin(`${fault} x1`);
    const pending = provider.createQr(input, { ...call, idempotencyKey: 'k' });
    await expect(pending).rejects.toMatchObject({ kind: 'failure', isClear: false, message });
    expect(await count()).toBe(made);
  });

  it('lost returns the created operation to a retry with the same key', async () => {
    const { provider, input, count } = await begin('lost x1');
    const again = { ...call, idempotencyKey: 'k', mayRepeat: true };
    expect(readCreated('qr', await provider.createQr(input, again)).amount).toBe(1500);
    expect(await count()).toBe(1);
  });

  it('late delivers the created operation after the time-out', async () => {
    const { url, clock, session, input, count } = await begin('late=1 x1');
    const hasty = guardProvider(http(url, 300), { clock: systemClock, timeout: 300 });
    const before = clock.sleepers;
    const error = (await hasty.createQr(input, call).catch((thrown) => thrown)) as ProviderError;
    expect(error).toMatchObject({ kind: 'timeout', isClear: false });
    await expect.poll(() => clock.sleepers).toBe(before + 1);
    expect(await count()).toBe(1);
    await clock.advance(1000);
    const { id } = readCreated('qr', (await error.late) ?? {});
    const seen = await hasty.qrStatus({ session, qrOperationId: id }, call);
    expect(readObserved(seen, id).id).toBe(id);
  });

  it('hang ends the call when the server stops', async () => {
    const { control, provider, input, count } = await begin('hang x1');
    const pending = expect(provider.createQr(input, call)).rejects.toMatchObject({
      isClear: false,
    });
    const left = async () => (await control('GET', 'faults')).body.faults;
    await expect.poll(left).toEqual([]);
    for (const close of closers.splice(0)) await close();
    await pending;
    expect(await count()).toBe(0);
  });

  it('id=big preserves every digit of IDs', async () => {
    const { clock, provider, session, input } = await begin('id=big');
    const answer = await provider.createQr(input, call);
    const { id } = readCreated('qr', answer);
    expect(id).toMatch(/^9\d{18}$/);
    const seen = await provider.qrStatus({ session, qrOperationId: id }, call);
    expect(seen).toMatchObject({ Data: { Id: BigInt(id), QrOperationId: BigInt(id) } });
    await clock.advance(4000);
    const refund = { session, qrOperationId: BigInt(id), returnAmount: 5 };
    expect(readRefunded(await provider.refund(refund, call))).toMatchObject({ paymentId: id });
    const details = { session, id: BigInt(id), operationMethod: 0 };
    expect(readOperation(await provider.operationDetails(details, call))).toMatchObject({ id });
  });

  it('no-lookup is reported as a failure, not as not_found', async () => {
    const { provider, session } = await begin('no-lookup');
    const pending = provider.lookup({ session, operation: 'qr/create' }, call);
    await expect(pending).rejects.toMatchObject({ kind: 'failure' });
  });

  it('accepts numbers as text and text as numbers', async () => {
    const { url, clock, session, provider, input } = await begin();
    const post = async (path: string, body: object) => {
      const headers = {
        'content-type': 'application/json',
        'x-token-sn': session.tokenSN,
        'x-vtoken-secret': session.secret,
      };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      const response = await fetch(`${url}/provider/v1/${path}`, init);
      return { status: response.status, body: (await response.json()) as ProviderAnswer };
    };
    const { profileId } = input;
    const coordinates = { latitude: '43.2', longitude: '76.9' };
    const made = await post('qr/create', {
      profileId: `${profileId}`,
      amount: '1500.5',
      ...coordinates,
    });
    const { id, amount } = readCreated('qr', made.body);
    expect(amount).toBe(1500.5);
    await clock.advance(4000);
    expect((await post('qr/status', { qrOperationId: Number(id) })).body).toMatchObject({
      Data: { Status: 'Processed' },
    });
    const refund = { qrOperationId: id, returnAmount: '0.5' };
    expect((await post('refunds/create', refund)).body).toMatchObject({ Data: { Amount: 0.5 } });
    const details = { id, operationMethod: '0' };
    expect((await post('operations/details', details)).status).toBe(200);
    expect((await post('qr/create', { profileId, amount: 'many', ...coordinates })).status).toBe(
      400,
    );
    expect((await provider.checkSession({ session }, call)).StatusCode).toBe(0);
  });

  it('rejects an unknown fault and keeps the current faults', async () => {
    const { control, disturb } = await begin('lost x2');
    const refused = await disturb('lose');
    expect(refused).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('Unknown fault "lose"') },
    });
    expect((await control('GET', 'faults')).body).toEqual({ faults: ['lost x2'] });
    expect((await disturb('twice')).body).toEqual({ faults: ['twice'] });
    expect((await control('DELETE', 'faults')).body).toEqual({ faults: [] });
    expect((await control('GET', 'faults')).body).toMatchObject({ faults: [] });
  });
});

describe('a response that may not come from the provider', () => {
  async function answering(status: number, body: string): Promise<PaymentProvider> {
    const server = createServer((_request, response) => {
      response.writeHead(status, { location: '/elsewhere' }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const { port } = server.address() as AddressInfo;
    return http(`http://127.0.0.1:${port}/api/`);
  }

  it.each([
    [404, '<h1>nginx</h1>', 'failure'],
    [404, '{"kind":"not_found","message":"No."}', 'not_found'],
    [404, '{"message":"No route."}', 'failure'],
    [401, '{"kind":"session_ended","message":"Again."}', 'session_ended'],
    [409, '{"kind":"refused","message":"No.","answer":{"StatusCode":-7}}', 'refused'],
    [500, '{"kind":"toString"}', 'failure'],
    [302, '', 'failure'],
    [200, 'not json', 'failure'],
    [200, '[]', 'failure'],
    [200, 'null', 'failure'],
  ])('with HTTP %d and the body %s is reported as %s', async (status, body, kind) => {
    const provider = await answering(status, body);
    await expect(provider.startSignIn({}, call)).rejects.toMatchObject({ kind });
  });

  it('is reported as too long if it exceeds the limit', async () => {
    const provider = await answering(200, JSON.stringify({ text: 'x'.repeat(1_100_000) }));
    await expect(provider.startSignIn({}, call)).rejects.toMatchObject({
      kind: 'failure',
      message: "The provider's answer is too long.",
    });
  });

  it("is reported with the provider's message and details if it is a refusal", async () => {
    const provider = await answering(409, '{"kind":"refused","message":"No.","answer":{"a":1}}');
    await expect(provider.startSignIn({}, call)).rejects.toMatchObject({
      message: 'No.',
      details: { a: 1 },
    });
  });
});
