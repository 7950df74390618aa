import { describe, expect, it } from 'vitest';
import { serveMessaging, textsOf } from './messaging-under-test.js';

const { api, newChat, post, read, register, site } = serveMessaging();

describe('messages', () => {
  async function pair() {
    const [a, b] = [await register('Anna'), await register('Boris')];
    const chat = await newChat(a, { type: 'private', participantId: b.id });
    return { a, b, id: chat.id as number };
  }

  it('are returned decrypted, and in encrypted form only to the sender', async () => {
    const { a, b, id } = await pair();
    const { status, body } = await post(a, id, 'Сәлем 🙂');
    expect(status).toBe(201);
    expect(body).toEqual({
      ok: true,
      message: {
        id: expect.any(Number),
        chatId: id,
        senderId: a.id,
        senderName: 'Anna',
        senderAvatar: a.avatar,
        text: 'Сәлем 🙂',
        type: 'text',
        encrypted: {
          iv: expect.stringMatching(/^[\da-f]{32}$/),
          encrypted: expect.stringMatching(/^([\da-f]{2})+$/),
          authTag: expect.stringMatching(/^[\da-f]{32}$/),
        },
        createdAt: expect.stringMatching(/Z$/),
      },
    });
    expect((await read(a, id)).body.messages).toEqual([body.message]);
    const { encrypted: _, ...forOthers } = body.message;
    expect((await read(b, id)).body).toEqual({
      ok: true,
      messages: [forOthers],
      hasMore: false,
    });
  });

  it.each(['text', 'emoji', 'sticker'])('can have the type %s', async (type) => {
    const { a, id } = await pair();
    const body = { text: 'x', type };
    const answer = await api('POST', `/api/chats/${id}/messages`, { token: a.token, body });
    expect(answer).toMatchObject({ status: 201, body: { message: { type } } });
  });

  it.each([
    [{}, '/text'],
    [{ text: '' }, '/text'],
    [{ text: ' \n ' }, '/text'],
    [{ text: 'x'.repeat(4001) }, '/text'],
    [{ text: 5 }, '/text'],
    [{ text: 'x', type: 'video' }, '/type'],
    [{ text: 'x', id: 5 }, '/id'],
  ])('with the body %j are rejected', async (body, path) => {
    const { a, id } = await pair();
    const answer = await api('POST', `/api/chats/${id}/messages`, { token: a.token, body });
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path }] } });
  });

  it('can have up to 4,000 characters, counted as code points', async () => {
    const { a, b, id } = await pair();
    const text = '🙂'.repeat(4000);
    expect((await post(a, id, text)).status).toBe(201);
    expect(textsOf(await read(b, id))).toEqual([text]);
  });

  it('cannot be read or posted by strangers', async () => {
    const { id } = await pair();
    const stranger = await register();
    expect((await read(stranger, id)).status).toBe(403);
    expect((await post(stranger, id, 'x')).status).toBe(403);
    expect((await post(stranger, 9_999_999, 'x')).status).toBe(404);
    expect((await api('GET', `/api/chats/${id}/messages`)).status).toBe(401);
  });

  it('have ascending IDs and can be paged in both directions', async () => {
    const { a, b, id } = await pair();
    const ids: number[] = [];
    for (let n = 0; n < 10; n += 1) ids.push((await post(a, id, `m${n}`)).body.message.id);
    expect(ids).toEqual([...ids].sort((x, y) => x - y));
    expect(new Set(ids).size).toBe(10);
    const page = async (query: string) => {
      const answer = await read(b, id, query);
      return [textsOf(answer), answer.body.hasMore];
    };
    expect(await page('?limit=3')).toEqual([['m7', 'm8', 'm9'], true]);
    expect(await page('?limit=10')).toEqual([ids.map((_, n) => `m${n}`), false]);
    expect(await page(`?before=${ids[2]}`)).toEqual([['m0', 'm1'], false]);
    expect(await page(`?before=${ids[5]}&limit=2`)).toEqual([['m3', 'm4'], true]);
    expect(await page(`?after=${ids[7]}`)).toEqual([['m8', 'm9'], false]);
    expect(await page(`?after=${ids[3]}&limit=2`)).toEqual([['m4', 'm5'], true]);
    expect(await page(`?after=${ids[9]}`)).toEqual([[], false]);
    expect(await page('?after=0&limit=1')).toEqual([['m0'], true]);
    expect(await page(`?before=${ids[0]}`)).toEqual([[], false]);
  });

  it.each([
    '?limit=0',
    '?limit=1001',
    '?limit=x',
    '?limit=1.5',
    '?before=1&after=1',
    '?before=-1',
    '?after=',
    '?wait=1',
    '?after=1&wait=31',
    '?after=1&wait=-1',
    '?limit=1&limit=2',
  ])('requested with %s result in 400', async (query) => {
    const { a, id } = await pair();
    const answer = await read(a, id, query);
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  it('return 304 for the current ETag', async () => {
    const { a, b, id } = await pair();
    await post(a, id, 'one');
    const first = await read(b, id);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"/);
    const again = await read(b, id, '', { 'If-None-Match': etag });
    expect([again.status, again.body]).toEqual([304, '']);
    expect(again.headers.get('cache-control')).toBe('no-store');
    await api('PUT', '/api/users/me', { token: a.token, body: { username: 'Renamed' } });
    expect((await read(b, id, '', { 'If-None-Match': etag })).status).toBe(200);
    const empty = await read(b, id, '?after=999999');
    const emptyTag = empty.headers.get('etag') ?? '';
    const poll = await read(b, id, '?after=999999', { 'If-None-Match': emptyTag });
    expect(poll.status).toBe(304);
  });

  it('end the wait of a pending request', async () => {
    const { a, b, id } = await pair();
    const { message } = (await post(a, id, 'one')).body;
    const waiting = read(b, id, `?after=${message.id}&wait=30`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await post(a, id, 'two');
    expect(textsOf(await waiting)).toEqual(['two']);
    expect(textsOf(await read(b, id, `?after=${message.id}&wait=30`))).toEqual(['two']);
  });

  it('are returned as an empty list when a wait times out', async () => {
    const { b, id } = await pair();
    const answer = await read(b, id, '?after=0&wait=1');
    expect(answer).toMatchObject({ status: 200, body: { messages: [], hasMore: false } });
  });

  it('support HEAD requests without a body, and OPTIONS requests with the allowed methods', async () => {
    const { a, id } = await pair();
    await post(a, id, 'x');
    const url = `${site()}/api/chats/${id}/messages`;
    const headers = { Authorization: `Bearer ${a.token}` };
    const head = await fetch(url, { method: 'HEAD', headers });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('etag')).toBe((await read(a, id)).headers.get('etag'));
    const options = await fetch(url, { method: 'OPTIONS' });
    expect(options.status).toBe(204);
    expect(options.headers.get('allow')).toMatch(/GET.*POST|POST.*GET/);
    const wrong = await fetch(url, { method: 'DELETE', headers });
    expect(wrong.status).toBe(405);
  });

  it('are stored with replacement characters for lone surrogates', async () => {
    const { a, b, id } = await pair();
    const raw = '{"text":"a\\ud800b"}';
    const answer = await api('POST', `/api/chats/${id}/messages`, { token: a.token, body: raw });
    expect(answer.body.message.text).toBe('a\ufffdb');
    expect(textsOf(await read(b, id))).toEqual(['a\ufffdb']);
  });
});

describe('an Idempotency-Key', () => {
  it('stores one message for repeated posts, even concurrent ones', async () => {
    const person = await register();
    const { id } = await newChat(person, { type: 'group', name: 'g' });
    const key = { 'Idempotency-Key': 'one' };
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(person, id, 'once', key)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await post(person, id, 'once', key)).body).toEqual(answers[0]?.body);
    expect(textsOf(await read(person, id))).toEqual(['once']);
  });

  it('conflicts with a different text, type or chat, and applies to each user separately', async () => {
    const [a, b] = [await register(), await register()];
    const { id } = await newChat(a, { type: 'private', participantId: b.id });
    const other = await newChat(a, { type: 'group', name: 'g' });
    const key = { 'Idempotency-Key': 'k' };
    await post(a, id, 'text', key);
    const conflicts = [
      await post(a, id, 'other', key),
      await post(a, other.id, 'text', key),
      await api('POST', `/api/chats/${id}/messages`, {
        token: a.token,
        headers: key,
        body: { text: 'text', type: 'emoji' },
      }),
    ];
    for (const answer of conflicts) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
    }
    expect((await post(b, id, 'text', key)).status).toBe(201);
    expect((await read(a, id)).body.messages).toHaveLength(2);
  });

  it('is rejected if it is too long', async () => {
    const person = await register();
    const { id } = await newChat(person, { type: 'group', name: 'g' });
    const answer = await post(person, id, 'x', { 'Idempotency-Key': 'x'.repeat(256) });
    expect(answer.status).toBe(400);
  });
});
