import { expect, it, onTestFinished } from 'vitest';
import { createManualClock } from '../helpers/manual-clock.js';
import { startTestServer } from '../helpers/test-server.js';
import { createMessagingClient } from './messaging-client.js';

const adminToken = 'a token of the operator';

async function setUp() {
  const clock = createManualClock(Date.now());
  const env = { MSGSITE_ADMIN_TOKEN: adminToken };
  const server = await startTestServer({ clock, env, only: 'site' });
  onTestFinished(() => server.close());
  const client = await createMessagingClient(server.site);
  return { clock, client, ann: await client.register() };
}

it('a renewed token remains valid for 60 seconds, even if it is renewed again', async () => {
  const { clock, client, ann } = await setUp();
  const renew = () => client.api('POST', '/api/auth/renew', { token: ann.token });
  const first = (await renew()).body.token;
  await clock.advance(40_000);
  const second = (await renew()).body.token;
  expect(await client.statusOf(ann.token)).toBe(200);
  await clock.advance(21_000);
  expect(await client.statusOf(ann.token)).toBe(401);
  expect((await renew()).status).toBe(401);
  for (const token of [first, second]) expect(await client.statusOf(token)).toBe(200);
});

it('a reset code is valid for an hour', async () => {
  const { clock, client, ann } = await setUp();
  const issue = async () =>
    (await client.api('POST', `/api/admin/users/${ann.id}/reset-code`, { token: adminToken })).body
      .code;
  const reset = (code: string) => {
    const body = { email: ann.email, code, newPassword: 'brand new words' };
    return client.api('POST', '/api/auth/reset', { body });
  };
  const old = await issue();
  clock.stepWallClock(3_601_000);
  expect((await reset(old)).status).toBe(401);
  const code = await issue();
  clock.stepWallClock(3_599_000 - 5_000);
  expect((await reset(code)).status).toBe(200);
});
