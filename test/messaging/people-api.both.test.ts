import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { runCli } from '../helpers/run-cli.js';
import { createTestDatabase } from '../helpers/test-database.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';
import { createMessagingClient, type MessagingClient, password } from './messaging-client.js';

const token = 'a token of the operator';
let server: TestServer;
let client: MessagingClient;

beforeAll(async () => {
  server = await startTestServer({
    env: { MSGSITE_RATE_LIMIT: 'off', MSGSITE_ADMIN_TOKEN: token },
  });
  client = await createMessagingClient(server.site);
});

afterAll(() => server.close());

const admin = (method: string, path = '') =>
  client.api(method, `/api/admin/users${path}`, { token });
const found = async (query: string) =>
  (await admin('GET', query)).body.users.map(({ id }: { id: number }) => id);

describe('the admin API for people', () => {
  it('lists people with e-mail address and profile, ordered by ID, and finds them by name or e-mail address', async () => {
    const [asel, boris] = [await client.register('Әсел Қ.'), await client.register('Boris')];
    const { body } = await admin('GET', `?after=${asel.id - 1}&limit=1`);
    expect(body).toEqual({
      ok: true,
      users: [
        {
          id: asel.id,
          username: 'Әсел Қ.',
          email: asel.email,
          avatar: asel.avatar,
          bio: '',
          createdAt: expect.stringMatching(/Z$/),
        },
      ],
    });
    expect(await found('?q=асел')).toContain(asel.id);
    expect(await found(`?q=${boris.email.toUpperCase()}`)).toEqual([boris.id]);
    expect(await found(`?q=${boris.email}&after=${boris.id}`)).toEqual([]);
    expect(await found('?q=someone')).toEqual([]);
    const namesake = await client.register(`is not ${boris.email}`);
    expect(await found(`?q=${boris.email}`)).toEqual([boris.id, namesake.id]);
    expect(await found(`?q=${boris.email}&limit=1`)).toEqual([boris.id]);
    expect((await admin('GET', `?q=${'x'.repeat(255)}`)).status).toBe(400);
  });

  it('signs a user out everywhere', async () => {
    const ann = await client.register();
    expect((await admin('POST', `/${ann.id}/sign-out`)).body).toEqual({ ok: true });
    expect(await client.statusOf(ann.token)).toBe(401);
    expect((await client.signIn(ann.email)).status).toBe(200);
  });

  it('deletes an account once', async () => {
    const ann = await client.register();
    expect((await admin('DELETE', `/${ann.id}`)).body).toEqual({ ok: true, deleted: ann.id });
    expect(await client.statusOf(ann.token)).toBe(401);
    for (const [method, path] of [
      ['DELETE', ''],
      ['POST', '/sign-out'],
      ['POST', '/reset-code'],
    ] as const) {
      expect((await admin(method, `/${ann.id}${path}`)).status).toBe(404);
    }
    expect(await found(`?after=${ann.id - 1}&limit=1`)).not.toContain(ann.id);
    expect(await found(`?q=${ann.email}`)).toEqual([]);
  });

  it.each(['9999999', 'abc', '0'])('returns 404 for user %s', async (id) => {
    expect((await admin('POST', `/${id}/reset-code`)).status).toBe(404);
  });

  it('requires the admin token', async () => {
    const ann = await client.register();
    for (const wrong of [undefined, 'another token of length', ann.token]) {
      const call = wrong === undefined ? {} : { token: wrong };
      const answer = await client.api('GET', '/api/admin/users', call);
      expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    }
  });
});

it('the admin API for people is disabled without a configured admin token', async () => {
  const open = await startTestServer();
  onTestFinished(() => open.close());
  const { api, register } = await createMessagingClient(open.site);
  const { id } = await register();
  for (const [method, path] of [
    ['GET', ''],
    ['POST', `/${id}/reset-code`],
    ['POST', `/${id}/sign-out`],
    ['DELETE', `/${id}`],
  ] as const) {
    const answer = await api(method, `/api/admin/users${path}`, { token });
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    expect(answer.body.error).toContain('MSGSITE_ADMIN_TOKEN');
  }
  expect((await api('GET', '/api/admin/announcements')).status).toBe(200);
});

it('the admin API for people shares the limit for wrong tokens with the other admin endpoints', async () => {
  const guarded = await startTestServer({ env: { MSGSITE_ADMIN_TOKEN: token } });
  onTestFinished(() => guarded.close());
  const { api } = await createMessagingClient(guarded.site);
  const statuses = [];
  for (let n = 0; n < 11; n += 1) {
    const path = n % 2 === 0 ? '/api/admin/users' : '/api/admin/announcements';
    statuses.push((await api('GET', path, { token: 'a wrong one of them' })).status);
  }
  expect(statuses).toEqual([...Array(10).fill(401), 429]);
  expect((await api('GET', '/api/admin/users', { token })).status).toBe(429);
});

it('reset codes remain valid after a restart', async () => {
  const data = `${server.data}-codes`;
  const env = { MSGSITE_ADMIN_TOKEN: token };
  const first = await startTestServer({ data, env });
  const { api, register } = await createMessagingClient(first.site);
  const { id, email } = await register();
  const { code } = (await api('POST', `/api/admin/users/${id}/reset-code`, { token })).body;
  await first.close();
  const second = await startTestServer({ data, env });
  onTestFinished(() => second.close());
  const again = await createMessagingClient(second.site);
  const body = { email, code, newPassword: `${password}!` };
  expect((await again.api('POST', '/api/auth/reset', { body })).status).toBe(200);
});

it("the audit log records the operator's actions without the reset code", async () => {
  const data = `${server.data}-audit`;
  const storage = inject('postgres') ? { MSGSITE_DATABASE: await createTestDatabase() } : {};
  const env = { MSGSITE_ADMIN_TOKEN: token, ...storage };
  const audited = await startTestServer({ data, env, only: 'site' });
  onTestFinished(() => audited.close());
  const { api, register } = await createMessagingClient(audited.site);
  const { id } = await register();
  const { code } = (await api('POST', `/api/admin/users/${id}/reset-code`, { token })).body;
  await api('POST', `/api/admin/users/${id}/sign-out`, { token });
  await api('DELETE', `/api/admin/users/${id}`, { token });
  await api('DELETE', `/api/admin/users/${id}`, { token });
  const { stdout } = await runCli(['audit', '--data', data, '--json'], { env });
  expect(stdout).not.toContain(code);
  expect(JSON.parse(stdout).lines).toEqual(
    ['reset-code', 'sign-out', 'delete-account'].map((kind) => ({
      time: expect.any(String),
      kind,
      who: 'admin',
      amount: null,
      ids: { user: String(id) },
      outcome: 'success',
    })),
  );
});
