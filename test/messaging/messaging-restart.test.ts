import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient } from '../helpers/api-client.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { startTestServer, type TestServerOptions } from '../helpers/test-server.js';

const password = 'long enough';

async function start(data: string, options: TestServerOptions = {}) {
  // Starts only the site, because the gateway would make a thousand polls in an hour on the clock.
  const server = await startTestServer({
    only: 'site',
    ...options,
    data,
    env: { MSGSITE_RATE_LIMIT: 'off', ...options.env },
  });
  return { server, api: await createApiClient(server.site) };
}

async function register(api: ApiClient, email: string): Promise<{ id: number; token: string }> {
  const body = { username: email, email, password };
  const answer = await api('POST', '/api/auth/register', { body });
  expect(answer.status).toBe(201);
  return { id: answer.body.user.id, token: answer.body.token };
}

describe('after a restart', () => {
  it('accounts, chats, messages, keys, tokens and revocations are unchanged', async () => {
    const data = await makeTempFolder();
    const first = await start(data);
    const a = await register(first.api, 'a@x.kz');
    const b = await register(first.api, 'b@x.kz');
    const out = await first.api('POST', '/api/auth/login', { body: { email: 'a@x.kz', password } });
    await first.api('POST', '/api/auth/logout', { token: out.body.token });
    const body = { type: 'private', participantId: b.id };
    const { chat } = (await first.api('POST', '/api/chats', { token: a.token, body })).body;
    const post = (api: ApiClient) =>
      api('POST', `/api/chats/${chat.id}/messages`, {
        token: a.token,
        body: { text: 'hello' },
        headers: { 'Idempotency-Key': 'k' },
      });
    const posted = await post(first.api);
    const read = (api: ApiClient) =>
      api('GET', `/api/chats/${chat.id}/messages`, { token: b.token });
    const before = await read(first.api);
    const avatar = (person: { senderAvatar: string }) => new URL(person.senderAvatar).pathname;
    await first.server.close();

    const second = await start(data);
    const after = await read(second.api);
    expect(avatar(after.body.messages[0])).toBe(avatar(before.body.messages[0]));
    expect(after.body.messages.map(withoutHost)).toEqual(before.body.messages.map(withoutHost));
    const again = await post(second.api);
    expect([again.status, withoutHost(again.body.message)]).toEqual([
      201,
      withoutHost(posted.body.message),
    ]);
    expect((await read(second.api)).body.messages).toHaveLength(1);
    expect((await second.api('GET', '/api/auth/me', { token: out.body.token })).status).toBe(401);
    expect((await second.api('GET', '/api/auth/me', { token: a.token })).status).toBe(200);
    const taken = await second.api('POST', '/api/auth/register', {
      body: { username: 'x', email: 'A@X.KZ', password },
    });
    expect(taken.status).toBe(409);
    expect((await register(second.api, 'c@x.kz')).id).toBe(b.id + 1);
    await second.server.close();
  });

  it('a tampered message is empty and has an error, and the other messages are readable', async () => {
    const data = await makeTempFolder();
    const first = await start(data);
    const { token } = await register(first.api, 'a@x.kz');
    await first.api('POST', '/api/chats', { token, body: { type: 'group', name: 'g' } });
    for (const text of ['one', 'two', 'three']) {
      await first.api('POST', '/api/chats/1/messages', { token, body: { text } });
    }
    await first.server.close();
    const path = join(data, 'messaging/messages/chats/01/1.jsonl');
    const lines = (await readFile(path, 'utf8')).split('\n');
    const tampered = (line = '') =>
      line.replace(/(?<="authTag":")../, (byte) => (byte === '00' ? 'ff' : '00'));
    lines[1] = tampered(lines[1]);
    lines[2] = tampered(lines[2]);
    await writeFile(path, lines.join('\n'));
    const second = await start(data);
    const { status, body } = await second.api('GET', '/api/chats/1/messages', { token });
    expect(status).toBe(200);
    expect(body.messages).toMatchObject([
      { text: 'one' },
      { text: '', error: expect.any(String) },
      { text: '', error: expect.any(String) },
    ]);
    expect(body.messages[0].error).toBeUndefined();
    const { chats } = (await second.api('GET', '/api/chats', { token })).body;
    expect(chats[0].lastMessage.text).toBe('');
    await second.server.close();
  });

  it("new texts are not stored in clear text with an operator's secret, and old messages remain readable", async () => {
    const data = await makeTempFolder();
    const first = await start(data);
    const { token } = await register(first.api, 'a@x.kz');
    await first.api('POST', '/api/chats', { token, body: { type: 'group', name: 'g' } });
    await first.api('POST', '/api/chats/1/messages', { token, body: { text: 'written before' } });
    await first.server.close();
    const env = { MSGSITE_ENCRYPTION_SECRET: 'a secret of the operator' };
    const second = await start(data, { env });
    const body = { text: 'written under the secret' };
    await second.api('POST', '/api/chats/1/messages', { token, body });
    const { messages } = (await second.api('GET', '/api/chats/1/messages', { token })).body;
    expect(messages).toMatchObject([{ text: 'written before' }, body]);
    await second.server.close();
    const stored = await everythingUnder(data);
    expect(stored).toContain('written before');
    expect(stored).not.toContain('written under the secret');
    expect(stored).not.toContain(password);
  });

  it('an expired token is rejected', async () => {
    const clock = createManualClock(Date.now());
    const { server, api } = await start(await makeTempFolder(), {
      clock,
      env: { MSGSITE_TOKEN_TTL: '1h' },
    });
    const { token } = await register(api, 'a@x.kz');
    clock.stepWallClock(3_599_000);
    expect((await api('GET', '/api/auth/me', { token })).status).toBe(200);
    clock.stepWallClock(2000);
    expect((await api('GET', '/api/auth/me', { token })).status).toBe(401);
    await server.close();
  });
});

describe('limits', () => {
  it('block sign-ins to an account from an address after 10 wrong passwords in 15 minutes', async () => {
    const clock = createManualClock(Date.now());
    const { server, api } = await start(await makeTempFolder(), {
      clock,
      env: { MSGSITE_RATE_LIMIT: 'on' },
    });
    await register(api, 'a@x.kz');
    const signIn = (word: string, email = 'a@x.kz') =>
      api('POST', '/api/auth/login', { body: { email, password: word } });
    for (let n = 0; n < 10; n += 1) expect((await signIn('wrong')).status).toBe(401);
    const rejected = await signIn(password, 'A@X.kz');
    expect(rejected).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await signIn('wrong', 'other@x.kz')).status).toBe(401);
    await clock.advance(15 * 60_000);
    expect((await signIn(password)).status).toBe(200);
    await server.close();
  });

  it('allow a user to post 300 messages in a burst and then 20 per second', async () => {
    const clock = createManualClock(Date.now());
    const { server, api } = await start(await makeTempFolder(), {
      clock,
      env: { MSGSITE_RATE_LIMIT: 'on' },
    });
    const { token } = await register(api, 'a@x.kz');
    await api('POST', '/api/chats', { token, body: { type: 'group', name: 'g' } });
    const post = () => api('POST', '/api/chats/1/messages', { token, body: { text: 'x' } });
    const answers = await Promise.all(Array.from({ length: 301 }, post));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(300);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
    await clock.advance(1000);
    const later = await Promise.all(Array.from({ length: 21 }, post));
    expect(later.filter(({ status }) => status === 201)).toHaveLength(20);
    await server.close();
  });
});

/** Removes the origin of avatar URLs, because each start uses a different port. */
function withoutHost<Message extends { senderAvatar: string }>(message: Message): Message {
  return { ...message, senderAvatar: new URL(message.senderAvatar).pathname };
}

async function everythingUnder(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}
