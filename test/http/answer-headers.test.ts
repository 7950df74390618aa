import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../helpers/test-server.js';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ env: { MSGSITE_ADMIN_TOKEN: 'a token for these tests' } });
});

afterAll(() => server.close());

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/** Returns every operation that a listener describes, with sample values for its parameters. */
async function operationsOf(url: string): Promise<[method: string, address: string][]> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method): [string, string] => [
      method.toUpperCase(),
      url + path.replace(/\{\w+\}/g, '1'),
    ]),
  );
}

function directivesOf({ headers }: Response): string[] {
  return (headers.get('content-security-policy') ?? '').split('; ');
}

const nobodyMay = [
  "default-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

test('every response prohibits frames, sniffing and scripts, and errors are not cached', async () => {
  const known = [...(await operationsOf(server.site)), ...(await operationsOf(server.gateway))];
  const unknown: [string, string][] = [
    ['GET', `${server.site}/nowhere`],
    ['PATCH', `${server.site}/api/products`],
    ['PROPFIND', `${server.gateway}/health`],
  ];
  expect(known.length).toBeGreaterThan(30);
  for (const [method, address] of [...known, ...unknown]) {
    const answer = await fetch(address, { method });
    const place = `${method} ${address}`;
    expect(directivesOf(answer), place).toEqual(
      expect.arrayContaining([...nobodyMay, "form-action 'none'", 'sandbox']),
    );
    expect(answer.headers.get('x-content-type-options'), place).toBe('nosniff');
    expect(answer.headers.get('referrer-policy'), place).toBe('no-referrer');
    if (!answer.ok) expect(answer.headers.get('cache-control'), place).toBe('no-store');
  }
});

test.each(['/', '/admin.html', '/app.js', '/style.css', '/icon.svg'])(
  '%s may run only scripts of the site and may not be framed',
  async (path) => {
    const answer = await fetch(server.site + path);
    expect(answer.status).toBe(200);
    expect(directivesOf(answer)).toEqual(
      expect.arrayContaining([
        ...nobodyMay,
        "script-src 'self'",
        "style-src 'self'",
        "form-action 'self'",
      ]),
    );
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  },
);

test('responses with data of an account are not cached', async () => {
  const body = { username: 'Aigerim', email: 'aigerim@shop.kz', password: 'apricot and walnut' };
  const registered = await post('/api/auth/register', body);
  expect(registered.headers.get('cache-control')).toBe('no-store');
  const { token } = (await registered.json()) as { token: string };
  await post('/api/chats', { type: 'group', name: 'Ovens' }, token);
  const lists = ['/api/users', '/api/chats', '/api/channels'];
  for (const path of ['/api/auth/me', ...lists, '/api/chats/1/messages']) {
    const answer = await fetch(server.site + path, { headers: bearer(token) });
    expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([
      path,
      200,
      'no-store',
    ]);
  }
});

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

function post(path: string, body: object, token?: string): Promise<Response> {
  return fetch(server.site + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token ? bearer(token) : {}) },
    body: JSON.stringify(body),
  });
}
