import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createManualClock } from '../../helpers/manual-clock.js';
import {
  answerJson,
  clientOf,
  failureOf,
  openScriptedGateway,
  row,
  type ScriptedGateway,
  session,
} from './scripted-gateway.js';

const facts = {
  orgName: 'Shop',
  phone: '77011234567',
  organizationId: 17,
  profileId: 17,
  zone: 'Asia/Almaty',
};

function find({ url }: Pick<ScriptedGateway, 'url'>, more = {}) {
  return clientOf(url, more).records(session).find({ id: '1001', type: 'qr' });
}

describe('a read', () => {
  it('is retried if the connection breaks or a proxy cannot reach the gateway', async () => {
    const gateway = await openScriptedGateway((_, response) => {
      if (gateway.seen.length === 1) response.destroy();
      else if (gateway.seen.length === 2) answerJson(response, '<html>', 502);
      else answerJson(response, { payment: row });
    });
    expect(await find(gateway)).toEqual(row);
    expect(gateway.seen.map(({ line }) => line)).toEqual(
      Array(3).fill('GET /api/payments/qr%3A1001'),
    );
  });

  it('is sent at most three times', async () => {
    const gateway = await openScriptedGateway((_, response) => answerJson(response, '<html>', 503));
    const failure = await failureOf(find(gateway));
    expect(failure.code).toBe('payments_unavailable');
    expect(failure.message).toContain('responds with 503');
    expect(gateway.seen).toHaveLength(3);
  });

  it('is retried after the time in Retry-After', async () => {
    const gateway = await openScriptedGateway((_, response) => {
      if (gateway.seen.length > 1) return answerJson(response, { payment: row });
      response.setHeader('retry-after', '0');
      answerJson(response, { error: 'Too many requests.', code: 'rate_limited' }, 429);
    });
    expect(await find(gateway)).toEqual(row);
  });

  it('is not retried after an error response of the gateway', async () => {
    const gateway = await openScriptedGateway((_, response) =>
      answerJson(response, { error: 'There is no payment 1001.', code: 'not_found' }, 404),
    );
    expect(await failureOf(find(gateway))).toMatchObject({
      code: 'not_found',
      message: 'There is no payment 1001.',
    });
    expect(gateway.seen).toHaveLength(1);
  });

  it('fails within a minute if the gateway does not respond', async () => {
    const clock = createManualClock();
    const gateway = await openScriptedGateway(() => {});
    const finding = failureOf(find(gateway, { clock }));
    await expect.poll(() => gateway.seen.length).toBe(1);
    await clock.advance(59_000);
    expect(await finding).toMatchObject({ code: 'payments_unavailable', exitCode: 1 });
    expect(clock.sleepers).toBe(0);
  });

  it('ends immediately when the command is interrupted', async () => {
    const interruption = new AbortController();
    const gateway = await openScriptedGateway(() => interruption.abort());
    const failure = await failureOf(find(gateway, { signal: interruption.signal }));
    expect(failure.code).toBe('interrupted');
  });

  it('rejects a response with too many bytes', async () => {
    const gateway = await openScriptedGateway((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
        response.once('drain', more);
      };
      more();
    });
    const failure = await failureOf(find(gateway));
    expect(failure.message).toContain('Its response is too long');
  });

  it('rejects a response that is nested too deeply', async () => {
    const gateway = await openScriptedGateway((_, response) =>
      answerJson(response, `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`),
    );
    expect((await failureOf(find(gateway))).message).toContain('not a msgsite gateway');
  });
});

describe('a server that is not a gateway', () => {
  it.each([
    ['a web page', 200, '<html>', 'text/html', 'The response is a web page'],
    [
      'JSON of a different shape',
      200,
      '{"payment":{"id":1}}',
      'application/json',
      'may be running a different version',
    ],
    [
      'the site',
      404,
      '{"ok":false,"error":"There is nothing at /api.","code":"not_found"}',
      'application/json',
      'its own port',
    ],
    ['another service', 404, 'not here', 'text/plain', 'The response has status 404'],
  ])('is reported if it returns %s', async (_, status, body, type, words) => {
    const gateway = await openScriptedGateway((_request, response) => {
      response.writeHead(status, { 'content-type': type });
      response.end(body);
    });
    const failure = await failureOf(find(gateway));
    expect(failure).toMatchObject({ code: 'payments_unavailable', exitCode: 1 });
    expect(failure.message).toContain(`The server at ${gateway.url} is not a msgsite gateway.`);
    expect(failure.message).toContain(words);
  });

  it('never receives the session through a redirect', async () => {
    const other = await openScriptedGateway((_, response) =>
      answerJson(response, { payment: row }),
    );
    const gateway = await openScriptedGateway((_, response) => {
      response.writeHead(307, { location: `${other.url}/moved?to=1` });
      response.end();
    });
    const failure = await failureOf(find(gateway));
    expect(failure.message).toContain(`It redirects to ${other.url}/moved.`);
    expect([gateway.seen.length, other.seen.length]).toEqual([1, 0]);
  });

  it('is reported if it does not speak HTTP', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.end('220 mail.example ESMTP\r\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo; // A TCP server has a port.
    const failure = await failureOf(find({ url: `http://127.0.0.1:${port}` }));
    expect(failure.message).toContain('The response is not HTTP.');
  });
});

describe('a failed request', () => {
  it('has the code, message, details and fields of the gateway’s error', async () => {
    const gateway = await openScriptedGateway((_, response) =>
      answerJson(
        response,
        {
          success: false,
          error: 'Wrong code.',
          code: 'bad_request',
          details: { attemptsLeft: 4 },
        },
        400,
      ),
    );
    const failure = await failureOf(clientOf(gateway.url).signIn.verifyOtp('p', '000000'));
    expect(failure).toMatchObject({
      code: 'bad_request',
      message: 'Wrong code.',
      details: { attemptsLeft: 4 },
      fields: { success: false },
    });
  });

  it('with an invalid session is reported as not_signed_in with a hint', async () => {
    const gateway = await openScriptedGateway((_, response) =>
      answerJson(response, { error: 'No.', code: 'unauthorized' }, 401),
    );
    expect(await failureOf(find(gateway))).toMatchObject({
      code: 'not_signed_in',
      exitCode: 4,
      hint: expect.stringContaining('msgsite pay login'),
    });
  });

  it.each(['to\nken', 'tökén', '', 'x'.repeat(5_000)])(
    'does not send a token that is not a valid header value (case %#)',
    async (tokenSN) => {
      const gateway = await openScriptedGateway((_, response) =>
        answerJson(response, { payment: row }),
      );
      const client = clientOf(gateway.url);
      const failure = await failureOf(
        (async () => client.records({ ...session, tokenSN }).find({ id: '1' }))(),
      );
      expect([failure.code, gateway.seen.length]).toEqual(['not_signed_in', 0]);
    },
  );

  it('has exit code 4 and is not retried if the provider has ended the session', async () => {
    const gateway = await openScriptedGateway((_, response) =>
      answerJson(response, { error: 'Signed out.', code: 'session_ended', details: {} }, 500),
    );
    const cashier = await clientOf(gateway.url).cashier(session);
    expect(await failureOf(cashier.invoiceHistory())).toMatchObject({
      code: 'session_ended',
      message: 'Signed out.',
      exitCode: 4,
    });
    expect(gateway.seen.map(({ line }) => line)).toEqual(['POST /api/invoice/history']);
  });
});

describe('a remote client', () => {
  it('requests the session and the time zone only once', async () => {
    const gateway = await openScriptedGateway((_, response) => answerJson(response, facts));
    const client = clientOf(gateway.url);
    const cashier = await client.cashier(session);
    expect(await cashier.facts()).toEqual({ ...facts, zone: undefined });
    expect(await client.zone()).toBe('Asia/Almaty');
    expect(gateway.seen.map(({ line }) => line)).toEqual(['GET /api/session']);
    expect(await failureOf(clientOf(gateway.url).zone())).toMatchObject({ code: 'not_signed_in' });
  });

  it('works with a gateway whose URL has a path', async () => {
    const gateway = await openScriptedGateway((_, response) => answerJson(response, facts));
    const client = clientOf(`${gateway.url}/shop/pay`);
    expect(client.origin).toBe(gateway.url);
    await (await client.cashier(session)).facts();
    expect(gateway.seen[0]?.line).toBe('GET /shop/pay/api/session');
  });

  it('signs in with three steps that require no session', async () => {
    const answers: Readonly<Record<string, object>> = {
      'POST /api/auth/init': {
        success: true,
        processId: 'p1',
        view: 'EnterPhoneNumber',
        body: {},
      },
      'POST /api/auth/send-phone': {
        success: true,
        processId: 'p1',
        desc: 'Sent.',
        view: 'EnterOtp',
      },
      'POST /api/auth/verify-otp': {
        success: true,
        processId: 'p1',
        step: 'finished',
        message: 'Signed in.',
        ...session,
        ...facts,
        organizations: [],
      },
    };
    const gateway = await openScriptedGateway(({ line }, response) =>
      answerJson(response, answers[line]),
    );
    const { signIn } = clientOf(gateway.url);
    expect(await signIn.start()).toMatchObject({ processId: 'p1' });
    expect(await signIn.sendPhone('p1', '77011234567')).toMatchObject({ desc: 'Sent.' });
    expect(await signIn.verifyOtp('p1', '123456')).toMatchObject(session);
    expect(gateway.seen.map(({ headers }) => headers['x-token-sn'])).toEqual(
      Array(3).fill(undefined),
    );
  });

  it('signs out of a valid session only', async () => {
    let isKnown = true;
    const gateway = await openScriptedGateway(({ line }, response) => {
      if (line.startsWith('POST')) return answerJson(response, { success: true });
      if (isKnown) return answerJson(response, facts);
      answerJson(response, { error: 'No.', code: 'unauthorized' }, 401);
    });
    const cashier = await clientOf(gateway.url).cashier(session);
    await cashier.logOut();
    isKnown = false;
    expect(await failureOf(cashier.logOut())).toMatchObject({ code: 'not_signed_in' });
    expect(gateway.seen.filter(({ line }) => line === 'POST /api/auth/logout')).toHaveLength(1);
  });
});

describe('lists of a remote client', () => {
  /** Opens a gateway with `count` payments, 100 per page, newest first. */
  async function gatewayOf(count: number, state = 'ended') {
    return openScriptedGateway(({ line }, response) => {
      const after = new URL(line.slice(4), 'http://gateway').searchParams.get('after');
      const first = after === null ? 0 : Number(after.split('-').at(-1));
      const ids = Array.from({ length: Math.min(100, count - first) }, (_, at) => first + at + 1);
      const payments = ids.map((id) => ({
        ...row,
        state,
        paymentId: String(id),
        cursor: `${2_000_000 - id}-17-qr-${id}`,
      }));
      answerJson(response, { payments, hasMore: first + payments.length < count });
    });
  }
  const states = ['open', 'ended', 'unknown'] as const;

  it('are read page by page up to the limit', async () => {
    const gateway = await gatewayOf(250);
    const records = clientOf(gateway.url).records(session);
    const all = await records.payments({ states, limit: Number.POSITIVE_INFINITY });
    expect([all.rows.length, all.more]).toEqual([250, false]);
    expect(gateway.seen.map(({ line }) => line)).toEqual([
      'GET /api/payments',
      'GET /api/payments?after=1999900-17-qr-100',
      'GET /api/payments?after=1999800-17-qr-200',
    ]);
    const some = await records.payments({ states, limit: 100 });
    expect([some.rows.length, some.more]).toEqual([100, true]);
    expect(await records.payments({ states: ['open'], limit: 1 })).toMatchObject({ more: true });
    expect(gateway.seen.at(-1)?.line).toBe('GET /api/payments?state=open');
  });

  it('of two states are merged, newest first', async () => {
    const gateway = await gatewayOf(3);
    const records = clientOf(gateway.url).records(session);
    const { rows, more } = await records.payments({ states: ['open', 'ended'], limit: 4 });
    expect(rows.map(({ paymentId }) => paymentId)).toEqual(['1', '1', '2', '2']);
    expect(more).toBe(true);
  });

  it('end when a page is repeated', async () => {
    const gateway = await openScriptedGateway((_, response) =>
      answerJson(response, { payments: [row], hasMore: true }),
    );
    const reading = clientOf(gateway.url).records(session).payments({ states, limit: 1_000 });
    expect(await failureOf(reading)).toMatchObject({ code: 'too_large' });
    expect(gateway.seen).toHaveLength(2);
  });

  it('of refunds and intents contain no cursors and only the requested kinds', async () => {
    const refund = {
      id: '5',
      paymentId: '1001',
      type: 'refund',
      amount: 10,
      outcome: 'success',
      cashier: '77011234567',
      createdAt: row.createdAt,
    };
    const intent = (kind: string) => ({
      intent: '5f0c3a9e21d47b8860c1d2e3',
      kind,
      amount: 10,
      key: 'k',
      createdAt: row.createdAt,
      state: 'in_doubt',
      paymentId: null,
      candidates: [],
      closedAt: null,
    });
    const gateway = await openScriptedGateway(({ line }, response) =>
      answerJson(
        response,
        line.startsWith('GET /api/refunds')
          ? { refunds: [{ ...refund, cursor: '1-5' }], hasMore: false }
          : {
              intents: [
                { ...intent('qr'), cursor: '2-6' },
                { ...intent('refund'), cursor: '1-5' },
              ],
              hasMore: false,
            },
      ),
    );
    const records = clientOf(gateway.url).records(session);
    expect(await records.refunds({ only: 'ended', limit: 10 })).toEqual({
      rows: [refund],
      more: false,
    });
    const filter = { state: 'in_doubt', kinds: ['refund'], paymentId: '1001', limit: 10 } as const;
    expect(await records.intents(filter)).toEqual({ rows: [intent('refund')], more: false });
    expect(gateway.seen.map(({ line }) => line)).toEqual([
      'GET /api/refunds?state=ended',
      'GET /api/intents?state=in_doubt&kind=refund&paymentId=1001',
    ]);
  });
});
