import { describe, expect, it } from 'vitest';
import { type Person, password, serveMessaging, textsOf } from './messaging-under-test.js';

const { api, newChat, post, read, register, site } = serveMessaging();

describe('registration', () => {
  it('returns 201 with a token and the account, but no secrets', async () => {
    const { status, body } = await api('POST', '/api/auth/register', {
      body: { username: ' Алия ', email: 'Aliya@Example.KZ', password },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      ok: true,
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      user: {
        id: expect.any(Number),
        username: ' Алия ',
        email: 'Aliya@Example.KZ',
        avatar: `${site()}/avatars/user/${body.user.id}/%D0%90.svg`,
      },
    });
  });

  it('rejects an e-mail address that is already in use, ignoring case, even in concurrent requests', async () => {
    const body = (email: string) => ({ username: 'x', email, password });
    const answers = await Promise.all(
      ['same@x.kz', 'SAME@x.kz', 'Same@X.kz', 'same@x.KZ'].map((email) =>
        api('POST', '/api/auth/register', { body: body(email) }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const again = await api('POST', '/api/auth/register', { body: body('sAme@x.kz') });
    expect(again).toMatchObject({ status: 409, body: { ok: false, code: 'email_taken' } });
  });

  it.each([
    [{ username: '', email: 'a@b.kz', password }, '/username'],
    [{ username: ' \t', email: 'a@b.kz', password }, '/username'],
    [{ username: 'я'.repeat(65), email: 'a@b.kz', password }, '/username'],
    [{ username: 'x', email: 'no address', password }, '/email'],
    [{ username: 'x', email: 'a@b.kz', password: '1234567' }, '/password'],
    [{ username: 'x', email: 'a@b.kz', password: 'я'.repeat(37) }, '/password'],
    [{ username: 'x', email: 'a@b.kz', password: 12345678 }, '/password'],
    [{ username: 'x', email: 'a@b.kz', password, admin: true }, '/admin'],
    [{ email: 'a@b.kz', password }, '/username'],
  ])('rejects %j', async (body, path) => {
    const answer = await api('POST', '/api/auth/register', { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  it('accepts names and passwords of the maximum length', async () => {
    const body = { username: '🙂'.repeat(64), email: 'long@x.kz', password: 'я'.repeat(36) };
    expect((await api('POST', '/api/auth/register', { body })).status).toBe(201);
    const credentials = { email: 'long@x.kz', password: 'я'.repeat(36) };
    expect((await api('POST', '/api/auth/login', { body: credentials })).status).toBe(200);
    const longer = { email: 'long@x.kz', password: 'я'.repeat(37) };
    expect((await api('POST', '/api/auth/login', { body: longer })).status).toBe(401);
  });
});

describe('signing in and out', () => {
  it('returns a token and the account for the correct password, ignoring the case of the e-mail address', async () => {
    const { id, username, email, avatar } = await register();
    const { status, body } = await api('POST', '/api/auth/login', {
      body: { email: email.toUpperCase(), password },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      ok: true,
      token: expect.any(String),
      user: { id, username, email, avatar },
    });
  });

  it('returns the same response for a wrong password and an unknown e-mail address', async () => {
    const { email } = await register();
    const wrong = await api('POST', '/api/auth/login', { body: { email, password: 'wrong' } });
    const unknown = await api('POST', '/api/auth/login', {
      body: { email: 'nobody@x.kz', password },
    });
    expect(wrong.status).toBe(401);
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body]);
  });

  it('rejects passwords with NUL bytes, which bcrypt would confuse with others', async () => {
    const { email } = await register();
    const doubled = `${password}\0${password}`;
    const repeated = await api('POST', '/api/auth/login', { body: { email, password: doubled } });
    expect(repeated.status).toBe(401);
    const body = { username: 'Ann', email: `nul-${email}`, password: doubled };
    expect((await api('POST', '/api/auth/register', { body })).status).toBe(400);
  });

  it('revokes only the token that was used to sign out', async () => {
    const person = await register();
    const { token: other } = (
      await api('POST', '/api/auth/login', { body: { email: person.email, password } })
    ).body;
    const out = await api('POST', '/api/auth/logout', { token: person.token });
    expect(out).toMatchObject({ status: 200, body: { ok: true } });
    expect((await api('GET', '/api/auth/me', { token: person.token })).status).toBe(401);
    expect((await api('GET', '/api/auth/me', { token: other })).status).toBe(200);
  });

  it.each([
    ['a missing token', {}],
    ['an empty token', { Authorization: 'Bearer ' }],
    ['a different scheme', { Authorization: 'Basic YTpi' }],
    ['a token that is not a JWT', { Authorization: 'Bearer abc' }],
    [
      'an unsigned token',
      { Authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIiwiaXNzIjoibXNnc2l0ZSJ9.' },
    ],
  ])('rejects %s with 401', async (_name, headers) => {
    const answer = await api('GET', '/api/auth/me', { headers });
    expect(answer).toMatchObject({ status: 401, body: { ok: false, code: 'unauthorized' } });
    expect(answer.headers.get('www-authenticate')).toContain('Bearer');
  });

  it('issues tokens with the documented claims', async () => {
    const { token, id } = await register();
    const [header = '', claims = ''] = token.split('.');
    const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
    expect(parse(header)).toMatchObject({ alg: 'HS256' });
    expect(parse(claims)).toEqual({
      sub: String(id),
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: parse(claims).iat + 7 * 24 * 3600,
      iss: 'msgsite',
    });
  });
});

describe('profiles', () => {
  it('include the bio for the user', async () => {
    const { id, username, email, avatar, token } = await register();
    const { body } = await api('GET', '/api/auth/me', { token });
    expect(body).toEqual({ ok: true, user: { id, username, email, avatar, bio: '' } });
  });

  it('accept changes of username, bio and avatar in any combination, and keep the other fields', async () => {
    const person = await register();
    const { token } = person;
    const put = (body: unknown) => api('PUT', '/api/users/me', { token, body });
    expect((await put({ bio: 'Baker' })).body.user).toMatchObject({ bio: 'Baker' });
    const avatar = 'https://cdn.example/a.png';
    const { body } = await put({ username: 'New', avatar });
    expect(body.user).toEqual({
      id: person.id,
      username: 'New',
      email: person.email,
      avatar,
      bio: 'Baker',
    });
    expect((await api('GET', '/api/auth/me', { token })).body.user).toEqual(body.user);
    const both = await Promise.all([put({ bio: 'b' }), put({ username: 'u' })]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const after = (await api('GET', '/api/auth/me', { token })).body.user;
    expect(after).toMatchObject({ bio: 'b', username: 'u' });
  });

  it.each([
    [{}, ''],
    [{ bio: 'x'.repeat(501) }, '/bio'],
    [{ avatar: 'javascript:alert(1)' }, '/avatar'],
    [{ avatar: 'ftp://x.kz/a' }, '/avatar'],
    [{ avatar: '' }, '/avatar'],
    [{ username: ' ' }, '/username'],
    [{ email: 'new@x.kz' }, '/email'],
  ])('reject %j', async (body, path) => {
    const { token } = await register();
    const answer = await api('PUT', '/api/users/me', { token, body });
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path }] } });
  });

  it('are listed in pages, ordered by ID, with username and avatar', async () => {
    const first = await register('First');
    const second = await register('Second');
    const list = async (query: string) =>
      (await api('GET', `/api/users${query}`, { token: first.token })).body.users;
    const all = await list('');
    expect(all.map(({ id }: Person) => id)).toEqual(
      [...all].map(({ id }: Person) => id).sort((a: number, b: number) => a - b),
    );
    expect(await list(`?after=${first.id - 1}&limit=1`)).toEqual([
      { id: first.id, username: 'First', avatar: first.avatar },
    ]);
    expect((await list(`?after=${first.id}`))[0].id).toBe(second.id);
    const bad = await api('GET', '/api/users?after=x', { token: first.token });
    expect(bad.status).toBe(400);
  });
});

describe('default avatars', () => {
  it('are images that the service draws', async () => {
    const { avatar } = await register('<b>Ы "x"');
    const response = await fetch(avatar);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(response.headers.get('cache-control')).toContain('immutable');
    const svg = await response.text();
    expect(svg).toMatch(/^<svg xmlns/);
    expect(svg).not.toMatch(/style=|<script/);
  });

  it.each([
    '/avatars/user/1/%3Cb%3E.svg',
    '/avatars/other/1/A.svg',
    '/avatars/user/x/A.svg',
    '/avatars/user/1/A.png',
    '/avatars/user/1/ABCDEFG.svg',
  ])('return 404 for %s', async (path) => {
    expect((await fetch(site() + path)).status).toBe(404);
  });
});

describe('private chats', () => {
  it('show the name and avatar of the other person', async () => {
    const [a, b] = [await register('Anna'), await register('Boris')];
    const chat = await newChat(a, { type: 'private', participantId: b.id });
    expect(chat).toEqual({
      id: expect.any(Number),
      type: 'private',
      participants: [a.id, b.id],
      name: 'Boris',
      avatar: b.avatar,
      ownerId: a.id,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      participantCount: 2,
      unread: 0,
      lastReadId: null,
      peerReadId: null,
    });
    const { chats } = (await api('GET', '/api/chats', { token: b.token })).body;
    expect(chats).toEqual([{ ...chat, name: 'Anna', avatar: a.avatar, lastMessage: null }]);
  });

  it('are created only once for two people, even if both of them start one concurrently', async () => {
    const [a, b] = [await register(), await register()];
    const begin = (who: Person, other: Person) =>
      api('POST', '/api/chats', {
        token: who.token,
        body: { type: 'private', participantId: other.id },
      });
    const answers = await Promise.all([begin(a, b), begin(b, a), begin(a, b), begin(b, a)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.chat.id)).size).toBe(1);
    expect((await begin(b, a)).body.chat.name).toBe(a.username);
  });

  it('are rejected with 400 for the user themselves, and with 404 for an unknown user', async () => {
    const { token, id } = await register();
    const begin = (participantId: number) =>
      api('POST', '/api/chats', { token, body: { type: 'private', participantId } });
    expect((await begin(id)).status).toBe(400);
    expect(await begin(9_999_999)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

describe('creating a chat', () => {
  it.each([
    {},
    { type: 'group' },
    { type: 'group', name: ' ' },
    { type: 'group', name: 'x', participantId: 1 },
    { type: 'private' },
    { type: 'private', participantId: '2' },
    { type: 'private', participantId: 1.5 },
    { type: 'other', name: 'x' },
    { type: 'channel', name: 'x', extra: 1 },
    [],
    'text',
  ])('rejects %j with 400', async (body) => {
    const { token } = await register();
    const answer = await api('POST', '/api/chats', { token, body: JSON.stringify(body) });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });
});

describe('groups', () => {
  it('accept new members only from their owner', async () => {
    const [owner, member, other] = [await register(), await register(), await register()];
    const group = await newChat(owner, { type: 'group', name: 'Bakers' });
    expect(group).toMatchObject({ name: 'Bakers', participants: [owner.id], ownerId: owner.id });
    const add = (who: Person, userId: unknown, id = group.id) =>
      api('POST', `/api/groups/${id}/members`, { token: who.token, body: { userId } });
    expect((await add(other, other.id)).status).toBe(403);
    expect((await read(member, group.id)).status).toBe(403);
    const added = await add(owner, member.id);
    expect(added).toMatchObject({
      status: 200,
      body: { ok: true, group: { id: group.id, participants: [owner.id, member.id] } },
    });
    expect((await add(owner, member.id)).body).toEqual(added.body);
    expect((await add(owner, owner.id)).body).toEqual(added.body);
    expect((await add(member, other.id)).status).toBe(403);
    expect((await read(member, group.id)).status).toBe(200);
    expect((await post(member, group.id, 'hi')).status).toBe(201);
    expect((await add(owner, 9_999_999)).status).toBe(404);
    expect((await add(owner, 'x')).status).toBe(400);
    expect((await add(owner, member.id, 9_999_999)).status).toBe(404);
    expect((await api('GET', '/api/chats', { token: member.token })).body.chats).toHaveLength(1);
  });
});

describe('channels', () => {
  it('are listed in the directory and accept subscribers, but only their owner can post', async () => {
    const [owner, reader] = [await register(), await register()];
    const channel = await newChat(owner, { type: 'channel', name: 'News' });
    const { id } = channel;
    const { channels } = (
      await api('GET', `/api/channels?after=${id - 1}`, { token: reader.token })
    ).body;
    const { name, avatar, ownerId, createdAt } = channel;
    expect(channels[0]).toEqual({ id, name, avatar, ownerId, createdAt });
    expect((await read(reader, id)).status).toBe(403);
    const subscribe = () => api('POST', `/api/channels/${id}/subscribe`, { token: reader.token });
    const first = await subscribe();
    expect(first).toMatchObject({
      status: 200,
      body: { ok: true, channel: { id, participants: [owner.id, reader.id] } },
    });
    expect((await subscribe()).body).toEqual(first.body);
    expect((await post(owner, id, 'hello')).status).toBe(201);
    expect(textsOf(await read(reader, id))).toEqual(['hello']);
    expect(await post(reader, id, 'me too')).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
  });

  it('return 404 under the path for groups, as do groups under the path for channels', async () => {
    const person = await register();
    const { token } = person;
    const group = await newChat(person, { type: 'group', name: 'g' });
    const channel = await newChat(person, { type: 'channel', name: 'c' });
    const body = { userId: person.id };
    const wrong = [
      await api('POST', `/api/channels/${group.id}/subscribe`, { token }),
      await api('POST', `/api/groups/${channel.id}/members`, { token, body }),
      await api('POST', '/api/channels/abc/subscribe', { token }),
      await api('POST', '/api/groups/1e3/members', { token, body }),
      await api('GET', '/api/chats/abc/messages', { token }),
      await api('GET', '/api/chats/9999999/messages', { token }),
    ];
    expect(wrong.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
  });
});

describe('the list of chats', () => {
  it('is ordered by latest activity and shows the last message', async () => {
    const person = await register();
    const chats = [];
    for (const name of ['a', 'b', 'c']) {
      chats.push(await newChat(person, { type: 'group', name }));
    }
    const list = async () => (await api('GET', '/api/chats', { token: person.token })).body.chats;
    expect((await list()).map(({ name }: { name: string }) => name)).toEqual(['c', 'b', 'a']);
    const { message } = (await post(person, chats[0].id, 'news')).body;
    const after = await list();
    expect(after.map(({ name }: { name: string }) => name)).toEqual(['a', 'c', 'b']);
    expect(after[0].lastMessage).toEqual({
      id: message.id,
      senderId: person.id,
      senderName: person.username,
      type: 'text',
      text: 'news',
      createdAt: message.createdAt,
    });
    expect(after[1].lastMessage).toBeNull();
  });
});
