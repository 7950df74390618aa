import { expect, it, onTestFinished } from 'vitest';
import { startTestServer } from '../../helpers/test-server.js';
import { createMessagingClient } from '../../messaging/messaging-client.js';

it('a server stores and returns messages with MSGSITE_DATABASE_PIPELINE=off', async () => {
  const server = await startTestServer({ env: { MSGSITE_DATABASE_PIPELINE: 'off' }, only: 'site' });
  onTestFinished(() => server.close());
  const { api, register } = await createMessagingClient(server.site);
  const { token } = await register();
  const body = { type: 'group', name: 'Staff' };
  const { id } = (await api('POST', '/api/chats', { token, body })).body.chat;
  const texts = Array.from({ length: 30 }, (_, n) => `message ${n}`);
  const posted = await Promise.all(
    texts.map((text) => api('POST', `/api/chats/${id}/messages`, { token, body: { text } })),
  );
  expect(posted.map(({ status }) => status)).toEqual(texts.map(() => 201));
  const { messages } = (await api('GET', `/api/chats/${id}/messages`, { token })).body;
  expect(messages.map(({ text }: { text: string }) => text).sort()).toEqual([...texts].sort());
});
