import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createChatClient } from '../../src/pages/chat/client.js';
import type { ChatClient, ClientParts, State } from '../../src/pages/chat/types.js';
import { startTestServer, type TestServer } from '../helpers/test-server.js';
import { emailOf, realParts, signedUp, texts, until } from './real-clients.js';

const password = 'apricot and walnut';
const adminToken = 'a token of the admin page';

let server: TestServer;
const open: ChatClient[] = [];
let people = 0;

beforeAll(async () => {
  const env = { MSGSITE_RATE_LIMIT: 'off', MSGSITE_ADMIN_TOKEN: adminToken };
  server = await startTestServer({ only: 'site', env });
});
afterEach(() => {
  for (const client of open.splice(0)) client.stop();
});
afterAll(() => server?.close());

/** Registers a new user. */
async function somebody(own: Partial<ClientParts> = {}) {
  people += 1;
  const name = `Person${people}`;
  const made = await signedUp({ ...realParts(server.site), ...own }, name);
  open.push(made.client);
  return { ...made, name, email: emailOf(name) };
}

/** Signs in to an account on another device. */
async function device(email: string, word = password): Promise<ChatClient> {
  const client = createChatClient(realParts(server.site));
  open.push(client);
  client.start();
  await client.signIn({ email, password: word });
  return client;
}

const chatOf = ({ chats }: State, id: number) => chats?.find((chat) => chat.id === id);

describe('a private chat', () => {
  it('is created by one person and visible to both, with messages, unread counts and read marks', async () => {
    const [ann, bob] = [await somebody(), await somebody()];
    const { id } = await ann.client.createPrivate(bob.id);
    expect(chatOf(ann.client.state(), id)?.name).toBe(bob.name);
    ann.client.openChat(id);
    ann.client.post(id, { text: 'Hello' });
    ann.client.post(id, { text: '🙂', type: 'emoji' });
    const { chats } = await until(bob.client, (state) => chatOf(state, id)?.unread === 2);
    expect(chats?.[0]).toMatchObject({ id, name: ann.name, lastMessage: { type: 'emoji' } });
    bob.client.openChat(id);
    await until(bob.client, () => texts(bob.client, id).length === 2);
    bob.client.markRead(id);
    expect(chatOf(bob.client.state(), id)?.unread).toBe(0);
    const last = ann.client.state().rooms[id]?.messages.at(-1)?.id;
    await until(ann.client, (state) => chatOf(state, id)?.peerReadId === last);
    // Another device of the same person shows the same count.
    const phone = await device(bob.email);
    await until(phone, (state) => chatOf(state, id)?.unread === 0);
  });

  it('with oneself is rejected with an explanation', async () => {
    const { client, id } = await somebody();
    await expect(client.createPrivate(id)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/\w/),
    });
  });

  it('rejects posts after the other person has deleted the account', async () => {
    const [ann, bob] = [await somebody(), await somebody()];
    const { id } = await ann.client.createPrivate(bob.id);
    await expect(bob.client.deleteAccount({ password: 'wrong one' })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await bob.client.deleteAccount({ password });
    expect(bob.client.state()).toMatchObject({ phase: 'signed-out', endedElsewhere: false });
    await until(ann.client, (state) => chatOf(state, id)?.name === 'Deleted account');
    ann.client.post(id, { text: 'Are you there?' });
    const { outbox } = await until(ann.client, (state) => state.outbox[0]?.state === 'failed');
    expect(outbox[0]?.error).toMatchObject({ status: 409 });
  });
});

describe('a group', () => {
  it('is marked as gone after the user was removed, and updated again after the user rejoined', async () => {
    const [ann, bob] = [await somebody(), await somebody()];
    const { id } = await ann.client.createGroup('Ovens');
    await ann.client.addMember(id, bob.id);
    await until(bob.client, (state) => chatOf(state, id) !== undefined);
    bob.client.openChat(id);
    ann.client.post(id, { text: 'Welcome' });
    await until(bob.client, () => texts(bob.client, id).length === 1);
    await ann.client.removeMember(id, bob.id);
    const lost = await until(bob.client, ({ rooms }) => rooms[id]?.isGone === true);
    expect(chatOf(lost, id)).toBeUndefined();
    bob.client.post(id, { text: 'Why?' });
    await until(bob.client, ({ rooms }) => rooms[id]?.outgoing[0]?.state === 'failed');
    await ann.client.addMember(id, bob.id);
    const back = await until(bob.client, ({ rooms }) => rooms[id]?.isGone === false);
    expect(chatOf(back, id)?.unread).toBe(0);
    const [failed] = bob.client.state().outbox;
    bob.client.retry(failed?.key ?? '');
    ann.client.openChat(id);
    await until(ann.client, () => texts(ann.client, id).join() === 'Welcome,Why?');
  });

  it('can be renamed and left, lists its members, and is deleted when its last member leaves', async () => {
    const [ann, bob] = [await somebody(), await somebody()];
    const { id } = await ann.client.createGroup('Ovens');
    await ann.client.addMember(id, bob.id);
    expect(await ann.client.members(id)).toMatchObject({
      members: [{ id: ann.id }, { id: bob.id }],
      hasMore: false,
    });
    await ann.client.rename(id, 'Kilns');
    expect(chatOf(ann.client.state(), id)?.name).toBe('Kilns');
    await until(bob.client, (state) => chatOf(state, id)?.name === 'Kilns');
    await expect(bob.client.rename(id, 'Mine')).rejects.toMatchObject({ code: 'forbidden' });
    await ann.client.leave(id);
    expect(chatOf(ann.client.state(), id)).toBeUndefined();
    await until(bob.client, (state) => chatOf(state, id)?.ownerId === bob.id);
    await bob.client.leave(id);
    bob.client.openChat(id);
    await until(bob.client, ({ rooms }) => rooms[id]?.isGone === true);
  });
});

describe('a channel', () => {
  it('can be found, subscribed to, read and unsubscribed from', async () => {
    const [ann, bob] = [await somebody(), await somebody()];
    const { id } = await ann.client.createChannel('News');
    const channels = await bob.client.listChannels();
    expect(channels).toContainEqual(expect.objectContaining({ id, name: 'News' }));
    await bob.client.subscribeTo(id);
    expect(chatOf(bob.client.state(), id)).toMatchObject({ type: 'channel', unread: 0 });
    bob.client.openChat(id);
    ann.client.post(id, { text: 'Open on Sunday' });
    await until(bob.client, () => texts(bob.client, id).length === 1);
    bob.client.post(id, { text: 'Me too' });
    await until(bob.client, ({ rooms }) => rooms[id]?.outgoing[0]?.state === 'failed');
    await bob.client.unsubscribeFrom(id);
    expect(chatOf(bob.client.state(), id)).toBeUndefined();
    await expect(ann.client.unsubscribeFrom(id)).rejects.toMatchObject({ status: 409 });
  });
});

describe('people', () => {
  it('are found by part of their names, and shown with their bio', async () => {
    const [ann, bob] = [await somebody(), await somebody()];
    await bob.client.changeProfile({ username: `Ñandú of ${bob.name}`, bio: 'Bakes.' });
    const found = await ann.client.searchPeople(`nandu of ${bob.name}`);
    expect(found.map(({ id }) => id)).toEqual([bob.id]);
    expect(await ann.client.person(bob.id)).toMatchObject({ bio: 'Bakes.' });
    expect((await ann.client.searchPeople('')).length).toBeGreaterThanOrEqual(2);
    await expect(ann.client.person(999_999)).rejects.toMatchObject({ code: 'not_found' });
    await until(bob.client, ({ user }) => user?.bio === 'Bakes.');
  });
});

describe('the session', () => {
  it('continues after a password change, and ends on all other devices', async () => {
    const { client, email } = await somebody();
    const phone = await device(email);
    const newPassword = 'walnut and apricot';
    const wrong = client.changePassword({ currentPassword: 'no', newPassword });
    await expect(wrong).rejects.toMatchObject({ code: 'forbidden' });
    await client.changePassword({ currentPassword: password, newPassword });
    phone.wake();
    await until(phone, ({ endedElsewhere }) => endedElsewhere);
    const { id } = await client.createGroup('Ovens');
    await until(client, (state) => chatOf(state, id) !== undefined);
    expect(client.state()).toMatchObject({ phase: 'signed-in', endedElsewhere: false });
    await device(email, newPassword);
  });

  it('ends on all devices when the user signs out everywhere', async () => {
    const { client, email } = await somebody();
    const phone = await device(email);
    await client.signOutEverywhere();
    expect(client.state()).toMatchObject({ phase: 'signed-out', endedElsewhere: false });
    await until(phone, ({ phase, endedElsewhere }) => phase === 'signed-out' && endedElsewhere);
  });

  it('starts when the user enters a reset code from the operator', async () => {
    const { client, id, email } = await somebody();
    await client.signOut();
    const response = await fetch(`${server.site}/api/admin/users/${id}/reset-code`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}` },
    });
    const { code } = (await response.json()) as { code: string };
    const newPassword = 'walnut and apricot';
    const wrong = client.resetPassword({ email, code: 'AAAAAAAAAA', newPassword });
    await expect(wrong).rejects.toMatchObject({ code: 'unauthorized' });
    await client.resetPassword({ email, code, newPassword });
    expect(client.state()).toMatchObject({ phase: 'signed-in', user: { id } });
  });

  it('reports the cause of a failed sign-in or sign-up', async () => {
    const { client, email } = await somebody();
    await client.signOut();
    const wrong = client.signIn({ email, password: 'wrong one' });
    await expect(wrong).rejects.toMatchObject({ code: 'unauthorized' });
    const taken = client.signUp({ username: 'Else', email, password });
    await expect(taken).rejects.toMatchObject({ code: 'email_taken' });
    const short = client.signUp({ username: ' ', email: 'x', password: 'y' });
    await expect(short).rejects.toMatchObject({
      code: 'validation_failed',
      details: expect.arrayContaining([expect.objectContaining({ path: '/email' })]),
    });
    expect(client.state().phase).toBe('signed-out');
  });
});

describe('token renewal', () => {
  it('is retried if its response is lost, and the new token is used', async () => {
    const tokens: string[] = [];
    let ahead = 0;
    let lost = 0;
    const own = await somebody({
      fetch: async (url, init) => {
        tokens.push(new Headers(init.headers).get('authorization') ?? '');
        const response = await fetch(url, init);
        if (url.endsWith('/renew') && lost++ === 0) throw new TypeError('The connection broke.');
        const headers = new Headers(response.headers);
        const date = Date.parse(headers.get('date') ?? '');
        headers.set('date', new Date(date + ahead).toUTCString());
        const { status } = response;
        return new Response(status === 304 ? null : await response.text(), { status, headers });
      },
    });
    const before = tokens.at(-1);
    // The client believes that four of the seven days have passed.
    ahead = 4 * 24 * 3_600_000;
    own.client.wake();
    await until(own.client, () => lost === 2);
    ahead = 0;
    await own.client.createGroup('Ovens');
    expect(tokens.at(-1)).not.toBe(before);
    expect(own.client.state()).toMatchObject({ phase: 'signed-in', endedElsewhere: false });
    expect(lost).toBe(2);
  });
});
