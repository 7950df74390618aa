import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { demoChats, demoEmail, demoPassword, demoPeople } from '../../src/messaging/demo.js';
import { createApiClient } from '../helpers/api-client.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';

/** Shared by the tests that only read. */
let shared: TestServer;

beforeAll(async () => {
  shared = await startTestServer({ only: 'site', demo: true });
});

afterAll(() => shared.close());

async function open(options: Parameters<typeof startTestServer>[0]) {
  const server = await startTestServer({ only: 'site', ...options });
  onTestFinished(() => server.close());
  return server;
}

async function signIn(server: TestServer, email: string) {
  const call = await createApiClient(server.site);
  const body = { email, password: demoPassword };
  const answer = await call('POST', '/api/auth/login', { body });
  const { token } = answer.body;
  return {
    status: answer.status,
    get: async (path: string) => (await call('GET', path, { token })).body,
  };
}

it('every demo account signs in with the shared password and has chats to read', async () => {
  for (const { name, username, bio } of demoPeople) {
    const { status, get } = await signIn(shared, demoEmail(name));
    expect(status).toBe(200);
    expect((await get('/api/auth/me')).user).toMatchObject({ username, bio });
    const expected = demoChats.filter(({ members }) => members.includes(name));
    const { chats } = await get('/api/chats');
    expect(chats).toHaveLength(expected.length);
    const unread = chats.reduce((sum: number, chat: { unread: number }) => sum + chat.unread, 0);
    expect(unread).toBe(expected.reduce((sum, chat) => sum + (chat.unread[name] ?? 0), 0));
  }
});

it('the demo data has every type of chat and message, with ascending times in the last three days', async () => {
  const { get } = await signIn(shared, demoEmail('dana'));
  const { chats } = await get('/api/chats');
  const types = chats.map(({ type }: { type: string }) => type).sort();
  expect(types).toEqual(['channel', 'group', 'private']);
  const kinds = new Set<string>();
  for (const { id, type } of chats) {
    const { messages } = await get(`/api/chats/${id}/messages`);
    const expected = demoChats.find((chat) => chat.type === type && chat.members.includes('dana'));
    expect(messages.map(({ text }: { text: string }) => text)).toEqual(
      expected?.messages.map(({ text }) => text),
    );
    const times = messages.map(({ createdAt }: { createdAt: string }) => Date.parse(createdAt));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(Date.now() - times.at(-1)).toBeGreaterThan(60_000);
    expect(Date.now() - times[0]).toBeLessThan(3 * 86_400_000);
    for (const message of messages) kinds.add(message.type);
  }
  expect([...kinds].sort()).toEqual(['emoji', 'sticker', 'text']);
});

it('the demo data uses only existing stickers', () => {
  const stickers = demoChats.flatMap(({ messages }) =>
    messages.filter(({ type }) => type === 'sticker').map(({ text }) => text),
  );
  expect(stickers.length).toBeGreaterThan(0);
  const folder = new URL('../../public/stickers/', import.meta.url);
  const missing = stickers.filter((name) => !existsSync(new URL(`${name}.svg`, folder)));
  expect(missing).toEqual([]);
});

it('demo accounts are not created without --demo, or if the data folder already exists', async () => {
  const data = join(await makeTempFolder(), 'data');
  const without = await open({ data });
  expect((await signIn(without, demoEmail('dana'))).status).toBe(401);
  await without.close();
  const later = await open({ data, demo: true });
  expect((await signIn(later, demoEmail('dana'))).status).toBe(401);
});

it('the demo data is created only once', async () => {
  const data = join(await makeTempFolder(), 'data');
  await (await open({ data, demo: true })).close();
  const again = await open({ data, demo: true });
  const { get } = await signIn(again, demoEmail('dana'));
  expect((await get('/api/users')).users).toHaveLength(demoPeople.length);
  expect((await get('/api/chats')).chats).toHaveLength(3);
});
