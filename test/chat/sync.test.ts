import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChatClient } from '../../src/pages/chat/types.js';
import { backoff, readRetryAfter } from '../../src/pages/shared/backoff.js';
import { createScene, type Scene, shown } from './scripted-browser.js';
import { refuse } from './scripted-service.js';

let scene: Scene;
beforeEach(() => {
  scene = createScene();
  for (const id of [7, 8, 9]) scene.service.chat(id, 1, 2);
});
afterEach(() => scene.close());

const lists = () => scene.service.count('GET', /^\/api\/chats$/);
const pages = () => scene.service.count('GET', /messages$/);
const isList = (path: string) => path === '/api/chats';

async function opened(...ids: number[]): Promise<ChatClient> {
  const client = await scene.signedIn(1);
  for (const id of ids) {
    client.openChat(id);
    await scene.clock.settle();
  }
  await scene.clock.advance(500);
  return client;
}

describe('following chats', () => {
  it('takes one waiting request, and one additional request for each chat with new messages', async () => {
    const client = await opened(7, 8, 9);
    const before = { lists: lists(), pages: pages() };
    expect(scene.service.requests.at(-1)?.query.get('wait')).toBe('25');
    scene.service.say(8, 2, 'Hello');
    await scene.clock.advance(500);
    expect(shown(client, 8)).toEqual(['Hello']);
    expect(lists() - before.lists).toBe(1);
    expect(pages() - before.pages).toBe(1);
    await scene.clock.advance(10_000);
    expect(lists() - before.lists).toBe(1);
    expect(pages() - before.pages).toBe(1);
  });

  it('loads every message once and in order, across many pages', async () => {
    for (let index = 0; index < 250; index++) scene.service.say(7, 2, `old ${index}`);
    const client = await opened(7);
    expect(client.state().rooms[7]).toMatchObject({ hasOlder: true });
    expect(shown(client, 7)).toHaveLength(100);
    for (let index = 0; index < 2_500; index++) scene.service.say(7, 2, `new ${index}`);
    await scene.clock.advance(1_000);
    const texts = shown(client, 7);
    // A room keeps a thousand messages unless older ones were loaded.
    expect(texts).toEqual(Array.from({ length: 1_000 }, (_, index) => `new ${index + 1_500}`));
    client.loadOlder(7);
    await scene.clock.settle();
    expect(shown(client, 7)[0]).toBe('new 1400');
    scene.service.say(7, 2, 'one more');
    await scene.clock.advance(1_000);
    expect(shown(client, 7)).toHaveLength(1_100);
    client.closeChat();
    expect(shown(client, 7)).toHaveLength(1_000);
    expect(client.state().rooms[7]?.hasOlder).toBe(true);
  });

  it('skips to the latest page if there are too many new messages', async () => {
    scene.service.say(7, 2, 'old');
    const client = await opened(7);
    for (let index = 0; index < 3_500; index++) scene.service.say(7, 2, `new ${index}`);
    await scene.clock.advance(1_000);
    const texts = shown(client, 7);
    expect(texts[0]).toBe('new 3400');
    expect(texts).toHaveLength(100);
    expect(client.state().rooms[7]?.hasOlder).toBe(true);
  });

  it('pages back to the first message', async () => {
    for (let index = 0; index < 250; index++) scene.service.say(7, 2, `${index}`);
    const client = await opened(7);
    for (let page = 0; page < 3; page++) {
      client.loadOlder(7);
      client.loadOlder(7);
      await scene.clock.settle();
    }
    expect(shown(client, 7)).toEqual(Array.from({ length: 250 }, (_, index) => `${index}`));
    expect(client.state().rooms[7]?.hasOlder).toBe(false);
  });

  it('keeps at most twenty rooms up to date', async () => {
    for (let id = 10; id < 40; id++) scene.service.chat(id, 1, 2);
    const client = await opened(...Array.from({ length: 30 }, (_, index) => index + 10));
    expect(Object.keys(client.state().rooms)).toHaveLength(20);
    expect(client.state().rooms[39]).toBeDefined();
  });
});

describe('a failing connection', () => {
  it('is retried after increasing pauses of at most 30 s, and immediately when the client is woken', async () => {
    const client = await opened(7);
    scene.service.script = () => Promise.reject(new TypeError('No connection.'));
    client.wake();
    await scene.clock.advance(300_000);
    const { connection } = client.state();
    expect(connection).toMatchObject({ state: 'offline', failure: { code: 'offline' } });
    expect(connection.retryAt).toBeGreaterThan(scene.clock.monotonic());
    const before = lists();
    await scene.clock.advance(300_000);
    expect(lists() - before).toBeGreaterThanOrEqual(10);
    expect(lists() - before).toBeLessThanOrEqual(20);
    scene.service.script = (_, serve) => serve();
    scene.service.say(7, 2, 'Hello');
    client.wake();
    await scene.clock.settle();
    expect(client.state().connection).toEqual({ state: 'online', retryAt: null, failure: null });
    expect(shown(client, 7)).toEqual(['Hello']);
  });

  it('is not retried later because of posts that are written in the meantime', async () => {
    const client = await opened(7);
    scene.service.script = () => Promise.reject(new TypeError('No connection.'));
    client.wake();
    for (let index = 0; index < 10; index++) {
      client.post(7, { text: `${index}` });
      await scene.clock.advance(50);
    }
    scene.service.script = (_, serve) => serve();
    await scene.clock.advance(3_000);
    expect(client.state()).toMatchObject({ connection: { state: 'online' }, outbox: [] });
    expect(shown(client, 7)).toHaveLength(10);
  });

  it('is not retried before the time in Retry-After', async () => {
    const client = await opened(7);
    scene.service.script = async () => refuse(503, 'shutting_down', 0, { 'retry-after': '40' });
    client.wake();
    await scene.clock.settle();
    const before = lists();
    client.wake();
    await scene.clock.advance(39_000);
    expect(lists()).toBe(before);
    await scene.clock.advance(2_000);
    expect(lists()).toBe(before + 1);
  });

  it('is detected if no response arrives', async () => {
    const client = await opened(7);
    scene.service.script = () => new Promise(() => {});
    client.wake();
    await scene.clock.advance(20_000);
    expect(client.state().connection).toMatchObject({
      state: 'offline',
      failure: { code: 'timeout' },
    });
  });

  it.each([
    { answer: 'invalid JSON', body: '<html>' },
    { answer: 'a null body', body: 'null' },
    { answer: 'a missing list', body: '{"ok":true}' },
    { answer: 'a list of null', body: '{"ok":true,"chats":[null]}' },
    { answer: 'a chat without fields', body: '{"ok":true,"chats":[{"id":7}]}' },
    { answer: 'a body with ok: false', body: '{"ok":false}' },
  ])('is assumed after $answer, until a response is valid', async ({ body }) => {
    const client = await opened(7);
    const before = client.state().chats;
    scene.service.script = async () => new Response(body, { status: 200 });
    client.wake();
    await scene.clock.advance(60_000);
    expect(client.state()).toMatchObject({
      phase: 'signed-in',
      connection: { state: 'offline', failure: { code: 'bad_answer' } },
    });
    expect(client.state().chats).toEqual(before);
    scene.service.script = (_, serve) => serve();
    await scene.clock.advance(60_000);
    expect(client.state().connection.state).toBe('online');
  });

  it.each([
    { page: 'a message of a different chat', change: { chatId: 8 } },
    { page: 'a message without an ID', change: { id: undefined } },
    { page: 'a message of an unknown type', change: { type: 'film' } },
  ])('is not assumed after $page, which affects only one chat', async ({ change }) => {
    const client = await opened(7, 8);
    scene.service.script = async ({ path }, serve) => {
      const response = await serve();
      if (path !== '/api/chats/7/messages') return response;
      const page = (await response.json()) as { messages: object[] };
      Object.assign(page.messages[0] ?? {}, change);
      return new Response(JSON.stringify(page), { headers: response.headers });
    };
    scene.service.say(7, 2, 'broken');
    scene.service.say(8, 2, 'whole');
    await scene.clock.advance(5_000);
    expect(shown(client, 8)).toEqual(['whole']);
    expect(client.state().rooms[7]).toMatchObject({
      messages: [],
      error: { code: 'bad_answer' },
    });
    expect(client.state().connection.state).toBe('online');
    scene.service.script = (_, serve) => serve();
    await scene.clock.advance(60_000);
    expect(shown(client, 7)).toEqual(['broken']);
    expect(client.state().rooms[7]?.error).toBeNull();
  });

  it('does not cause a request loop if responses have no ETag and are not held', async () => {
    await opened(7);
    scene.service.script = async ({ path, query }, serve) => {
      if (isList(path)) query.delete('wait');
      const response = await serve();
      response.headers.delete('etag');
      return response;
    };
    scene.service.say(7, 2, 'Hello');
    await scene.clock.advance(1_000);
    const before = lists();
    await scene.clock.advance(60_000);
    expect(lists() - before).toBeLessThanOrEqual(21);
  });
});

describe('a chat without access', () => {
  it.each(['list', 'page'])(
    'is marked as gone and removed from the list (detected by the %s)',
    async (by) => {
      const client = await opened(7, 8);
      client.post(8, { text: 'first' });
      await scene.clock.advance(1_000);
      scene.service.script = async (request, serve) => {
        // With `page`, the list still shows the chat for a moment.
        if (by === 'page' && /chats\/8\/messages/.test(request.path))
          return refuse(403, 'forbidden');
        return serve();
      };
      if (by === 'list') scene.service.remove(8, 1);
      else scene.service.say(8, 2, 'Hello');
      client.post(8, { text: 'too late' });
      await scene.clock.settle();
      expect(client.state().rooms[8]).toMatchObject({
        isGone: true,
        outgoing: [{ text: 'too late', state: 'failed', error: { status: 403 } }],
      });
      expect(client.state().chats?.map(({ id }) => id)).not.toContain(8);
      expect(client.state().rooms[7]?.isGone).toBe(false);
    },
  );

  it('is updated again after the user was added again', async () => {
    const client = await opened(7);
    scene.service.remove(7, 1);
    await scene.clock.advance(1_000);
    expect(client.state().rooms[7]?.isGone).toBe(true);
    scene.service.chat(7, 1, 2);
    scene.service.say(7, 2, 'Welcome back');
    await scene.clock.advance(1_000);
    expect(client.state().rooms[7]?.isGone).toBe(false);
    expect(shown(client, 7)).toEqual(['Welcome back']);
  });

  it('is marked as gone if it never existed', async () => {
    const client = await opened(99);
    expect(client.state().rooms[99]).toMatchObject({ isGone: true, isLoading: false });
  });
});

describe('read marks', () => {
  const puts = () => scene.service.requests.filter(({ path }) => path.endsWith('/read'));

  it('immediately reduce the unread count, and are sent to the server', async () => {
    const client = await opened(7);
    for (const text of ['a', 'b', 'c']) scene.service.say(7, 2, text);
    await scene.clock.advance(500);
    expect(client.state().chats?.[0]).toMatchObject({ unread: 3, lastReadId: null });
    client.markRead(7);
    expect(client.state().chats?.[0]).toMatchObject({ unread: 0, lastReadId: 3 });
    await scene.clock.advance(1_000);
    expect(client.state().chats?.[0]).toMatchObject({ unread: 0, lastReadId: 3 });
    expect(puts().map(({ body }) => body)).toEqual([{ messageId: 3 }]);
    client.markRead(7);
    await scene.clock.advance(1_000);
    expect(puts()).toHaveLength(1);
  });

  it('are sent one at a time, and marks before the latest one are skipped', async () => {
    const client = await opened(7);
    scene.service.script = async ({ path }, serve) => {
      if (path.endsWith('/read')) await scene.clock.sleep(5_000);
      return serve();
    };
    for (let index = 1; index <= 4; index++) {
      scene.service.say(7, 2, `${index}`);
      await scene.clock.advance(500);
      client.markRead(7);
      expect(client.state().chats?.[0]?.unread).toBe(0);
    }
    expect(puts()).toHaveLength(1);
    await scene.clock.advance(20_000);
    expect(puts().map(({ body }) => body.messageId)).toEqual([1, 4]);
    expect(client.state().chats?.[0]).toMatchObject({ unread: 0, lastReadId: 4 });
  });

  it('remain after a failure and after a list that does not include them yet', async () => {
    const client = await opened(7);
    scene.service.script = async ({ path }, serve) => {
      if (path.endsWith('/read')) throw new TypeError('No connection.');
      return serve();
    };
    scene.service.say(7, 2, 'a');
    await scene.clock.advance(500);
    client.markRead(7);
    scene.service.say(8, 2, 'elsewhere');
    await scene.clock.advance(5_000);
    expect(client.state().chats?.find(({ id }) => id === 7)?.unread).toBe(0);
    scene.service.script = (_, serve) => serve();
    await scene.clock.advance(60_000);
    expect(puts().at(-1)?.body).toEqual({ messageId: 1 });
    expect(client.state().chats?.find(({ id }) => id === 7)).toMatchObject({ lastReadId: 1 });
  });

  it("are not moved by the user's posts", async () => {
    const client = await opened(7);
    client.post(7, { text: 'own' });
    await scene.clock.advance(1_000);
    client.markRead(7);
    await scene.clock.advance(1_000);
    expect(puts()).toEqual([]);
  });
});

describe('the pause before the next attempt', () => {
  it.each([
    { failures: 1, min: 250, max: 500 },
    { failures: 2, min: 500, max: 1_000 },
    { failures: 5, min: 4_000, max: 8_000 },
    { failures: 7, min: 15_000, max: 30_000 },
    { failures: 5_000, min: 15_000, max: 30_000 },
  ])('is $min to $max ms after $failures failures', ({ failures, min, max }) => {
    expect(backoff(failures, 0)).toBe(min);
    expect(backoff(failures, 1)).toBe(max);
  });

  const date = 'Sun, 22 Nov 2026 10:00:00 GMT';
  it.each([
    { header: null, expected: null },
    { header: '0', expected: 0 },
    { header: ' 7 ', expected: 7_000 },
    { header: '86400', expected: 600_000 },
    { header: 'soon', expected: null },
    { header: 'Sun, 22 Nov 2026 10:00:30 GMT', expected: 30_000 },
    { header: 'Sun, 22 Nov 2026 09:00:00 GMT', expected: 0 },
  ])('is $expected ms for Retry-After $header', ({ header, expected }) => {
    expect(readRetryAfter(header, date)).toBe(expected);
  });
});
