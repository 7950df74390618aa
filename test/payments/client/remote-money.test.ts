import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../helpers/manual-clock.js';
import {
  answerJson,
  clientOf,
  failureOf,
  openScriptedGateway,
  type ScriptedGateway,
  session,
} from './scripted-gateway.js';

const repeat = { key: 'sale-1', isNew: true };
const made = { StatusCode: 0, Data: { QrOperationId: 1001 } };
const inDoubt = {
  exitCode: 7,
  fields: { outcome: 'unknown' },
  headers: { 'Idempotency-Key': 'sale-1' },
};

async function createQr({ url }: ScriptedGateway, more = {}) {
  return (await clientOf(url, more).cashier(session)).createQr({ amount: 1500 }, repeat);
}

describe('a money request', () => {
  it('sends session, key and profile as headers, and preserves every digit of an ID', async () => {
    const gateway = await openScriptedGateway((_, response) =>
      answerJson(response, '{"StatusCode":0,"Data":{"Id":123456789012345678901}}'),
    );
    const cashier = await clientOf(gateway.url).cashier(session);
    const order = { qrOperationId: 98765432109876543210n, returnAmount: 10.5 };
    expect(await cashier.refund(order, repeat)).toEqual({
      StatusCode: 0,
      Data: { Id: 123456789012345678901n },
    });
    await cashier.createInvoice({ phoneNumber: '77011234567', amount: 1, profileId: 5 }, repeat);
    expect(gateway.seen).toMatchObject([
      {
        line: 'POST /api/refund/create',
        headers: {
          'x-token-sn': 'token',
          'x-vtoken-secret': 'secret',
          'idempotency-key': 'sale-1',
          'content-type': 'application/json',
        },
        body: '{"qrOperationId":98765432109876543210,"returnAmount":10.5}',
      },
      {
        line: 'POST /api/invoice/create',
        headers: { 'x-profile-id': '5' },
        body: '{"phoneNumber":"77011234567","amount":1}',
      },
    ]);
  });

  it('is retried once with its key if the connection breaks before the response', async () => {
    const operations = new Map<unknown, object>();
    const gateway = await openScriptedGateway(({ headers }, response) => {
      const key = headers['idempotency-key'];
      const isKnown = operations.has(key);
      operations.set(key, made);
      // The operation is created, and the response is lost.
      if (isKnown) answerJson(response, operations.get(key));
      else response.destroy();
    });
    expect(await createQr(gateway)).toEqual(made);
    expect(gateway.seen.map(({ headers }) => headers['idempotency-key'])).toEqual([
      'sale-1',
      'sale-1',
    ]);
    expect(operations.size).toBe(1);
  });

  it('is in doubt and is not sent a third time if the connection breaks twice', async () => {
    const gateway = await openScriptedGateway((_, response) => response.destroy());
    const failure = await failureOf(createQr(gateway));
    expect(failure).toMatchObject({ code: 'payments_unavailable', ...inDoubt });
    expect(failure.message).toContain('was lost before it responded');
    expect(gateway.seen).toHaveLength(2);
  });

  it.each([
    ['a web page of a proxy', 502, '<html>Bad gateway</html>', 'text/html'],
    ['JSON of a proxy', 504, '{"error":"upstream","code":504}', 'application/json'],
    ['JSON with an unknown error code', 502, '{"error":"x","code":"up"}', 'application/json'],
    ['truncated JSON', 200, '{"StatusCode":0', 'application/json'],
    ['a web page instead of JSON', 200, '<html>Sign in</html>', 'text/html'],
    ['a list', 200, '[]', 'application/json'],
    ['nothing', 204, '', 'application/json'],
    ['invalid UTF-8', 200, Buffer.from([0xff, 0xfe, 0x7b]), 'application/json'],
    ['a redirect', 302, '', 'text/plain'],
    [
      'its own fault',
      500,
      '{"error":"Something went wrong","code":"internal_error"}',
      'application/json',
    ],
  ])('is in doubt and is not retried if the response is %s (%i)', async (_, status, body, type) => {
    const gateway = await openScriptedGateway((_request, response) => {
      response.writeHead(status, {
        'content-type': type,
        ...(status === 302 ? { location: 'https://elsewhere.example/api' } : {}),
      });
      response.end(body);
    });
    expect(await failureOf(createQr(gateway))).toMatchObject(inDoubt);
    expect(gateway.seen).toHaveLength(1);
  });

  it('is in doubt if the response is truncated', async () => {
    const gateway = await openScriptedGateway((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"StatusCode":0,', () => response.destroy());
    });
    const failure = await failureOf(createQr(gateway));
    expect(failure).toMatchObject(inDoubt);
    expect(failure.message).toContain('was cut off');
    expect(gateway.seen).toHaveLength(1);
  });

  it('is not in doubt if the gateway rejects it', async () => {
    const gateway = await openScriptedGateway((_, response) =>
      answerJson(
        response,
        { error: 'Not so much.', code: 'refused', details: { StatusCode: -5 } },
        409,
      ),
    );
    const failure = await failureOf(createQr(gateway));
    expect(failure).toMatchObject({
      code: 'refused',
      message: 'Not so much.',
      details: { StatusCode: -5 },
      exitCode: 1,
    });
    expect(failure.fields).toEqual({});
  });

  it('reports its key and the reason, but no hint, if the gateway responds that the outcome is unknown', async () => {
    const gateway = await openScriptedGateway((_, response) =>
      answerJson(
        response,
        {
          outcome: 'unknown',
          error:
            'The provider did not respond in time. The money may have moved. Repeat the request only with the same Idempotency-Key. A different key could move it again.',
          code: 'provider_error',
          details: {},
        },
        500,
      ),
    );
    expect(await failureOf(createQr(gateway))).toMatchObject({
      code: 'provider_error',
      ...inDoubt,
      cause: { message: 'The provider did not respond in time.' },
    });
  });

  it.each([
    ['refused', 409, false],
    ['provider_error', 500, false],
    ['session_ended', 500, false],
    ['storage_unavailable', 503, true],
    ['rate_limited', 429, true],
    ['not_signed_in', 401, true],
  ])(
    'whose retry after a lost response fails with %s (%i) is in doubt: %s',
    async (code, status, doubt) => {
      const gateway = await openScriptedGateway(({ line }, response) => {
        if (gateway.seen.length === 1) response.destroy();
        else if (line.startsWith('GET')) answerJson(response, {});
        else answerJson(response, { error: 'No.', code }, status);
      });
      const failure = await failureOf(createQr(gateway));
      expect([failure.code, failure.fields]).toEqual([code, doubt ? { outcome: 'unknown' } : {}]);
    },
  );

  it('is not in doubt if the gateway cannot be reached', async () => {
    const gateway = await openScriptedGateway(() => {});
    gateway.close();
    const failure = await failureOf(createQr(gateway));
    expect(failure).toMatchObject({ code: 'payments_unavailable', exitCode: 1, fields: {} });
    expect(failure.message).toBe(
      `The gateway at ${gateway.url} cannot be reached: the connection was refused.`,
    );
  });

  it('is in doubt after a minute without a response, and is not retried', async () => {
    const clock = createManualClock();
    const gateway = await openScriptedGateway(() => {});
    const creating = failureOf(createQr(gateway, { clock }));
    await expect.poll(() => gateway.seen.length).toBe(1);
    await clock.advance(59_000);
    const failure = await creating;
    expect(failure).toMatchObject({ code: 'payments_unavailable', ...inDoubt });
    expect(failure.message).toContain('did not respond within');
    expect(gateway.seen).toHaveLength(1);
  });

  it('is in doubt if it is interrupted after it has been sent', async () => {
    const interruption = new AbortController();
    const gateway = await openScriptedGateway(() => interruption.abort('SIGINT'));
    expect(await failureOf(createQr(gateway, { signal: interruption.signal }))).toMatchObject({
      code: 'in_doubt',
      ...inDoubt,
    });
  });
});
