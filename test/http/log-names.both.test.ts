import { expect, it, onTestFinished } from 'vitest';
import { createApiClient } from '../helpers/api-client.js';
import { type LogLine, openRecordedLog } from '../helpers/recorded-log.js';
import { startTestServer } from '../helpers/test-server.js';
import { createGatewayClient } from '../payments/gateway-client.js';

const isRequest = ({ status }: LogLine) => status !== undefined;

it('request log lines name the calling account, even if the request is rejected', async () => {
  const { log, lines } = await openRecordedLog();
  const server = await startTestServer({ log });
  onTestFinished(() => server.close());
  const site = await createApiClient(server.site);
  const account = (name: string) => ({
    username: name,
    email: `${name}@x.kz`,
    password: 'long enough',
  });
  const ann = (await site('POST', '/api/auth/register', { body: account('ann') })).body;
  const ben = (await site('POST', '/api/auth/register', { body: account('ben') })).body;
  const { token } = ben;
  await site('POST', '/api/chats', { token: ann.token, body: { type: 'group', name: 'g' } });
  lines.length = 0;
  await site('GET', '/api/chats', { token });
  await site('GET', '/api/chats/1/messages', { token });
  await site('POST', '/api/chats', { token, body: { type: 'nothing' } });
  await site('GET', '/api/chats', { token: 'an invalid token' });
  await site('GET', '/health');
  const logged = lines.filter(isRequest).map(({ path, status, user }) => [path, status, user]);
  expect(logged).toEqual([
    ['/api/chats', 200, ben.user.id],
    ['/api/chats/1/messages', 403, ben.user.id],
    ['/api/chats', 400, ben.user.id],
    ['/api/chats', 401, undefined],
    ['/health', 200, undefined],
  ]);
  expect(JSON.stringify(lines)).not.toContain(token);
});

it('request log lines name the calling cashier, even if the request is rejected', async () => {
  const { log, lines } = await openRecordedLog();
  const server = await startTestServer({ log });
  onTestFinished(() => server.close());
  const gateway = await createGatewayClient(server.gateway);
  const { session, headers } = await gateway.signIn();
  lines.length = 0;
  await gateway.get('/api/payments', headers);
  await gateway.post('/api/qr/create', { amount: 'nothing' }, headers);
  await gateway.get('/api/payments');
  const logged = lines.filter(isRequest).map(({ status, cashier }) => [status, cashier]);
  expect(logged).toEqual([
    [200, session.profileId],
    [400, session.profileId],
    [401, undefined],
  ]);
  const text = JSON.stringify(lines);
  for (const secret of [session.tokenSN, session.vtokenSecret]) expect(text).not.toContain(secret);
});
