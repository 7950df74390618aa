// A chat between two people, with types from openapi-typescript and requests with openapi-fetch.
//
//   npx openapi-typescript http://127.0.0.1:3000/openapi.json -o site.ts
//   npx tsc
//   node chat.js

import { randomUUID } from 'node:crypto';
import createClient from 'openapi-fetch';
import type { components, paths } from './site.js';

type NewChat = components['schemas']['NewChat'];
type ChatList = components['schemas']['ChatList'];

const baseUrl = process.env.SITE ?? 'http://127.0.0.1:3000';

/** Returns the data of a response, or throws the site's error. */
function done<Data>(result: { data?: Data; error?: { error: string; code: string } }): Data {
  if (result.error) throw new Error(`${result.error.error} (${result.error.code})`);
  if (result.data === undefined) throw new Error('The response has no body.');
  return result.data;
}

/** Registers a user with a separate client, as on a separate device. */
async function signUp(username: string) {
  const client = createClient<paths>({ baseUrl });
  const email = `${randomUUID()}@example.kz`;
  const { token, user } = done(
    await client.POST('/api/auth/register', {
      body: { username, email, password: 'apricot and walnut' },
    }),
  );
  let current = token;
  client.use({
    onRequest({ request }) {
      request.headers.set('Authorization', `Bearer ${current}`);
    },
  });
  return {
    client,
    user,
    /** Renews the token. Call this regularly, so that the user does not have to sign in again. */
    async renew() {
      current = done(await client.POST('/api/auth/renew')).token;
    },
  };
}

type Person = Awaited<ReturnType<typeof signUp>>;

const begin = async ({ client }: Person, body: NewChat) =>
  done(await client.POST('/api/chats', { body })).chat;

/** Returns the list of chats with its ETag. With an earlier ETag, waits for a change; undefined if there is none. */
async function readList({ client }: Person, etag?: string) {
  const params = etag ? { query: { wait: 30 }, header: { 'If-None-Match': etag } } : {};
  const result = await client.GET('/api/chats', { params });
  if (result.response.status === 304) return undefined;
  const list: ChatList = done(result);
  return { chats: list.chats, etag: result.response.headers.get('ETag') ?? '' };
}

/** Follows all chats, one request at a time, until there is something to read. */
async function untilUnread(person: Person) {
  let etag: string | undefined;
  for (;;) {
    const list = await readList(person, etag);
    etag = list?.etag ?? etag;
    const chat = list?.chats.find(({ unread }) => unread > 0);
    if (chat?.lastMessage) return { chat, message: chat.lastMessage };
  }
}

const [ann, bob] = await Promise.all([signUp('Ann'), signUp('Bob')]);
const dialogue = await begin(ann, { type: 'private', participantId: bob.user.id });
const group = await begin(ann, { type: 'group', name: 'Bakers' });
const channel = await begin(ann, { type: 'channel', name: 'News' });
console.log(`Chats: ${[dialogue, group, channel].map(({ name }) => name).join(', ')}`);

const arrival = untilUnread(bob);
done(
  await ann.client.POST('/api/chats/{id}/messages', {
    params: { path: { id: dialogue.id }, header: { 'Idempotency-Key': randomUUID() } },
    body: { text: 'Is the bread ready?' },
  }),
);
const { chat, message } = await arrival;
console.log(`${message.senderName}: ${message.text} (${chat.unread} unread)`);
const path = { id: chat.id };
const body = { messageId: message.id };
const marked = done(await bob.client.PUT('/api/chats/{id}/read', { params: { path }, body }));
console.log(`Read up to there: ${marked.chat.unread} unread`);
await bob.renew();
const { users } = done(await bob.client.GET('/api/users', { params: { query: { q: 'ann' } } }));
console.log(users.some(({ id }) => id === ann.user.id) ? 'Ann was found' : 'Ann was not found');
