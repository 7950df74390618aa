import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../helpers/test-server.js';
import {
  countUntilRefused,
  createMessagingClient,
  type MessagingClient,
} from './messaging-client.js';

/** Runs on one storage only, because each test takes 300 requests. Smaller tests check the limits on both. */
let server: TestServer;
let client: MessagingClient;

beforeAll(async () => {
  server = await startTestServer({ only: 'site' });
  client = await createMessagingClient(server.site);
});

afterAll(() => server.close());

it('read marks have a limit for each user', async () => {
  const ann = await client.register();
  const group = await client.newGroup(ann);
  const message = await client.post(ann, group);
  const mark = () => client.mark(ann, group, message);
  expect(await countUntilRefused(mark)).toBeGreaterThanOrEqual(300);
});

it('changes have a limit for each user', async () => {
  const ann = await client.register();
  const { token } = ann;
  const group = await client.newGroup(ann);
  const change = (n: number) =>
    n % 2 === 0
      ? client.rename(ann, group, `Name ${n}`)
      : client.api('PUT', '/api/users/me', { token, body: { bio: `Bio ${n}` } });
  expect(await countUntilRefused(change)).toBeGreaterThanOrEqual(300);
});
