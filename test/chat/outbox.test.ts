import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChatClient } from '../../src/pages/chat/types.js';
import { createScene, type Scene, shown } from './scripted-browser.js';
import { refuse, type ScriptedRequest } from './scripted-service.js';

const hour = 3_600_000;

let scene: Scene;
beforeEach(() => {
  scene = createScene();
  scene.service.chat(7, 1, 2);
  scene.service.chat(8, 1, 2);
});
afterEach(() => scene.close());

/** Returns the client of a user with chat 7 open. */
async function inChat(userId = 1) {
  const client = await scene.signedIn(userId);
  return openChat(client);
}

async function openChat(client: ChatClient) {
  await scene.clock.settle();
  client.openChat(7);
  await scene.clock.settle();
  return client;
}

const isPost = ({ method, path }: ScriptedRequest) =>
  method === 'POST' && path.endsWith('/messages');

/** Sets the response to posts. Other requests are served normally. */
function whenPosted(answer: (serve: () => Promise<Response>) => Promise<Response>): void {
  scene.service.script = (request, serve) => (isPost(request) ? answer(serve) : serve());
}

function serveAll(): void {
  scene.service.script = (_, serve) => serve();
}

const posted = () => scene.service.requests.filter(isPost);
const stored = (chatId = 7) => scene.service.messages(chatId).map(({ text }) => text);
const kept = () => [...scene.browser.values.keys()].filter((name) => name.includes('.post.'));

/** Handles the request, but loses the response. */
async function loseAnswer(serve: () => Promise<Response>): Promise<Response> {
  await serve();
  throw new TypeError('The connection broke.');
}

describe('a post', () => {
  it('is shown immediately, and only once as a message after the server has stored it', async () => {
    const client = await inChat();
    client.post(7, { text: 'Hello' });
    expect(shown(client, 7)).toEqual(['Hello (waiting)']);
    await scene.clock.settle();
    expect(shown(client, 7)).toEqual(['Hello']);
    expect(client.state().chats?.[0]?.lastMessage?.text).toBe('Hello');
    expect(client.state().outbox).toEqual([]);
    expect(kept()).toEqual([]);
  });

  it.each([
    { late: 'the response', isLate: isPost },
    { late: 'the list', isLate: ({ path }: ScriptedRequest) => path === '/api/chats' },
    {
      late: 'the page of messages',
      isLate: (request: ScriptedRequest) => /messages/.test(request.path) && !isPost(request),
    },
  ])('is shown exactly once if $late arrives late', async ({ isLate }) => {
    const client = await inChat();
    const counts = new Set<number>();
    client.subscribe(() => counts.add(shown(client, 7).length));
    scene.service.script = async (request, serve) => {
      const response = await serve();
      if (isLate(request)) await scene.clock.sleep(500);
      return response;
    };
    client.post(7, { text: 'Hello' });
    await scene.clock.advance(5_000);
    expect([...counts]).toEqual([1]);
    expect(shown(client, 7)).toEqual(['Hello']);
    expect(client.state().outbox).toEqual([]);
  });

  it('is not mistaken for an earlier post with the same text', async () => {
    const client = await inChat();
    client.post(7, { text: 'ok' });
    await scene.clock.settle();
    whenPosted(() => new Promise(() => {}));
    client.post(7, { text: 'ok' });
    await scene.clock.settle();
    expect(shown(client, 7)).toEqual(['ok', 'ok (sending)']);
  });

  it('is stored locally before it is sent', async () => {
    const client = await inChat();
    let keptThen: string[] = [];
    whenPosted((serve) => {
      keptThen = kept();
      return serve();
    });
    const key = client.post(7, { text: 'Hello' });
    await scene.clock.settle();
    expect(keptThen).toEqual([`msgsite-chat.post.1.${key}`]);
  });

  it('is retried with the same key until the response arrives, and stored once', async () => {
    const client = await inChat();
    whenPosted(loseAnswer);
    client.post(7, { text: 'Hello' });
    await scene.clock.advance(10_000);
    expect(posted().length).toBeGreaterThan(2);
    serveAll();
    await scene.clock.advance(30_000);
    expect(new Set(posted().map(({ key }) => key)).size).toBe(1);
    expect(stored()).toEqual(['Hello']);
    expect(shown(client, 7)).toEqual(['Hello']);
  });

  it('waits for the previous post in its chat, but not for other chats', async () => {
    const client = await inChat();
    whenPosted(() => Promise.reject(new TypeError('No connection.')));
    for (const text of ['one', 'two', 'three']) client.post(7, { text });
    await scene.clock.settle();
    expect(posted().map(({ body }) => body.text)).toEqual(['one']);
    client.post(8, { text: 'other' });
    await scene.clock.settle();
    expect(posted().some(({ body }) => body.text === 'other')).toBe(true);
    serveAll();
    await scene.clock.advance(60_000);
    expect(stored()).toEqual(['one', 'two', 'three']);
    expect(stored(8)).toEqual(['other']);
  });

  it.each([500, 502, 503, 429, 408])('is retried after status %i', async (status) => {
    const client = await inChat();
    whenPosted(async () => refuse(status, 'passing', scene.service.time));
    client.post(7, { text: 'Hello' });
    await scene.clock.settle();
    expect(shown(client, 7)).toEqual(['Hello (waiting)']);
    serveAll();
    await scene.clock.advance(60_000);
    expect(stored()).toEqual(['Hello']);
  });

  it('is retried if a proxy responds in its own format', async () => {
    const client = await inChat();
    whenPosted(async () => new Response('<h1>Not Found</h1>', { status: 404 }));
    client.post(7, { text: 'Hello' });
    await scene.clock.advance(5_000);
    whenPosted(async () => new Response('{"ok":true,"message":{"id":"1"}}', { status: 201 }));
    await scene.clock.advance(5_000);
    expect(client.state().outbox[0]?.state).not.toBe('failed');
    serveAll();
    await scene.clock.advance(60_000);
    expect(shown(client, 7)).toEqual(['Hello']);
  });

  it.each([400, 403, 404, 409, 413])(
    "that is rejected with %i is kept with the server's message, and delays the next post",
    async (status) => {
      const client = await inChat();
      whenPosted(async () => refuse(status, 'no_such_luck', scene.service.time));
      const key = client.post(7, { text: 'Hello' });
      client.post(7, { text: 'Behind' });
      await scene.clock.advance(60_000);
      expect(posted()).toHaveLength(1);
      expect(client.state().rooms[7]?.outgoing).toMatchObject([
        { state: 'failed', error: { message: 'Refused: no_such_luck.', status } },
        { state: 'waiting', error: null },
      ]);
      serveAll();
      client.retry(key);
      await scene.clock.settle();
      expect(stored()).toEqual(['Hello', 'Behind']);
      expect(kept()).toEqual([]);
    },
  );

  it('can be discarded after a failure, after which the next posts are sent', async () => {
    const client = await inChat();
    whenPosted(async () => refuse(400, 'no', scene.service.time));
    const key = client.post(7, { text: 'Hello' });
    await scene.clock.settle();
    client.post(7, { text: 'Behind' });
    serveAll();
    client.discard(key);
    await scene.clock.settle();
    expect(stored()).toEqual(['Behind']);
  });

  it('is not retried before the time in Retry-After, even if the client is woken', async () => {
    const client = await inChat();
    const asked = { 'retry-after': '20' };
    whenPosted(async () => refuse(429, 'rate_limited', scene.service.time, asked));
    client.post(7, { text: 'Hello' });
    await scene.clock.advance(1_000);
    serveAll();
    client.wake();
    await scene.clock.advance(18_000);
    expect(posted()).toHaveLength(1);
    await scene.clock.advance(2_000);
    expect(stored()).toEqual(['Hello']);
  });

  it.each([
    { text: '', code: 'text_empty' },
    { text: ' \n\u00a0', code: 'text_empty' },
    { text: 'a'.repeat(4_001), code: 'text_too_long' },
    { text: '😀'.repeat(4_001), code: 'text_too_long' },
  ])('is rejected if its length is invalid: $code', async ({ text, code }) => {
    const client = await inChat();
    expect(() => client.post(7, { text })).toThrow(expect.objectContaining({ code }));
    expect(client.state().outbox).toEqual([]);
  });

  it('can have 4,000 characters of any size', async () => {
    const client = await inChat();
    client.post(7, { text: '😀'.repeat(4_000) });
    await scene.clock.settle();
    expect(stored()).toHaveLength(1);
  });

  it('is rejected if 500 posts are waiting', async () => {
    const client = await inChat();
    whenPosted(() => new Promise(() => {}));
    for (let index = 0; index < 500; index++) client.post(7, { text: `${index}` });
    const full = expect.objectContaining({ code: 'outbox_full' });
    expect(() => client.post(7, { text: 'one more' })).toThrow(full);
  });
});

describe('the outbox after a reload', () => {
  it('sends unsent posts in order', async () => {
    const before = await inChat();
    whenPosted(() => Promise.reject(new TypeError('No connection.')));
    for (const text of ['one', 'two', 'three']) before.post(7, { text });
    await scene.clock.settle();
    before.stop();
    serveAll();
    const client = await openChat(scene.tab());
    await scene.clock.settle();
    expect(stored()).toEqual(['one', 'two', 'three']);
    expect(shown(client, 7)).toEqual(['one', 'two', 'three']);
  });

  it('retries unacknowledged posts with the same keys, and never shows them twice', async () => {
    const before = await inChat();
    whenPosted(async (serve) => {
      await serve();
      return new Promise(() => {});
    });
    before.post(7, { text: 'Hello' });
    await scene.clock.settle();
    before.stop();
    const client = scene.tab();
    const counts = new Set<number>();
    client.subscribe(
      ({ rooms }) => rooms[7]?.isLoading === false && counts.add(shown(client, 7).length),
    );
    await openChat(client);
    serveAll();
    await scene.clock.advance(60_000);
    expect(stored()).toEqual(['Hello']);
    expect([...counts]).toEqual([1]);
    expect(client.state().outbox).toEqual([]);
  });

  it('does not resend a post that was attempted a day ago until the user requests it', async () => {
    const before = await inChat();
    whenPosted(() => Promise.reject(new TypeError('No connection.')));
    const key = before.post(7, { text: 'Hello' });
    await scene.clock.settle();
    before.stop();
    serveAll();
    scene.service.time += 24 * hour;
    const client = await openChat(scene.tab());
    expect(client.state().outbox).toMatchObject([{ state: 'failed', error: { code: 'too_old' } }]);
    expect(stored()).toEqual([]);
    client.retry(key);
    await scene.clock.settle();
    expect(stored()).toEqual(['Hello']);
  });

  it('sends a post that was never attempted, regardless of its age', async () => {
    const before = await inChat();
    scene.service.script = () => Promise.reject(new TypeError('No connection.'));
    whenPosted(() => new Promise(() => {}));
    before.post(7, { text: 'under way' });
    before.post(7, { text: 'Hello' });
    before.discard(before.state().outbox[0]?.key ?? '');
    before.stop();
    serveAll();
    scene.service.time += 24 * hour;
    const client = await openChat(scene.tab());
    expect(stored()).toEqual(['Hello']);
    expect(client.state().outbox).toEqual([]);
  });

  it('does not retry a post after the device was asleep for a day', async () => {
    const client = await inChat();
    whenPosted(() => Promise.reject(new TypeError('No connection.')));
    client.post(7, { text: 'Hello' });
    await scene.clock.settle();
    scene.service.time += 24 * hour;
    serveAll();
    client.wake();
    await scene.clock.advance(60_000);
    expect(client.state().outbox).toMatchObject([{ state: 'failed', error: { code: 'too_old' } }]);
    expect(stored()).toEqual([]);
  });

  it('ignores unreadable entries in the storage', async () => {
    scene.browser.values.set('msgsite-chat.post.1.a', '{"chatId":');
    scene.browser.values.set('msgsite-chat.post.1.b', '{"chatId":7,"text":4}');
    scene.browser.values.set('msgsite-chat.session', '"?"');
    scene.browser.values.set('somebody-elses', 'value');
    const client = await inChat();
    expect(client.state().outbox).toEqual([]);
    expect(kept()).toEqual([]);
    expect(scene.browser.values.get('somebody-elses')).toBe('value');
  });
});

describe('posts of another user', () => {
  it('are sent only after their author has signed in again', async () => {
    const client = await inChat();
    whenPosted(() => Promise.reject(new TypeError('No connection.')));
    client.post(7, { text: 'from 1' });
    await scene.clock.settle();
    scene.service.endTokens();
    await scene.clock.advance(30_000);
    expect(client.state()).toMatchObject({ phase: 'signed-out', endedElsewhere: true });
    serveAll();
    await client.signIn({ email: '2@service.test', password: 'apricot' });
    await scene.clock.advance(30_000);
    expect(client.state().user?.id).toBe(2);
    expect(client.state().outbox).toEqual([]);
    expect(stored()).toEqual([]);
    await client.signIn({ email: '1@service.test', password: 'apricot' });
    await scene.clock.advance(30_000);
    expect(scene.service.messages(7)).toMatchObject([{ text: 'from 1', senderId: 1 }]);
  });
});

describe('a storage that cannot be used', () => {
  it('is reported as full until there is space, and posts are still sent', async () => {
    const client = await inChat();
    scene.browser.refuses = /post/;
    whenPosted(() => Promise.reject(new TypeError('No connection.')));
    client.post(7, { text: 'Hello' });
    await scene.clock.settle();
    expect(client.state().storageFailure).toBe('full');
    scene.browser.refuses = undefined;
    client.post(7, { text: 'again' });
    expect(client.state().storageFailure).toBeNull();
    expect(kept()).toHaveLength(2);
    scene.browser.refuses = /./;
    client.post(7, { text: 'full again' });
    serveAll();
    await scene.clock.advance(60_000);
    expect(stored()).toEqual(['Hello', 'again', 'full again']);
    expect(client.state().outbox).toEqual([]);
  });

  it('is replaced by memory for the session and posts, even after the session has ended', async () => {
    scene.browser.refuses = /./;
    const client = await inChat();
    expect(client.state()).toMatchObject({ phase: 'signed-in', storageFailure: 'full' });
    whenPosted(() => Promise.reject(new TypeError('No connection.')));
    client.post(7, { text: 'Hello' });
    await scene.clock.settle();
    scene.service.endTokens();
    await scene.clock.advance(30_000);
    expect(client.state().phase).toBe('signed-out');
    serveAll();
    await client.signIn({ email: '1@service.test', password: 'apricot' });
    await scene.clock.advance(30_000);
    expect(stored()).toEqual(['Hello']);
  });

  it('is reported as forbidden if it is missing or inaccessible', async () => {
    const forbidden = () => {
      throw new Error('SecurityError');
    };
    const { createChatClient } = await import('../../src/pages/chat/client.js');
    const storages = [
      null,
      { length: 0, key: forbidden, getItem: forbidden, setItem: forbidden, removeItem: forbidden },
    ];
    for (const [index, storage] of storages.entries()) {
      const client = createChatClient({ ...scene.parts, storage });
      client.start();
      await client.signIn({ email: '1@service.test', password: 'apricot' });
      client.post(7, { text: `Hello ${index}` });
      await scene.clock.settle();
      expect(client.state()).toMatchObject({ storageFailure: 'forbidden', outbox: [] });
      expect(stored()).toContain(`Hello ${index}`);
      client.stop();
    }
  });
});

describe('the outboxes of two tabs', () => {
  it.each([true, false])(
    'send each post once and show the same messages (locks: %s)',
    async (withLocks) => {
      const first = await scene.signedIn(1);
      const second = scene.tab({}, { withLocks });
      for (const tab of [first, second]) await openChat(tab);
      const counts = new Set<string>();
      second.subscribe(() => {
        const texts = shown(second, 7).map((text) => text.replace(/ \(.*/, ''));
        counts.add([...texts].sort().join());
      });
      second.post(7, { text: 'a' });
      await scene.clock.settle();
      second.post(7, { text: 'b' });
      await scene.clock.advance(1_000);
      first.post(7, { text: 'c' });
      await scene.clock.advance(1_000);
      expect(stored()).toEqual(['a', 'b', 'c']);
      if (withLocks) expect(posted()).toHaveLength(3);
      expect([...counts]).toEqual(['a', 'a,b', 'a,b,c']);
      for (const tab of [first, second]) {
        expect(shown(tab, 7)).toEqual(['a', 'b', 'c']);
        expect(tab.state().outbox).toEqual([]);
      }
    },
  );

  it('show the same unsent posts, and one tab sends them after the other was closed', async () => {
    const first = await inChat();
    const second = await openChat(scene.tab());
    whenPosted(() => new Promise(() => {}));
    first.post(7, { text: 'a' });
    await scene.clock.settle();
    expect(shown(second, 7)).toEqual(['a (waiting)']);
    second.post(7, { text: 'b' });
    await scene.clock.settle();
    expect(shown(first, 7)).toEqual(['a (sending)', 'b (waiting)']);
    expect(posted()).toHaveLength(1);
    first.stop();
    serveAll();
    await scene.clock.advance(1_000);
    expect(shown(second, 7)).toEqual(['a', 'b']);
    expect(stored()).toEqual(['a', 'b']);
  });

  it('show posts that the other tab discards or retries', async () => {
    const first = await inChat();
    const second = await openChat(scene.tab());
    whenPosted(async () => refuse(400, 'no', scene.service.time));
    const key = first.post(7, { text: 'a' });
    const other = first.post(7, { text: 'b' });
    await scene.clock.settle();
    expect(shown(second, 7)).toEqual(['a (failed)', 'b (waiting)']);
    second.discard(key);
    await scene.clock.settle();
    expect(shown(first, 7)).toEqual(['b (failed)']);
    serveAll();
    second.retry(other);
    await scene.clock.advance(1_000);
    for (const tab of [first, second]) expect(shown(tab, 7)).toEqual(['b']);
  });

  it('send a post that only one of them has because the storage is full', async () => {
    await inChat();
    const second = await openChat(scene.tab());
    scene.browser.refuses = /post/;
    second.post(7, { text: 'a' });
    await scene.clock.advance(1_000);
    expect(stored()).toEqual(['a']);
  });
});
