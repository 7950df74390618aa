import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type ApiClient, createApiClient } from '../helpers/api-client.js';
import { runCli } from '../helpers/run-cli.js';
import { createTestDatabase } from '../helpers/test-database.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';

const all = ['owner', 'editor', 'orders'];
const content = ['owner', 'editor'];

/** The roles that can use each admin route. */
const table: Readonly<Record<string, readonly string[]>> = {
  'GET /api/admin/me': all,
  'GET /api/admin/admins': ['owner'],
  'POST /api/admin/admins': ['owner'],
  'DELETE /api/admin/admins/{name}': ['owner'],
  'GET /api/admin/users': ['owner'],
  'DELETE /api/admin/users/{id}': ['owner'],
  'POST /api/admin/users/{id}/reset-code': ['owner'],
  'POST /api/admin/users/{id}/sign-out': ['owner'],
  'POST /api/admin/products': content,
  'PUT /api/admin/products/{id}': content,
  'DELETE /api/admin/products/{id}': content,
  'POST /api/admin/products/{id}/restore': content,
  'GET /api/admin/products.csv': content,
  'POST /api/admin/products/import': content,
  'GET /api/admin/announcements': content,
  'POST /api/admin/announcements': content,
  'GET /api/admin/announcements/{id}': content,
  'PUT /api/admin/announcements/{id}': content,
  'DELETE /api/admin/announcements/{id}': content,
  'POST /api/admin/announcements/{id}/restore': content,
  'PUT /api/admin/settings': content,
  'PUT /api/admin/shop': content,
  'GET /api/admin/images': content,
  'POST /api/admin/images': content,
  'GET /api/admin/stock': all,
  'GET /api/admin/stock/{productId}': all,
  'PUT /api/admin/stock/{productId}': all,
  'GET /api/admin/orders': ['owner', 'orders'],
  'GET /api/admin/orders/{order}': ['owner', 'orders'],
  'PUT /api/admin/orders/{order}/fulfillment': ['owner', 'orders'],
  'GET /api/admin/sales': all,
  'PUT /api/admin/checkout': content,
};

let server: TestServer;
let api: ApiClient;
const tokens: Record<string, string> = {};

let env: Readonly<Record<string, string>>;

const cli = (...words: string[]) => runCli([...words, '--data', server.data, '--json'], { env });

beforeAll(async () => {
  env = inject('postgres') ? { MSGSITE_DATABASE: await createTestDatabase() } : {};
  server = await startTestServer({ env: { MSGSITE_RATE_LIMIT: 'off', ...env } });
  api = await createApiClient(server.site);
  for (const role of [...all, 'revoked']) {
    const granted = role === 'revoked' ? 'owner' : role;
    const { stdout } = await cli('admins', 'add', `The ${role}`, '--role', granted);
    tokens[role] = JSON.parse(stdout).token;
  }
  expect((await cli('admins', 'revoke', 'the REVOKED')).exitCode).toBe(0);
});
afterAll(() => server.close());

describe('the roles', () => {
  it('are listed in this test for every admin route', async () => {
    const { body } = await api('GET', '/openapi.json');
    const routes = Object.entries(body.paths as Record<string, Record<string, object>>)
      .filter(([path]) => path.startsWith('/api/admin/'))
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
      );
    expect(routes.sort()).toEqual(Object.keys(table).sort());
  });

  const cells = Object.entries(table).flatMap(([route, mayUse]) =>
    [...all, 'revoked', 'nobody'].map((who) => ({ route, who, allowed: mayUse.includes(who) })),
  );
  it.each(cells)('allow $route for $who: $allowed', async ({ route, who, allowed }) => {
    const [method = '', path = ''] = route.split(' ');
    const address = path.replace(/\{\w*[iI]d\}/, '999').replace('{name}', 'unknown');
    const token = who === 'nobody' ? undefined : tokens[who];
    const { status } = await api(method, address, token === undefined ? {} : { token });
    if (allowed) expect([401, 403]).not.toContain(status);
    else expect(status).toBe(all.includes(who) ? 403 : 401);
  });
});
