import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient } from '../helpers/api-client.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';

let server: TestServer;
let api: ApiClient;
let token: string;

beforeAll(async () => {
  server = await startTestServer();
  api = await createApiClient(server.site);
  const body = { username: 'Ann', email: 'ann@x.kz', password: 'correct horse' };
  token = (await api('POST', '/api/auth/register', { body })).body.token;
});

afterAll(() => server.close());

describe("an unknown query parameter of the site's API", () => {
  it.each([
    ['/api/users?limt=5', 'limt', 'is unknown; did you mean limit?'],
    ['/api/chats?waits=5', 'waits', 'is unknown; did you mean wait?'],
    ['/api/channels?filter=x', 'filter', 'is unknown; allowed: after, limit'],
    ['/api/auth/me?x', 'x', 'is unknown; no parameters are allowed'],
    ['/api/products?page=2', 'page', 'is unknown; no parameters are allowed'],
    ['/api/users?=5', '', 'is unknown; allowed: after, limit, q, ids'],
    ['/api/users?a%2Fb%7E=5', 'a~1b~0', 'is unknown; allowed: after, limit, q, ids'],
  ])('is rejected by name: %s', async (path, name, message) => {
    expect(await api('GET', path, { token })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', details: [{ path: `/${name}`, message }] },
    });
  });

  it('is listed once together with other violations, up to the first 20', async () => {
    const { body } = await api('GET', '/api/users?limit=x&foo=1&foo=2', { token });
    expect(body.details.map(({ path }: { path: string }) => path)).toEqual(['/limit', '/foo']);
    const many = Array.from({ length: 900 }, (_, n) => `p${n}`).join('&');
    const answer = await api('GET', `/api/users?${many}`, { token });
    expect(answer.status).toBe(400);
    expect(answer.body.details).toHaveLength(20);
    const long = await api('GET', `/api/users?${'x'.repeat(5000)}`, { token });
    expect(long.body.details[0].path).toBe(`/${'x'.repeat(40)}`);
  });

  it('is rejected before anything is changed', async () => {
    const body = { type: 'group', name: 'g' };
    expect((await api('POST', '/api/chats?notify=no', { token, body })).status).toBe(400);
    expect((await api('GET', '/api/chats', { token })).body.chats).toEqual([]);
    expect((await api('GET', '/api/chats?notify=no')).status).toBe(401);
  });

  it.each(['/?utm_source=x', '/style.css?v=2', '/openapi.json?x=1', '/health?x=1'])(
    'is ignored by pages: %s',
    async (path) => {
      expect((await fetch(server.site + path)).status).toBe(200);
    },
  );

  it('is ignored by the gateway', async () => {
    const init = { method: 'POST' };
    expect((await fetch(`${server.gateway}/api/auth/init?x=1`, init)).status).toBe(200);
  });
});
