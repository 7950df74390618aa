import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../helpers/test-server.js';
import {
  countUntilLimited,
  createMessagingClient,
  type MessagingClient,
  password,
} from './messaging-client.js';

let server: TestServer;
let client: MessagingClient;

beforeAll(async () => {
  server = await startTestServer({ only: 'site' });
  client = await createMessagingClient(server.site);
});

afterAll(() => server.close());

it('the sign-in limit counts only wrong passwords and codes', async () => {
  const ann = await client.register();
  const change = (currentPassword: string) => {
    const body = { currentPassword, newPassword: 'brand new words' };
    return client.api('PUT', '/api/users/me/password', { token: ann.token, body });
  };
  const end = () =>
    client.api('DELETE', '/api/users/me', { token: ann.token, body: { password: 'wrong' } });
  const reset = () => {
    const body = { email: ann.email, code: 'ABCDEFGHJKMN', newPassword: 'brand new words' };
    return client.api('POST', '/api/auth/reset', { body });
  };
  for (let n = 0; n < 4; n += 1) expect((await client.signIn(ann.email)).status).toBe(200);
  for (let n = 0; n < 3; n += 1) expect((await change('wrong')).status).toBe(403);
  for (let n = 0; n < 3; n += 1) expect((await end()).status).toBe(403);
  for (let n = 0; n < 3; n += 1) expect((await reset()).status).toBe(401);
  expect((await client.signIn(ann.email, 'wrong')).status).toBe(401);
  for (const answer of [
    await change(password),
    await end(),
    await reset(),
    await client.signIn(ann.email),
  ]) {
    expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
});

it('token renewals and user searches are limited per user', async () => {
  const [ann, bob] = [await client.register(), await client.register()];
  const { token } = ann;
  const renew = () => client.api('POST', '/api/auth/renew', { token });
  expect(await countUntilLimited(renew)).toBe(30);
  const search = (who: string) => () => client.api('GET', '/api/users?q=x', { token: who });
  expect(await countUntilLimited(search(token))).toBeGreaterThanOrEqual(60);
  expect((await client.api('GET', '/api/users', { token })).status).toBe(200);
  expect((await search(bob.token)()).status).toBe(200);
});
