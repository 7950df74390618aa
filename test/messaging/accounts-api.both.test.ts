import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../helpers/test-server.js';
import {
  createMessagingClient,
  type MessagingClient,
  type Person,
  password,
} from './messaging-client.js';

const adminToken = 'a token of the operator';
let server: TestServer;
let client: MessagingClient;

beforeAll(async () => {
  server = await startTestServer({
    env: { MSGSITE_RATE_LIMIT: 'off', MSGSITE_ADMIN_TOKEN: adminToken },
  });
  client = await createMessagingClient(server.site);
});

afterAll(() => server.close());

const post = (path: string, body?: unknown, token?: string) =>
  client.api('POST', path, {
    ...(body === undefined ? {} : { body }),
    ...(token === undefined ? {} : { token }),
  });
const renew = (token: string) => post('/api/auth/renew', undefined, token);
const change = ({ token }: Person, currentPassword: string, newPassword: string) =>
  client.api('PUT', '/api/users/me/password', { token, body: { currentPassword, newPassword } });
const end = ({ token }: Person, word = password) =>
  client.api('DELETE', '/api/users/me', { token, body: { password: word } });
const codeFor = async (id: number) => {
  const answer = await post(`/api/admin/users/${id}/reset-code`, undefined, adminToken);
  expect(answer.status).toBe(201);
  return answer.body as { code: string; expiresAt: string };
};
const reset = (email: string, code: string, newPassword = 'brand new words') =>
  post('/api/auth/reset', { email, code, newPassword });

describe('renewing a token', () => {
  it('returns a new token, while the old one remains valid for a minute and can be renewed again', async () => {
    const { id, username, email, avatar, token } = await client.register();
    const first = await renew(token);
    expect(first).toMatchObject({
      status: 200,
      body: { ok: true, user: { id, username, email, avatar } },
    });
    const second = await renew(token);
    const tokens = [token, first.body.token, second.body.token];
    expect(new Set(tokens).size).toBe(3);
    for (const each of tokens) expect(await client.statusOf(each)).toBe(200);
    await post('/api/auth/logout', undefined, token);
    expect(await client.statusOf(token)).toBe(401);
    expect((await renew(token)).status).toBe(401);
    expect(await client.statusOf(first.body.token)).toBe(200);
    expect((await client.api('POST', '/api/auth/renew')).status).toBe(401);
  });
});

describe('signing out everywhere', () => {
  it('revokes all tokens of the user, but no tokens of other users', async () => {
    const [ann, bob] = [await client.register(), await client.register()];
    const other = (await client.signIn(ann.email)).body.token;
    const renewed = (await renew(other)).body.token;
    expect((await post('/api/auth/logout-all', undefined, ann.token)).body).toEqual({ ok: true });
    for (const token of [ann.token, other, renewed]) expect(await client.statusOf(token)).toBe(401);
    expect(await client.statusOf(bob.token)).toBe(200);
    const again = (await client.signIn(ann.email)).body.token;
    expect(await client.statusOf(again)).toBe(200);
  });
});

describe('changing the password', () => {
  it('requires the current password, revokes all tokens and returns a new one', async () => {
    const ann = await client.register();
    const other = (await client.signIn(ann.email)).body.token;
    expect(await change(ann, 'wrong horse', 'brand new words')).toMatchObject({
      status: 403,
      body: { ok: false, code: 'forbidden' },
    });
    const changed = await change(ann, password, 'brand new words');
    expect(changed).toMatchObject({
      status: 200,
      body: { ok: true, user: { id: ann.id, email: ann.email } },
    });
    expect(await client.statusOf(ann.token)).toBe(401);
    expect(await client.statusOf(other)).toBe(401);
    expect(await client.statusOf(changed.body.token)).toBe(200);
    expect((await client.signIn(ann.email)).status).toBe(401);
    expect((await client.signIn(ann.email, 'brand new words')).status).toBe(200);
  });

  it('succeeds for only one of two concurrent requests', async () => {
    const ann = await client.register();
    const answers = await Promise.all([
      change(ann, password, 'brand new words'),
      change(ann, password, 'brand new verse'),
    ]);
    const [done] = answers.filter(({ status }) => status === 200);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await client.statusOf(done?.body.token)).toBe(200);
  });

  it.each([
    [{ currentPassword: password, newPassword: '1234567' }, '/newPassword'],
    [{ currentPassword: password, newPassword: 'я'.repeat(37) }, '/newPassword'],
    [{ currentPassword: password, newPassword: 'nul\0 in between' }, '/newPassword'],
    [{ newPassword: 'brand new words' }, '/currentPassword'],
    [{ currentPassword: password, newPassword: 'brand new words', email: 'x' }, '/email'],
  ])('rejects %j with 400', async (body, path) => {
    const { token } = await client.register();
    const answer = await client.api('PUT', '/api/users/me/password', { token, body });
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path }] } });
    expect(await client.statusOf(token)).toBe(200);
  });
});

describe('a forgotten password', () => {
  it("can be reset once with the operator's code, regardless of its case and spacing", async () => {
    const ann = await client.register();
    const { code, expiresAt } = await codeFor(ann.id);
    expect(code).toMatch(/^[A-Z2-9]{10,}$/);
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(3_500_000);
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(3_600_000);
    const typed = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4, 8)} ${code.slice(8)} `;
    const done = await reset(ann.email.toUpperCase(), typed);
    expect(done).toMatchObject({ status: 200, body: { ok: true, user: { id: ann.id } } });
    expect(await client.statusOf(ann.token)).toBe(401);
    expect(await client.statusOf(done.body.token)).toBe(200);
    expect((await client.signIn(ann.email)).status).toBe(401);
    expect((await client.signIn(ann.email, 'brand new words')).status).toBe(200);
    expect((await reset(ann.email, code)).status).toBe(401);
  });

  it('results in the same 401 for a wrong code, a replaced code and an unknown e-mail address', async () => {
    const [ann, bob] = [await client.register(), await client.register()];
    const { code: before } = await codeFor(ann.id);
    const { code } = await codeFor(ann.id);
    const wrong = [
      await reset(ann.email, before),
      await reset(ann.email, 'ABCDEFGHJKMN'),
      await reset(bob.email, code),
      await reset('nobody@x.kz', code),
      await reset(ann.email, ''),
    ];
    for (const answer of wrong) {
      expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
      expect(answer.body).toEqual(wrong[0]?.body);
    }
    const [one, other] = await Promise.all([reset(ann.email, code), reset(ann.email, code)]);
    expect([one.status, other.status].sort()).toEqual([200, 401]);
  });

  it('cannot be replaced by an invalid password, after which the code remains valid', async () => {
    const ann = await client.register();
    const { code } = await codeFor(ann.id);
    expect((await reset(ann.email, code, 'я'.repeat(37))).status).toBe(400);
    expect((await reset(ann.email, code)).status).toBe(200);
  });

  it('cannot be reset after the password was changed', async () => {
    const ann = await client.register();
    const { code } = await codeFor(ann.id);
    await change(ann, password, 'changed after all');
    expect((await reset(ann.email, code)).status).toBe(401);
  });
});

describe('deleting an account', () => {
  it('requires the password', async () => {
    const ann = await client.register();
    expect(await end(ann, 'wrong horse')).toMatchObject({ status: 403 });
    expect(await client.statusOf(ann.token)).toBe(200);
    expect(
      (await client.api('DELETE', '/api/users/me', { token: ann.token, body: {} })).status,
    ).toBe(400);
  });

  it('keeps the messages under a placeholder name and removes all personal data', async () => {
    const [ann, bob] = [await client.register('Ann Nur'), await client.register('Bob')];
    await client.api('PUT', '/api/users/me', {
      token: ann.token,
      body: { bio: 'Baker', avatar: 'https://x.kz/ann.png' },
    });
    const id = await client.newPrivate(ann, bob);
    await client.post(ann, id, 'the recipe');
    const postKeyed = async (text: string) => {
      const headers = { 'Idempotency-Key': 'once' };
      const options = { token: bob.token, body: { text }, headers };
      const { status, body } = await client.api('POST', `/api/chats/${id}/messages`, options);
      return { status, body };
    };
    const posted = await postKeyed('thanks');
    expect(await end(ann)).toMatchObject({ status: 200, body: { ok: true, deleted: ann.id } });
    expect(await client.statusOf(ann.token)).toBe(401);
    expect((await client.signIn(ann.email)).status).toBe(401);

    const avatar = `${server.site}/avatars/user/${ann.id}/DA.svg`;
    const { messages } = (await client.read(bob, id)).body;
    expect(messages[0]).toMatchObject({
      senderId: ann.id,
      senderName: 'Deleted account',
      senderAvatar: avatar,
      text: 'the recipe',
    });
    expect(messages[0]).not.toHaveProperty('error');
    expect(await client.listed(bob, id)).toMatchObject({ name: 'Deleted account', avatar });
    const { status, body } = await client.api('POST', `/api/chats/${id}/messages`, {
      token: bob.token,
      body: { text: 'are you there?' },
    });
    expect([status, body.code]).toEqual([409, 'conflict']);
    // The acknowledgment of Bob's earlier post may have been lost, so repeating that post must remain safe.
    expect(await postKeyed('thanks')).toEqual(posted);
    expect(await postKeyed('something else')).toMatchObject({ status: 409 });
    expect((await client.mark(bob, id, messages[0].id)).status).toBe(200);

    const { token } = bob;
    expect((await client.api('GET', `/api/users/${ann.id}`, { token })).status).toBe(404);
    for (const query of [
      `?ids=${ann.id}`,
      `?after=${ann.id - 1}&limit=1`,
      '?q=ann%20nur',
      '?q=deleted',
    ]) {
      const { users } = (await client.api('GET', `/api/users${query}`, { token })).body;
      expect(users.map((each: { id: number }) => each.id)).not.toContain(ann.id);
    }
    const group = await client.newGroup(bob);
    expect((await client.add(bob, group, ann)).status).toBe(404);
    const begin = { type: 'private', participantId: ann.id };
    expect((await post('/api/chats', begin, token)).status).toBe(404);
  });

  it('frees its e-mail address for a new account', async () => {
    const ann = await client.register('Ann');
    await end(ann);
    const again = await post('/api/auth/register', {
      username: 'Ann',
      email: ann.email,
      password,
    });
    expect(again.status).toBe(201);
    expect(again.body.user.id).not.toBe(ann.id);
    expect(await client.statusOf(ann.token)).toBe(401);
  });

  it('transfers groups and channels to another member, or deletes those without other members', async () => {
    const [ann, bob] = [await client.register('Ann'), await client.register('Bob')];
    const group = await client.newGroup(ann);
    await client.add(ann, group, bob);
    const channel = await client.newChannel(ann);
    await client.subscribe(bob, channel);
    const [lonely, unread] = [await client.newGroup(ann), await client.newChannel(ann)];
    await end(ann);
    for (const id of [group, channel]) {
      expect(await client.listed(bob, id)).toMatchObject({
        ownerId: bob.id,
        participants: [bob.id],
        participantCount: 1,
      });
    }
    for (const id of [lonely, unread]) expect((await client.read(bob, id)).status).toBe(404);
    await client.post(bob, channel, 'news of mine');
  });
});

describe('with an encryption secret', () => {
  it('messages of a deleted account remain readable, even after a restart', async () => {
    const env = { MSGSITE_ENCRYPTION_SECRET: 'a secret of the operator' };
    let secretive = await startTestServer({ env, data: `${server.data}-secret` });
    try {
      const first = await createMessagingClient(secretive.site);
      const [ann, bob] = [await first.register('Ann'), await first.register('Bob')];
      const id = await first.newPrivate(ann, bob);
      await first.post(ann, id, 'the secret recipe');
      const body = { password };
      await first.api('DELETE', '/api/users/me', { token: ann.token, body });
      const check = async (each: MessagingClient) => {
        const { messages } = (await each.read(bob, id)).body;
        expect(messages).toMatchObject([
          { senderName: 'Deleted account', text: 'the secret recipe' },
        ]);
        expect((await each.listed(bob, id)).lastMessage.text).toBe('the secret recipe');
      };
      await check(first);
      await secretive.close();
      secretive = await startTestServer({ env, data: `${server.data}-secret` });
      await check(await createMessagingClient(secretive.site));
    } finally {
      await secretive.close();
    }
  });
});
