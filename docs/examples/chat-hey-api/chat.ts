// A chat between two people, with types and functions from @hey-api/openapi-ts.
//
//   npx openapi-ts -i http://127.0.0.1:3000/openapi.json -o site
//   npx tsc
//   node chat.js

import { randomUUID } from 'node:crypto';
import { createClient } from './site/client/index.js';
import {
  createChat,
  listChats,
  listUsers,
  markRead,
  type NewChat,
  postMessage,
  register,
  renewToken,
} from './site/index.js';

const baseUrl = process.env.SITE ?? 'http://127.0.0.1:3000';

/** Returns the data of a response, or throws the site's error. */
function done<Data>(result: { data?: Data; error?: { error: string; code: string } }): Data {
  if (result.error) throw new Error(`${result.error.error} (${result.error.code})`);
  if (result.data === undefined) throw new Error('The response has no body.');
  return result.data;
}

/** Registers a user with a separate client, as on a separate device. */
async function signUp(username: string) {
  const client = createClient({ baseUrl });
  const email = `${randomUUID()}@example.kz`;
  const body = { username, email, password: 'apricot and walnut' };
  const { token, user } = done(await register({ client, body }));
  client.setConfig({ auth: token });
  return {
    client,
    user,
    /** Renews the token. Call this regularly, so that the user does not have to sign in again. */
    async renew() {
      client.setConfig({ auth: done(await renewToken({ client })).token });
    },
  };
}

type Person = Awaited<ReturnType<typeof signUp>>;

const begin = async ({ client }: Person, body: NewChat) =>
  done(await createChat({ client, body })).chat;

/** Returns the list of chats with its ETag. With an earlier ETag, waits for a change; undefined if there is none. */
async function readList({ client }: Person, etag?: string) {
  const conditions = etag ? { query: { wait: 30 }, headers: { 'If-None-Match': etag } } : {};
  const result = await listChats({ client, ...conditions });
  if (result.response?.status === 304) return undefined;
  const { chats } = done(result);
  return { chats, etag: result.response?.headers.get('ETag') ?? '' };
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
  await postMessage({
    client: ann.client,
    path: { id: dialogue.id },
    headers: { 'Idempotency-Key': randomUUID() },
    body: { text: 'Is the bread ready?' },
  }),
);
const { chat, message } = await arrival;
console.log(`${message.senderName}: ${message.text} (${chat.unread} unread)`);
const path = { id: chat.id };
const marked = done(await markRead({ client: bob.client, path, body: { messageId: message.id } }));
console.log(`Read up to there: ${marked.chat.unread} unread`);
await bob.renew();
const { users } = done(await listUsers({ client: bob.client, query: { q: 'ann' } }));
console.log(users.some(({ id }) => id === ann.user.id) ? 'Ann was found' : 'Ann was not found');
