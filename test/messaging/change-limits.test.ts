import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../helpers/test-server.js';
import {
  countUntilLimited,
  createMessagingClient,
  type MessagingClient,
} from './messaging-client.js';

/** Runs on only one storage, because each test sends 300 requests. Smaller tests check the limits on both storages. */
let server: TestServer;
let client: MessagingClient;

beforeAll(async () => {
  server = await startTestServer({ only: 'site' });
  client = await createMessagingClient(server.site);
});

afterAll(() => server.close());

it('read marks are limited per user', async () => {
  const ann = await client.register();
  const group = await client.newGroup(ann);
  const message = await client.post(ann, group);
  const mark = () => client.mark(ann, group, message);
  expect(await countUntilLimited(mark)).toBeGreaterThanOrEqual(300);
});

it('changes to chats and profiles are limited per user', async () => {
  const ann = await client.register();
  const { token } = ann;
  const group = await client.newGroup(ann);
  const change = (n: number) =>
    n % 2 === 0
      ? client.rename(ann, group, `Name ${n}`)
      : client.api('PUT', '/api/users/me', { token, body: { bio: `Bio ${n}` } });
  expect(await countUntilLimited(change)).toBeGreaterThanOrEqual(300);
});
