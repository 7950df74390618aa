import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../helpers/test-server.js';

let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await startTestServer({
    env: { MSGSITE_RATE_LIMIT: 'off', MSGSITE_SANDBOX_SPEED: '1000' },
  });
  const answer = await fetch(`${server.site}/api/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'a', email: 'a@shop.kz', password: 'long enough' }),
  });
  token = ((await answer.json()) as { token: string }).token;
});

afterAll(() => server.close());

interface Operation {
  readonly method: string;
  readonly path: string;
}

async function operationsOf(url: string): Promise<Operation[]> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  );
}

const names = [
  ...['username', 'email', 'password', 'bio', 'avatar', 'type', 'name', 'participantId', 'text'],
  ...[
    'userId',
    'price',
    'features',
    'title',
    'date',
    'active',
    'theme',
    'phoneNumber',
    'processId',
  ],
  ...[
    'otp',
    'amount',
    'operationId',
    'endDate',
    'id',
    'qrOperationId',
    'returnAmount',
    '__proto__',
  ],
];
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    '77011234567',
    'a@shop.kz',
    'private',
    'group',
    1,
    0,
    -1,
    1e308,
    '\u0000',
    '￿',
    [],
  ),
);
const body = fc.oneof(
  fc
    .dictionary(fc.constantFrom(...names), value, { maxKeys: 6 })
    .map((object) => JSON.stringify(object)),
  fc.json(),
  fc.string(),
  fc.constantFrom('{"a":1', '[[[[[[', '{"__proto__":{"x":1}}', '"\\ud800"', '1e999', ''),
);
const id = fc.constantFrom(
  '1',
  '0',
  '-1',
  '999999999999999',
  'abc',
  '%00',
  '1;2',
  '%F0%9F%98%80',
  '..%2f',
);
const query = fc.constantFrom(
  '',
  '?limit=1',
  '?after=0&wait=0',
  '?limit=-1',
  '?after=%00',
  '?before=1&after=1',
  '?phoneNumber=77011234567',
  '?operationId=1',
  '?qrOperationId=%27',
  '?=&&==',
  '?after=99999999999999999999',
);
const headers = fc.record(
  {
    'Content-Type': fc.constantFrom(
      'application/json',
      'text/plain',
      'application/json; charset=utf-16',
      ';',
    ),
    'Idempotency-Key': fc.constantFrom('k', 'x'.repeat(300), ' ', 'é'),
    'If-None-Match': fc.constantFrom('*', 'W/', '""', '"x", "y"'),
    'X-Token-SN': fc.constantFrom('', 'x', '../../etc/passwd'),
    'X-Vtoken-Secret': fc.constantFrom('', 'x', 'AAAA.BBBB', '='.repeat(500)),
    'X-Profile-Id': fc.constantFrom('1', 'x', '-1'),
    Authorization: fc.constantFrom('signed', 'Bearer', 'Bearer x.y.z', 'Basic YTpi', 'Bearer '),
  },
  { requiredKeys: [] },
);

test.each(['site', 'gateway'] as const)(
  'the %s responds to malformed requests in its error envelope and never with 5xx',
  async (listener) => {
    const url = server[listener];
    const operations = await operationsOf(url);
    expect(operations.length).toBeGreaterThan(10);
    const request = fc.record({
      operation: fc.constantFrom(...operations),
      body,
      id,
      query,
      headers,
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ operation, body, id, query, headers }) => {
        const path = operation.path.replace(/\{\w+\}/g, id) + query;
        const sent: Record<string, string> = { ...headers };
        if (sent.Authorization === 'signed') sent.Authorization = `Bearer ${token}`;
        const response = await fetch(url + path, {
          method: operation.method,
          headers: sent,
          ...(operation.method === 'GET' ? {} : { body }),
        }).catch((error: unknown) => {
          // `fetch` rejects some header values and does not send such a request.
          if (error instanceof TypeError && !error.cause) return undefined;
          throw error;
        });
        if (!response) return;
        const text = await response.text();
        expect(response.status, `${operation.method} ${path} ${body} -> ${text}`).toBeLessThan(500);
        if (response.status >= 400) {
          const failure = JSON.parse(text);
          expect(typeof failure.error).toBe('string');
          expect(typeof failure.code).toBe('string');
          expect(failure.ok).toBe(listener === 'site' ? false : undefined);
        }
      }),
      { numRuns: 200 },
    );
  },
);
