import { expect, it, onTestFinished } from 'vitest';
import { type MsgsiteProcess, startMsgsite } from '../helpers/msgsite-process.js';
import { makeTempFolder } from '../helpers/temp-folder.js';

/** Number of kills, for example MSGSITE_TEST_KILL_ROUNDS=200 for a long run. */
const rounds = Number(process.env.MSGSITE_TEST_KILL_ROUNDS ?? 3);
const writers = 8;

interface Server {
  readonly url: string;
  readonly process: MsgsiteProcess;
}

async function serve(data: string): Promise<Server> {
  const process = startMsgsite(['serve', '--only', 'site', '--port', '0', '--data', data], {
    env: { MSGSITE_RATE_LIMIT: 'off', MSGSITE_BCRYPT_COST: '4', MSGSITE_LOG_LEVEL: 'error' },
  });
  onTestFinished(() => void process.child.kill('SIGKILL'));
  const [url] = await process.waitFor(/http:\/\/[\w.:]+/);
  return { url, process };
}

async function call(url: string, path: string, token: string, body?: unknown, key?: string) {
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${token}`,
      ...(key ? { 'Idempotency-Key': key } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

interface StoredText {
  readonly id: number;
  readonly text: string;
}

interface Post {
  readonly chatId: number;
  readonly key: string;
  readonly text: string;
  /** Set when the server has acknowledged the post. */
  id?: number;
}

it(`serve neither loses nor duplicates acknowledged writes when killed ${rounds} times under load`, async () => {
  const data = await makeTempFolder();
  let server = await serve(data);
  const account = { username: 'w', email: 'w@x.kz', password: 'long enough' };
  const { token } = (await call(server.url, '/api/auth/register', '', account)).body;
  const chats: number[] = [];
  for (const name of ['a', 'b', 'c']) {
    chats.push((await call(server.url, '/api/chats', token, { type: 'group', name })).body.chat.id);
  }
  const posts: Post[] = [];
  const groups: number[] = [];

  async function send(post: Post): Promise<void> {
    const { chatId, text, key } = post;
    const path = `/api/chats/${chatId}/messages`;
    const { status, body } = await call(server.url, path, token, { text }, key);
    expect([status, body.message?.text]).toEqual([201, text]);
    post.id = body.message.id;
  }

  async function write(round: number, writer: number): Promise<void> {
    for (let n = 0; ; n += 1) {
      const name = `${round}.${writer}.${n}`;
      // Some texts are long, so that the journal is moved to the chat logs during kills.
      const text = `${name} `.padEnd(n % 3 === 0 ? 3500 : 20, 'ж');
      const post: Post = { chatId: chats[(writer + n) % chats.length] ?? 0, key: name, text };
      posts.push(post);
      await send(post);
      if (n % 50 === 0) {
        const { body } = await call(server.url, '/api/chats', token, { type: 'group', name });
        groups.push(body.chat.id);
      }
    }
  }

  async function everything(chatId: number, after: number): Promise<StoredText[]> {
    const all: StoredText[] = [];
    for (;;) {
      const path = `/api/chats/${chatId}/messages?limit=1000&after=${all.at(-1)?.id ?? after}`;
      const { body } = await call(server.url, path, token);
      all.push(...body.messages);
      if (!body.hasMore) return all;
    }
  }

  /** Checks that exactly the posts since number `from` are stored, once and in order. */
  async function check(from: number): Promise<void> {
    const before = posts.slice(0, from);
    const since = posts.slice(from);
    for (const chatId of chats) {
      const lastId = before.reduce((last, post) => Math.max(last, post.id ?? 0), 0);
      const stored = await everything(chatId, lastId);
      const ids = stored.map(({ id }) => id);
      expect(ids.every((id, index) => id > (ids[index - 1] ?? lastId))).toBe(true);
      const sent = since.filter((post) => post.chatId === chatId);
      const found = new Map(stored.map(({ id, text }) => [text, id]));
      expect(found.size).toBe(stored.length);
      expect(stored.length).toBe(sent.length);
      for (const { text, id } of sent) expect(found.get(text)).toBe(id);
    }
    const listed = (await call(server.url, '/api/chats', token)).body.chats;
    const known = new Set(listed.map(({ id }: { id: number }) => id));
    expect(groups.filter((id) => !known.has(id))).toEqual([]);
  }

  for (let round = 0; round < rounds; round += 1) {
    const checked = posts.length;
    const working = Array.from({ length: writers }, (_, writer) => write(round, writer));
    const ended = Promise.allSettled(working);
    // The time of the kill varies, but it is never before the first acknowledgement.
    await expect.poll(() => posts.slice(checked).some(({ id }) => id !== undefined)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 50 + ((round * 97) % 350)));
    await server.process.end('SIGKILL');
    for (const outcome of await ended) {
      // A kill interrupts connections. Failed expectations have different messages.
      expect(outcome).toMatchObject({
        reason: { message: expect.stringMatching(/fetch|terminated/) },
      });
    }
    server = await serve(data);
    // Posts without a response may or may not be stored. A retry with the same key stores them once.
    await Promise.all(posts.filter(({ id }) => id === undefined).map(send));
    await check(checked);
  }
  expect(posts.length).toBeGreaterThan(rounds * writers);
  expect(await server.process.end('SIGTERM')).toBe(0);
  server = await serve(data);
  await check(0);
  expect(await server.process.end('SIGTERM')).toBe(0);
  console.log(
    `${rounds} kills: ${posts.length} messages, ${groups.length} groups, all stored once`,
  );
}, 3_600_000);
