import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChatClient, ListedChat } from '../../src/pages/chat/types.js';
import { type KillableServer, startKillable } from './killable-server.js';
import { realParts, signedUp, sleepFor, until } from './real-clients.js';

/** Number of clients. A shop and its regulars have about as many open at the same time. */
const people = 50;
const postsEach = 3;
const kills = 3;

let server: KillableServer;
const clients: ChatClient[] = [];

beforeAll(async () => {
  server = await startKillable();
});

afterAll(async () => {
  for (const client of clients) client.stop();
  await server?.close();
});

async function killAndRestart(): Promise<void> {
  await server.kill();
  await server.restart();
}

/** Creates groups of five, a group of all clients, channels and private chats. Returns the chats of each client. */
async function makeChats(ids: readonly number[]): Promise<ReadonlySet<number>[]> {
  const chatsOf = clients.map(() => new Set<number>());
  const at = (index: number) => clients[index] as ChatClient;
  const group = async (name: string, [owner = 0, ...others]: readonly number[]) => {
    const { id } = await at(owner).createGroup(name);
    for (const other of others) await at(owner).addMember(id, ids[other] ?? 0);
    for (const member of [owner, ...others]) chatsOf[member]?.add(id);
  };
  const channel = async (owner: number, subscribers: readonly number[]) => {
    const { id } = await at(owner).createChannel(`News of ${owner}`);
    for (const other of subscribers) await at(other).subscribeTo(id);
    for (const member of [owner, ...subscribers]) chatsOf[member]?.add(id);
  };
  const pair = async (one: number, other: number) => {
    const { id } = await at(one).createPrivate(ids[other] ?? 0);
    for (const member of [one, other]) chatsOf[member]?.add(id);
  };
  const everybody = [...ids.keys()];
  const starts = everybody.filter((index) => index % 5 === 0);
  const fives = starts.map((start) => everybody.slice(start, start + 5));
  await Promise.all([
    group('Everybody', everybody),
    ...fives.map((members) => group(`From ${members[0]}`, members)),
    ...[1, 2].map((owner) => channel(owner, starts)),
    ...everybody.map((one) => pair(one, (one + 7) % people)),
  ]);
  return chatsOf;
}

const mayPost = (client: ChatClient, chat: ListedChat) =>
  chat.type !== 'channel' || chat.ownerId === client.state().user?.id;

/** Returns true if the client has sent everything and shows the last message of every chat. */
const isSettled = (client: ChatClient, posted: ReadonlyMap<number, readonly string[]>) => {
  const { chats, rooms, outbox, connection } = client.state();
  if (outbox.length > 0 || connection.state !== 'online' || chats === null) return false;
  return chats.every(({ id, lastMessage }) => {
    const messages = rooms[id]?.messages ?? [];
    const last = messages.at(-1)?.id ?? null;
    // A client that missed more than a page scrolls up.
    if (rooms[id]?.hasOlder) client.loadOlder(id);
    return messages.length >= (posted.get(id)?.length ?? 0) && last === (lastMessage?.id ?? null);
  });
};

it('many clients show every message once and in the same order, even if the server is killed repeatedly', async () => {
  const made = await Promise.all(
    Array.from({ length: people }, (_, index) => signedUp(realParts(server.site), `User${index}`)),
  );
  clients.push(...made.map(({ client }) => client));
  const ids = made.map(({ id }) => id);
  const chatsOf = await makeChats(ids);
  const posted = new Map<number, string[]>();
  const open = async (client: ChatClient, chats: ReadonlySet<number>) => {
    await until(client, (state) => state.chats?.length === chats.size);
    for (const id of chats) {
      client.openChat(id);
      posted.set(id, []);
    }
  };
  await Promise.all(clients.map((client, index) => open(client, chatsOf[index] ?? new Set())));

  let count = 0;
  const talk = async (client: ChatClient, index: number) => {
    for (let turn = 0; turn < postsEach; turn++) {
      const chats = (client.state().chats ?? []).filter((chat) => mayPost(client, chat));
      const chat = chats[(index + turn * 7) % chats.length];
      if (!chat) throw new Error('There is nowhere to post.');
      // Some texts are equal, so that only their keys differ.
      const text = turn % 3 === 2 ? 'ok' : `${index}: ${turn}`;
      client.post(chat.id, { text });
      posted.get(chat.id)?.push(text);
      count += 1;
      if (turn % 3 === 0) client.markRead(chat.id);
      await sleepFor(300 * Math.random());
    }
  };
  const acknowledged = () =>
    clients.reduce((sum, client) => sum - client.state().outbox.length, count);
  const killing = async () => {
    for (let kill = 0; kill < kills; kill++) {
      const share = (kill + 0.5) / kills;
      while (acknowledged() < share * people * postsEach) await sleepFor(10);
      await killAndRestart();
    }
  };
  await Promise.all([killing(), ...clients.map(talk)]);
  await Promise.all(clients.map((client) => until(client, () => isSettled(client, posted))));

  const orders = new Map<number, number[]>();
  for (const client of clients) {
    const { chats, rooms, user } = client.state();
    for (const chat of chats ?? []) {
      const messages = rooms[chat.id]?.messages ?? [];
      const texts = messages.map(({ text }) => text);
      expect(texts.sort()).toEqual([...(posted.get(chat.id) ?? [])].sort());
      const order = messages.map(({ id }) => id);
      expect(order).toEqual(orders.get(chat.id) ?? order);
      orders.set(chat.id, order);
      const isUnread = ({ id, senderId }: { id: number; senderId: number }) =>
        id > (chat.lastReadId ?? 0) && senderId !== user?.id;
      expect(chat.unread).toBe(messages.filter(isUnread).length);
    }
    expect(client.state()).toMatchObject({ outbox: [], endedElsewhere: false });
  }
  const all = [...orders.values()].flat();
  expect(all).toHaveLength(people * postsEach);
});
