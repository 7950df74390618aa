import pLimit from 'p-limit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiAnswer, type ApiClient, createApiClient } from '../helpers/api-client.js';
import { openRawConnection } from '../helpers/raw-connection.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';

/** Tests the limits that apply even with MSGSITE_RATE_LIMIT=off: numbers of concurrent requests, and sizes. */
let server: TestServer;
let api: ApiClient;
let people = 0;

interface Person {
  readonly id: number;
  readonly email: string;
  readonly token: string;
}

beforeAll(async () => {
  server = await startTestServer({ env: { MSGSITE_RATE_LIMIT: 'off' } });
  api = await createApiClient(server.site);
});

afterAll(() => server.close());

const password = 'correct horse';

async function register(): Promise<Person> {
  people += 1;
  const body = { username: 'Somebody', email: `p${people}@x.kz`, password };
  const answer = await api('POST', '/api/auth/register', { body });
  return { ...answer.body.user, token: answer.body.token };
}

async function signInAgain({ email }: Person): Promise<string> {
  return (await api('POST', '/api/auth/login', { body: { email, password } })).body.token;
}

async function newGroup({ token }: Person): Promise<number> {
  const body = { type: 'group', name: 'g' };
  return (await api('POST', '/api/chats', { token, body })).body.chat.id;
}

/** Posts messages, a few at a time, because each concurrent request requires a connection. */
async function fill({ token }: Person, chatId: number, text: string, count: number) {
  const limit = pLimit(25);
  const posts = Array.from({ length: count }, () =>
    limit(() => api('POST', `/api/chats/${chatId}/messages`, { token, body: { text } })),
  );
  const ids = (await Promise.all(posts)).map(({ body }) => body.message.id as number);
  return ids.sort((a, b) => a - b);
}

const pathOf = (chatId: number, query = '') => `/api/chats/${chatId}/messages${query}`;

/** Returns whether a promise is still pending after the server has responded to another request. */
async function isPending(answer: Promise<unknown>): Promise<boolean> {
  await api('GET', '/openapi.json');
  return (await Promise.race([answer, Promise.resolve('pending')])) === 'pending';
}

describe('a page of messages', () => {
  const text = '€'.repeat(4000);
  const mebibyte = 1024 * 1024;
  const perPage = Math.floor(mebibyte / Buffer.byteLength(text));

  it('is limited to 1 MiB of text, and paging returns every message once', async () => {
    const person = await register();
    const chatId = await newGroup(person);
    const ids = await fill(person, chatId, text, perPage + 5);
    const idsOf = ({ body }: ApiAnswer) => body.messages.map(({ id }: { id: number }) => id);
    const read = (query = '') => api('GET', pathOf(chatId, query), person);

    const latest = await read();
    expect(latest.body.hasMore).toBe(true);
    expect(idsOf(latest)).toEqual(ids.slice(-perPage));
    const rest = await read(`?before=${idsOf(latest)[0]}`);
    expect(rest.body.hasMore).toBe(false);
    expect(idsOf(rest)).toEqual(ids.slice(0, -perPage));

    const first = await read('?after=0');
    expect(first.body.hasMore).toBe(true);
    expect(idsOf(first)).toEqual(ids.slice(0, perPage));
    const next = await read(`?after=${idsOf(first).at(-1)}&wait=30`);
    expect(next.body.hasMore).toBe(false);
    expect(idsOf(next)).toEqual(ids.slice(perPage));
  });

  it('contains up to a thousand short messages', async () => {
    const person = await register();
    const chatId = await newGroup(person);
    await fill(person, chatId, 'x', 1001);
    const { body } = await api('GET', pathOf(chatId), person);
    expect([body.messages.length, body.hasMore]).toEqual([1000, true]);
  });
});

describe('the list of chats', () => {
  it('includes 1 MiB of complete last messages, latest first, and shortens the others', async () => {
    const person = await register();
    const text = '€'.repeat(4000);
    const [oldest, ...others] = await Promise.all(
      Array.from({ length: 95 }, () => newGroup(person)),
    );
    await fill(person, oldest ?? 0, text, 1);
    for (const chatId of others) await fill(person, chatId, text, 1);
    const { chats } = (await api('GET', '/api/chats', person)).body;
    const texts = chats.map((chat: { lastMessage: { text: string } }) => chat.lastMessage.text);
    const whole = Math.floor((1024 * 1024) / Buffer.byteLength(text));
    expect(texts.slice(0, whole)).toEqual(Array(whole).fill(text));
    expect(texts.slice(whole)).toEqual(Array(95 - whole).fill(`${'€'.repeat(200)}…`));
    expect(chats.at(-1).id).toBe(oldest);
  });
});

describe('long pages that a client does not read', () => {
  /** The text is six times as long in JSON, and longer than the system's buffers. */
  const text = `${'\u0001'.repeat(3999)}x`;
  const small = '?limit=1';

  let owner: Person;
  let chatId: number;

  beforeAll(async () => {
    owner = await register();
    chatId = await newGroup(owner);
    await fill(owner, chatId, text, 263);
  });

  /** Registers a member of the group whose pages are long. */
  async function setUp() {
    const person = await register();
    const { token } = owner;
    await api('POST', `/api/groups/${chatId}/members`, { token, body: { userId: person.id } });
    const read = () => api('GET', pathOf(chatId, small), person);
    return { person, path: pathOf(chatId), read };
  }

  async function leaveUnread({ token }: Person, path: string, count: number) {
    const connections = await Promise.all(
      Array.from({ length: count }, () => openRawConnection(server.site)),
    );
    for (const connection of connections) await connection.send({ path, token });
    await Promise.all(connections.map((connection) => connection.answered()));
    return connections;
  }

  it('are limited to eight per user, and further requests wait until a page is read or a client disconnects', async () => {
    const { person, path, read } = await setUp();
    const [first, second] = await leaveUnread(person, path, 7);
    expect((await read()).status).toBe(200);
    await leaveUnread(person, path, 1);
    const others = await setUp();
    const [ninth, tenth] = [read(), read()];
    expect((await others.read()).status).toBe(200);
    expect(await isPending(Promise.race([ninth, tenth]))).toBe(true);
    first?.resume();
    expect((await ninth).status).toBe(200);
    second?.close();
    expect((await tenth).status).toBe(200);
  });

  it('delay a burst of requests by the same user, all of which succeed eventually', async () => {
    const { person, path, read } = await setUp();
    const unread = await leaveUnread(person, path, 8);
    const gone = new AbortController();
    const headers = { Authorization: `Bearer ${person.token}` };
    const leaving = fetch(`${server.site}${path}`, { headers, signal: gone.signal });
    const waiting = Array.from({ length: 120 }, read);
    expect(await isPending(Promise.race(waiting))).toBe(true);
    gone.abort();
    await expect(leaving).rejects.toThrow();
    for (const connection of unread) connection.close();
    const answers = await Promise.all(waiting);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('release their slots if the connection closes while they are queued behind another request', async () => {
    const { person, path, read } = await setUp();
    const { token } = person;
    const connection = await openRawConnection(server.site);
    const empty = await newGroup(person);
    const wait = { path: pathOf(empty, '?after=0&wait=30'), token };
    await connection.send(wait, ...Array.from({ length: 8 }, () => ({ path, token })));
    // Nothing signals that the connection's requests have arrived. The test therefore repeats a read until it must
    // wait.
    let ninth = read();
    while (!(await isPending(ninth))) ninth = read();
    connection.close();
    expect((await ninth).status).toBe(200);
    expect((await read()).status).toBe(200);
  });
});

describe('long-polling requests', () => {
  it('are limited to a hundred per user across all tokens, and return 429 beyond that', async () => {
    const person = await register();
    const chatId = await newGroup(person);
    const [last = 0] = await fill(person, chatId, 'first', 1);
    const tokens = [person.token, await signInAgain(person)];
    const wait = (n: number, after = last) =>
      api('GET', pathOf(chatId, `?after=${after}&wait=30`), { token: tokens[n % 2] ?? '' });

    const waiting = Array.from({ length: 110 }, (_, n) => wait(n));
    const first = await Promise.race(waiting);
    expect(first).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(first.headers.get('retry-after')).toBe('5');
    expect((await wait(0, 0)).body.messages).toHaveLength(1);

    const other = await register();
    const ofOther = await newGroup(other);
    const news = api('GET', pathOf(ofOther, '?after=0&wait=30'), other);
    await fill(other, ofOther, 'news', 1);
    expect((await news).body.messages).toHaveLength(1);

    await fill(person, chatId, 'second', 1);
    const answers = await Promise.all(waiting);
    const answered = answers.filter(({ status }) => status === 200);
    expect(answered).toHaveLength(100);
    expect(answered.every(({ body }) => body.messages[0].text === 'second')).toBe(true);
    const again = api('GET', pathOf(chatId, `?after=${last + 1e6}&wait=1`), person);
    expect((await again).status).toBe(200);
  });

  it('return 401 after their token was signed out, and continue for other tokens of the user', async () => {
    const person = await register();
    const chatId = await newGroup(person);
    const token = await signInAgain(person);
    const [signedOut, other] = [token, person.token].map((each) =>
      api('GET', pathOf(chatId, '?after=0&wait=30'), { token: each }),
    );
    await api('POST', '/api/auth/logout', { token });
    await fill(person, chatId, 'a secret', 1);
    expect(await signedOut).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    expect((await other)?.body.messages).toHaveLength(1);
  });

  it('return 401 when they time out after their token was signed out', async () => {
    const person = await register();
    const chatId = await newGroup(person);
    const waiting = api('GET', pathOf(chatId, '?after=0&wait=1'), person);
    await isPending(waiting);
    await api('POST', '/api/auth/logout', person);
    expect((await waiting).status).toBe(401);
  });
});

describe('the rate limit for new chats', () => {
  it('returns 429 with Retry-After after 30 chats, while existing chats are still returned', async () => {
    const limited = await startTestServer({ env: { MSGSITE_RATE_LIMIT: 'on' } });
    try {
      const call = await createApiClient(limited.site);
      const join = async (email: string) =>
        (await call('POST', '/api/auth/register', { body: { username: 'x', email, password } }))
          .body;
      const [ann, bob] = [await join('ann@x.kz'), await join('bob@x.kz')];
      const { token } = ann;
      const toBob = () =>
        call('POST', '/api/chats', {
          token,
          body: { type: 'private', participantId: bob.user.id },
        });
      expect((await toBob()).status).toBe(201);
      const group = { type: 'group', name: 'g' };
      const answers: ApiAnswer[] = [];
      for (let n = 0; n < 40; n += 1) {
        answers.push(await call('POST', '/api/chats', { token, body: group }));
      }
      const [rejected] = answers.filter(({ status }) => status !== 201);
      expect(rejected).toMatchObject({ status: 429, body: { ok: false, code: 'rate_limited' } });
      expect(Number(rejected?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await toBob()).status).toBe(200);
      const groupId = answers[0]?.body.chat.id;
      const add = () =>
        call('POST', `/api/groups/${groupId}/members`, { token, body: { userId: bob.user.id } });
      expect([(await add()).status, (await add()).status]).toEqual([200, 200]);
    } finally {
      await limited.close();
    }
  });
});
