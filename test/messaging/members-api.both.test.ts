import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../helpers/test-server.js';
import { createMessagingClient, type MessagingClient } from './messaging-client.js';

let server: TestServer;
let client: MessagingClient;

beforeAll(async () => {
  server = await startTestServer({ env: { MSGSITE_RATE_LIMIT: 'off' } });
  client = await createMessagingClient(server.site);
});

afterAll(() => server.close());

/** Creates a group with its owner and others, added in this order. */
async function groupOf(names: readonly string[]) {
  const people = await Promise.all(names.map((name) => client.register(name)));
  const [owner, ...others] = people;
  if (!owner) throw new Error('A group requires an owner.');
  const id = await client.newGroup(owner, 'Bakers');
  for (const other of others) await client.add(owner, id, other);
  return { id, owner, others, people };
}

describe('leaving a group', () => {
  it('is allowed for every member, but only the owner can remove others', async () => {
    const { id, owner, others } = await groupOf(['Owner', 'Ann', 'Bob']);
    const [ann, bob] = others;
    if (!ann || !bob) throw new Error('Expected three people.');
    expect((await client.remove(ann, id, bob)).status).toBe(403);
    const removed = await client.remove(owner, id, ann);
    expect(removed).toMatchObject({
      status: 200,
      body: { ok: true, group: { id, participants: [owner.id, bob.id], participantCount: 2 } },
    });
    expect((await client.remove(owner, id, ann)).body).toEqual(removed.body);
    expect((await client.read(ann, id)).status).toBe(403);
    const left = await client.remove(bob, id, bob);
    expect(left).toMatchObject({
      status: 200,
      body: {
        group: { id, name: 'Bakers', participants: [], participantCount: 1, lastReadId: null },
      },
    });
    expect(await client.listed(bob, id)).toBeUndefined();
    expect(await client.listed(owner, id)).toMatchObject({ participants: [owner.id] });
  });

  it('reveals nothing to non-members, who cannot remove other people', async () => {
    const { id, owner } = await groupOf(['Owner', 'Ann']);
    const stranger = await client.register('Stranger');
    const { status, body } = await client.remove(stranger, id, stranger);
    expect(status).toBe(200);
    expect(body.group).toMatchObject({ id, name: '', participants: [], participantCount: 0 });
    expect(body.group.avatar).toMatch(/\/-\.svg$/);
    expect((await client.remove(stranger, id, owner)).status).toBe(403);
    expect((await client.remove(stranger, 9_999_999, stranger)).status).toBe(404);
  });

  it('transfers ownership to the member who joined first, and deletes the group when the last member leaves', async () => {
    const { id, owner, others } = await groupOf(['Owner', 'Ann', 'Bob']);
    const [ann, bob] = others;
    if (!ann || !bob) throw new Error('Expected three people.');
    await client.post(owner, id, 'the recipe');
    await client.remove(ann, id, ann);
    await client.add(owner, id, ann);
    const left = await client.remove(owner, id, owner);
    expect(left.body.group).toMatchObject({ ownerId: bob.id, participants: [] });
    expect(await client.listed(ann, id)).toMatchObject({
      ownerId: bob.id,
      participants: [bob.id, ann.id],
    });
    expect((await client.rename(bob, id, 'Millers')).status).toBe(200);
    expect((await client.add(owner, id, owner)).status).toBe(403);
    expect((await client.remove(bob, id, ann)).status).toBe(200);
    expect((await client.remove(bob, id, bob)).body.group).toMatchObject({ participants: [] });
    for (const answer of [
      await client.remove(bob, id, bob),
      await client.read(bob, id),
      await client.add(bob, id, ann),
      await client.rename(bob, id, 'x'),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    expect((await client.list(bob)).body.chats).toEqual([]);
  });

  it('and rejoining it marks earlier messages as read', async () => {
    const { id, owner, others } = await groupOf(['Owner', 'Ann']);
    const [ann] = others;
    if (!ann) throw new Error('Expected two people.');
    await client.post(owner, id, 'one');
    await client.remove(ann, id, ann);
    await client.post(owner, id, 'two');
    await client.add(owner, id, ann);
    expect(await client.listed(ann, id)).toMatchObject({ unread: 0, lastReadId: null });
    await client.post(owner, id, 'three');
    expect(await client.listed(ann, id)).toMatchObject({ unread: 1 });
  });
});

describe('ending a subscription', () => {
  it('can be repeated, is hidden from other subscribers, and is rejected for the owner', async () => {
    const [owner, reader] = [await client.register('Owner'), await client.register('Reader')];
    const id = await client.newChannel(owner, 'News');
    const body = (await client.subscribe(reader, id)).body;
    expect(body.channel).toMatchObject({
      participants: [owner.id, reader.id],
      participantCount: 2,
    });
    const ended = await client.unsubscribe(reader, id);
    expect(ended).toMatchObject({
      status: 200,
      body: { ok: true, channel: { id, name: 'News', participants: [], participantCount: 1 } },
    });
    expect((await client.unsubscribe(reader, id)).body).toEqual(ended.body);
    expect((await client.read(reader, id)).status).toBe(403);
    expect(await client.unsubscribe(owner, id)).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
    const group = await client.newGroup(owner);
    expect((await client.unsubscribe(owner, group)).status).toBe(404);
  });
});

describe('renaming a chat', () => {
  it('is allowed only for the owner of a group or channel', async () => {
    const { id, owner, others } = await groupOf(['Owner', 'Ann']);
    const [ann] = others;
    if (!ann) throw new Error('Expected two people.');
    const renamed = await client.rename(owner, id, 'Millers');
    expect(renamed).toMatchObject({
      status: 200,
      body: { ok: true, chat: { id, name: 'Millers' } },
    });
    expect(await client.listed(ann, id)).toMatchObject({ name: 'Millers' });
    const channel = await client.newChannel(owner, 'News');
    expect((await client.rename(owner, channel, 'Old news')).body.chat.name).toBe('Old news');
    const { channels } = (await client.api('GET', `/api/channels?after=${channel - 1}`, ann)).body;
    expect(channels[0]).toMatchObject({ id: channel, name: 'Old news' });
    const dialogue = await client.newPrivate(owner, ann);
    for (const [who, chatId] of [
      [ann, id],
      [owner, dialogue],
      [ann, channel],
    ] as const) {
      expect((await client.rename(who, chatId, 'x')).status).toBe(403);
    }
    expect((await client.rename(owner, 9_999_999, 'x')).status).toBe(404);
  });

  it.each([[{}], [{ name: ' ' }], [{ name: 'я'.repeat(201) }], [{ name: 'x', ownerId: 1 }]])(
    'to %j is rejected with 400',
    async (body) => {
      const owner = await client.register();
      const id = await client.newGroup(owner);
      const { token } = owner;
      expect((await client.api('PUT', `/api/chats/${id}`, { token, body })).status).toBe(400);
    },
  );
});

describe('the members of a chat', () => {
  it('are listed in pages, ordered by ID, for users who may read the chat', async () => {
    const { id, owner, people } = await groupOf(['Owner', 'Ann', 'Bob']);
    const page = async (query: string, { token } = owner) =>
      client.api('GET', `/api/chats/${id}/members${query}`, { token });
    const shown = people.map(({ id: each, username, avatar }) => ({ id: each, username, avatar }));
    shown.sort((a, b) => a.id - b.id);
    expect((await page('')).body).toEqual({ ok: true, members: shown, hasMore: false });
    expect((await page('?limit=2')).body).toEqual({
      ok: true,
      members: shown.slice(0, 2),
      hasMore: true,
    });
    const rest = await page(`?limit=2&after=${shown[1]?.id}`);
    expect(rest.body).toEqual({ ok: true, members: shown.slice(2), hasMore: false });
    expect((await page('?limit=1001')).status).toBe(400);
    expect((await page('', await client.register())).status).toBe(403);
  });

  it('are listed only for the owner if the chat is a channel', async () => {
    const [owner, reader] = [await client.register('Owner'), await client.register('Reader')];
    const id = await client.newChannel(owner);
    await client.subscribe(reader, id);
    const path = `/api/chats/${id}/members`;
    expect((await client.api('GET', path, reader)).status).toBe(403);
    const { members } = (await client.api('GET', path, owner)).body;
    expect(members.map((each: { id: number }) => each.id)).toEqual(
      [owner.id, reader.id].sort((a, b) => a - b),
    );
    expect((await client.api('GET', '/api/chats/9999999/members', owner)).status).toBe(404);
  });
});

describe('read marks', () => {
  it('determine the number of unread messages, and are visible to the other person in a private chat', async () => {
    const [ann, bob] = [await client.register('Ann'), await client.register('Bob')];
    const id = await client.newPrivate(ann, bob);
    expect(await client.listed(bob, id)).toMatchObject({
      unread: 0,
      lastReadId: null,
      peerReadId: null,
      participantCount: 2,
      lastMessage: null,
    });
    const ids = [];
    for (const text of ['one', 'two', 'three']) ids.push(await client.post(ann, id, text));
    const [, second = 0, third = 0] = ids;
    expect(await client.listed(ann, id)).toMatchObject({ unread: 0, lastReadId: null });
    expect(await client.listed(bob, id)).toMatchObject({
      unread: 3,
      lastMessage: { id: third, senderId: ann.id, senderName: 'Ann', type: 'text', text: 'three' },
    });
    const marked = await client.mark(bob, id, second);
    expect(marked).toMatchObject({
      status: 200,
      body: { ok: true, chat: { id, unread: 1, lastReadId: second, name: 'Ann' } },
    });
    expect(marked.body.chat).not.toHaveProperty('lastMessage');
    expect((await client.mark(bob, id, ids[0])).body.chat.lastReadId).toBe(second);
    expect(await client.listed(ann, id)).toMatchObject({ peerReadId: second, lastReadId: null });
    const answer = await client.post(bob, id, 'four');
    expect(await client.listed(bob, id)).toMatchObject({ unread: 1, lastReadId: second });
    expect(await client.mark(bob, id, answer + 1)).toMatchObject({ status: 404 });
    expect((await client.mark(bob, id, answer)).body.chat).toMatchObject({ unread: 0 });
  });

  it('are rejected for strangers and for invalid IDs', async () => {
    const [ann, bob] = [await client.register('Ann'), await client.register('Bob')];
    const id = await client.newGroup(ann);
    const message = await client.post(ann, id);
    expect((await client.mark(bob, id, message)).status).toBe(403);
    expect((await client.mark(ann, 9_999_999, message)).status).toBe(404);
    for (const wrong of [0, -1, 1.5, '7', null, undefined]) {
      expect((await client.mark(ann, id, wrong)).status).toBe(400);
    }
    const empty = await client.newGroup(ann);
    expect((await client.mark(ann, empty, 1)).status).toBe(404);
    expect(await client.listed(ann, empty)).toMatchObject({ lastReadId: null });
  });

  it('are not shown to other members of a group', async () => {
    const { id, owner, others } = await groupOf(['Owner', 'Ann']);
    await client.mark(owner, id, await client.post(others[0] as never, id));
    expect(await client.listed(others[0] as never, id)).not.toHaveProperty('peerReadId');
  });
});
