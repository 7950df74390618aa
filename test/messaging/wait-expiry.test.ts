import { expect, it, onTestFinished } from 'vitest';
import { createApiClient } from '../helpers/api-client.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { startTestServer } from '../helpers/test-server.js';

it('a long poll returns 401 if its token has expired by the end, with or without new messages', async () => {
  const clock = createManualClock();
  const server = await startTestServer({ clock, env: { MSGSITE_TOKEN_TTL: '20s' } });
  onTestFinished(() => server.close());
  const api = await createApiClient(server.site);
  const join = async (email: string) => {
    const body = { username: 'x', email, password: 'correct horse' };
    return (await api('POST', '/api/auth/register', { body })).body.token as string;
  };
  const token = await join('ann@x.kz');
  const newGroup = async () => {
    const body = { type: 'group', name: 'g' };
    return (await api('POST', '/api/chats', { token, body })).body.chat.id as number;
  };
  const [quiet, lively] = [await newGroup(), await newGroup()];

  const before = clock.sleepers;
  const waits = [quiet, lively].map((id) =>
    api('GET', `/api/chats/${id}/messages?after=0&wait=30`, { token }),
  );
  while (clock.sleepers < before + 2) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(20_000);
  const credentials = { email: 'ann@x.kz', password: 'correct horse' };
  const again = (await api('POST', '/api/auth/login', { body: credentials })).body.token;
  await api('POST', `/api/chats/${lively}/messages`, { token: again, body: { text: 'news' } });
  expect(await waits[1]).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  await clock.advance(10_000);
  expect((await waits[0])?.status).toBe(401);
});
