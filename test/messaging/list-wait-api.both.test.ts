import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiAnswer } from '../helpers/api-client.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';
import {
  createMessagingClient,
  type MessagingClient,
  type Person,
  password,
} from './messaging-client.js';

let server: TestServer;
let client: MessagingClient;

beforeAll(async () => {
  server = await startTestServer({ env: { MSGSITE_RATE_LIMIT: 'off' } });
  client = await createMessagingClient(server.site);
});

afterAll(() => server.close());

/** Returns whether a request is still pending after later requests have received responses. */
async function isPending(answer: Promise<unknown>): Promise<boolean> {
  for (let n = 0; n < 3; n += 1) await client.api('GET', '/openapi.json');
  return (await Promise.race([answer, Promise.resolve('pending')])) === 'pending';
}

async function tagOf(person: Person): Promise<string> {
  return (await client.list(person)).headers.get('etag') ?? '';
}

/** Starts a wait for a change of the current list, and checks that it is pending. */
async function waitOn(person: Person): Promise<{ answer: Promise<ApiAnswer>; tag: string }> {
  const tag = await tagOf(person);
  const answer = client.list(person, '?wait=30', tag);
  expect(await isPending(answer)).toBe(true);
  return { answer, tag };
}

const chatOf = ({ body }: ApiAnswer, id: number) =>
  body.chats.find((chat: { id: number }) => chat.id === id);

const call = (method: string, path: string, { token }: Person, body?: unknown) =>
  client.api(method, path, { token, ...(body === undefined ? {} : { body }) });

describe('the list of chats', () => {
  it('immediately returns 304 for the current ETag if the request does not wait', async () => {
    const ann = await client.register();
    const tag = await tagOf(ann);
    expect(tag).toMatch(/^"[\w-]+"$/);
    expect(await client.list(ann, '', tag)).toMatchObject({ status: 304, body: '' });
    expect((await client.list(ann, '?wait=0', tag)).status).toBe(304);
    await client.newGroup(ann);
    const { status, headers } = await client.list(ann, '', tag);
    expect([status, headers.get('etag') === tag]).toEqual([200, false]);
  });

  it('immediately returns the list for a missing or different ETag', async () => {
    const ann = await client.register();
    expect((await client.list(ann, '?wait=30')).status).toBe(200);
    expect((await client.list(ann, '?wait=30', '"another"')).status).toBe(200);
  });

  it('returns 304 with the same ETag when the wait times out', async () => {
    const ann = await client.register();
    const tag = await tagOf(ann);
    const { status, headers } = await client.list(ann, '?wait=1', tag);
    expect([status, headers.get('etag')]).toEqual([304, tag]);
  });

  it.each(['?wait=31', '?wait=-1', '?wait=x', '?wait=1&wait=2'])(
    'rejects %s with 400',
    async (query) => {
      expect((await client.list(await client.register(), query)).status).toBe(400);
    },
  );
});

describe('a long poll for the list of chats', () => {
  it.each([
    ['a message', ({ ann }, { group }) => client.post(ann, group, 'news'), 'group'],
    [
      'a private message',
      ({ ann }, { dialogue }) => client.post(ann, dialogue, 'news'),
      'dialogue',
    ],
    ['a new name of a chat', ({ ann }, { group }) => client.rename(ann, group, 'New'), 'group'],
    ['a new member', ({ ann, eve }, { group }) => client.add(ann, group, eve), 'group'],
    [
      'a new name of the other person',
      ({ ann }) => call('PUT', '/api/users/me', ann, { username: 'Renamed' }),
      'dialogue',
    ],
    [
      'a new picture of the other person',
      ({ ann }) => call('PUT', '/api/users/me', ann, { avatar: 'https://x.kz/a.png' }),
      'dialogue',
    ],
    [
      "the deletion of the other person's account",
      ({ ann }) => call('DELETE', '/api/users/me', ann, { password }),
      'dialogue',
    ],
    [
      "the other person's read mark",
      ({ ann }, { dialogue, last }) => client.mark(ann, dialogue, last),
      'dialogue',
    ],
    [
      "the user's read mark",
      ({ bob }, { dialogue, last }) => client.mark(bob, dialogue, last),
      'dialogue',
    ],
  ] as [string, (people: People, ids: Ids) => Promise<unknown>, 'group' | 'dialogue'][])(
    'is woken by %s',
    async (_name, act, changed) => {
      const { people, ids } = await setUp();
      const { answer, tag } = await waitOn(people.bob);
      const before = await client.list(people.bob);
      await act(people, ids);
      const woken = await answer;
      expect(woken.status).toBe(200);
      expect(woken.headers.get('etag')).not.toBe(tag);
      expect(chatOf(woken, ids[changed])).not.toEqual(chatOf(before, ids[changed]));
    },
  );

  it.each([
    ['an addition to a group', ({ ann, eve }, { group }) => client.add(ann, group, eve), 1],
    ['a new private chat', ({ ann, eve }) => client.newPrivate(ann, eve), 1],
    ['a new channel of the user', ({ eve }) => client.newChannel(eve), 1],
  ] as [string, (people: People, ids: Ids) => Promise<unknown>, number][])(
    'is woken by %s if the user has no chats',
    async (_name, act, count) => {
      const { people, ids } = await setUp();
      const { answer } = await waitOn(people.eve);
      await act(people, ids);
      expect((await answer).body.chats).toHaveLength(count);
    },
  );

  it('is woken when the user leaves a chat or is removed from one', async () => {
    const { people, ids } = await setUp();
    const { ann, bob, eve } = people;
    const removed = await waitOn(bob);
    await client.remove(ann, ids.group, bob);
    expect(chatOf(await removed.answer, ids.group)).toBeUndefined();
    await client.subscribe(eve, ids.channel);
    const left = await waitOn(eve);
    await client.unsubscribe(eve, ids.channel);
    expect((await left.answer).body.chats).toEqual([]);
  });

  it("shows the user's own new name in the last message", async () => {
    const { people, ids } = await setUp();
    const { bob } = people;
    const { answer } = await waitOn(bob);
    await call('PUT', '/api/users/me', bob, { username: 'Robert' });
    expect(chatOf(await answer, ids.dialogue)).toMatchObject({
      lastMessage: { senderId: bob.id, senderName: 'Robert' },
    });
  });

  it('is not woken by changes outside the list', async () => {
    const { people, ids } = await setUp();
    const { ann, bob, eve } = people;
    const { answer } = await waitOn(eve);
    await client.post(ann, ids.group, 'not for Eve');
    await client.mark(bob, ids.group, await client.post(ann, ids.group));
    await call('PUT', '/api/users/me', bob, { username: 'Robert' });
    expect(await isPending(answer)).toBe(true);
    await client.newGroup(eve);
    expect((await answer).status).toBe(200);
  });

  it("immediately returns changes since the client's last request", async () => {
    const { people, ids } = await setUp();
    const { ann, bob } = people;
    const { tag } = await waitOn(bob);
    await client.post(ann, ids.group, 'meanwhile');
    const late = await client.list(bob, '?wait=30', tag);
    expect(chatOf(late, ids.group)).toMatchObject({
      lastMessage: { text: 'meanwhile' },
      unread: 1,
    });
    const next = client.list(bob, '?wait=30', late.headers.get('etag') ?? '');
    expect(await isPending(next)).toBe(true);
    await client.post(ann, ids.group, 'later');
    expect(chatOf(await next, ids.group)).toMatchObject({ unread: 2 });
  });

  it('returns 401 after its token was signed out', async () => {
    const { people, ids } = await setUp();
    const { answer } = await waitOn(people.bob);
    await call('POST', '/api/auth/logout', people.bob);
    await client.post(people.ann, ids.group, 'a secret');
    expect(await answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    const other = await waitOn(people.ann);
    // Signing out everywhere ends the wait without any other change.
    await call('POST', '/api/auth/logout-all', people.ann);
    expect((await other.answer).status).toBe(401);
  });

  it('shares a limit of a hundred with waits for messages, even without rate limits', async () => {
    const { people, ids } = await setUp();
    const { ann, bob } = people;
    const last = await client.post(ann, ids.group);
    const tag = await tagOf(bob);
    const wait = (n: number) =>
      n % 2 === 0
        ? client.list(bob, '?wait=30', tag)
        : client.read(bob, ids.group, `?after=${last}&wait=30`);
    const waiting = Array.from({ length: 105 }, (_, n) => wait(n));
    const first = await Promise.race(waiting);
    expect(first).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(first.headers.get('retry-after')).toBe('5');
    expect((await client.list(bob, '?wait=30', '"another"')).status).toBe(200);
    await client.post(ann, ids.group, 'news');
    const answers = await Promise.all(waiting);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
  });
});

describe('a long poll for messages', () => {
  it('immediately returns 403 for a removed member, and 404 for a deleted chat', async () => {
    const { people, ids } = await setUp();
    const { ann, bob } = people;
    const wait = (who: Person) => client.read(who, ids.group, `?after=${ids.last + 1e6}&wait=30`);
    const removed = wait(bob);
    expect(await isPending(removed)).toBe(true);
    await client.remove(ann, ids.group, bob);
    expect(await removed).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const last = wait(ann);
    expect(await isPending(last)).toBe(true);
    await client.remove(ann, ids.group, ann);
    expect(await last).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('continues when something else changes in the chat', async () => {
    const { people, ids } = await setUp();
    const { ann, bob } = people;
    const wait = client.read(bob, ids.group, `?after=${ids.last}&wait=30`);
    expect(await isPending(wait)).toBe(true);
    await client.rename(ann, ids.group, 'Renamed');
    expect(await isPending(wait)).toBe(true);
    await client.post(ann, ids.group, 'news');
    expect((await wait).body.messages).toMatchObject([{ text: 'news' }]);
  });
});

interface People {
  readonly ann: Person;
  readonly bob: Person;
  readonly eve: Person;
}

interface Ids {
  readonly group: number;
  readonly dialogue: number;
  readonly channel: number;
  /** ID of a message in the private chat of Bob and Ann that neither has marked as read. */
  readonly last: number;
}

/** Creates a group and a private chat of Ann and Bob, and a user Eve, who is in no chat. */
async function setUp(): Promise<{ people: People; ids: Ids }> {
  const [ann, bob, eve] = await Promise.all(
    ['Ann', 'Bob', 'Eve'].map((name) => client.register(name)),
  );
  if (!ann || !bob || !eve) throw new Error('Expected three people.');
  const group = await client.newGroup(ann);
  await client.add(ann, group, bob);
  const dialogue = await client.newPrivate(ann, bob);
  const channel = await client.newChannel(ann);
  const last = await client.post(bob, dialogue, 'hello Ann');
  return { people: { ann, bob, eve }, ids: { group, dialogue, channel, last } };
}
