import { expect, it, vi } from 'vitest';
import type { Change, MessagingStore } from '../../../src/messaging/store.js';
import {
  channel,
  createdAt,
  group,
  makeUsers,
  message,
  openTwoProcesses,
  pair,
} from './two-processes.js';

const both = openTwoProcesses();

/** Records the notifications of a process. `texts` returns them sorted and without duplicates. */
function record(store: MessagingStore) {
  const recorded: Change[] = [];
  const stop = store.changes.on((change) => recorded.push(change));
  return {
    stop,
    texts: () => [...new Set(recorded.map((change) => JSON.stringify(change)))].sort(),
  };
}

/** Returns the notifications that both processes receive for an action of the first one. */
async function changesOf(act: () => Promise<unknown>): Promise<string[]> {
  const { here, there } = both;
  const [first, second] = [record(here), record(there)];
  await act();
  const recorded = first.texts();
  // Notifications arrive in the order in which they were sent.
  await here.users.change(1, { username: `U${Math.random()}` });
  const end = JSON.stringify({ person: 1 });
  await vi.waitUntil(() => second.texts().includes(end), { timeout: 60_000, interval: 10 });
  first.stop();
  second.stop();
  const withoutFirst = (texts: string[]) => texts.filter((text) => !text.includes('unknown'));
  expect(withoutFirst(second.texts())).toEqual(
    withoutFirst([...new Set([...recorded, end])].sort()),
  );
  return recorded.map((text) => text.replaceAll(/[{}"]/g, ''));
}

it('every process is notified only of changes that lists and waiting requests depend on', async () => {
  const { here, database } = both;
  await makeUsers(here, 5);
  // Waits until both processes listen.
  await vi.waitUntil(
    async () => {
      const rows = await database.run(
        'listening',
        (sql) => sql`
          select from pg_stat_activity
          where application_name = 'msgsite notifications' and datname = current_database()
            and query ilike '%pg_listening_channels%'`,
      );
      return rows.length >= 2;
    },
    { timeout: 60_000, interval: 50 },
  );
  const chats = here.chats;
  const cases: [string, () => Promise<unknown>, string[]][] = [
    ['a group', () => chats.create(group), ['list:1']],
    ['a private chat', () => chats.create(pair(2, 3)), ['list:2', 'list:3']],
    // The repeated creation uses up the ID 3.
    ['the same private chat again', () => chats.create(pair(3, 2)), []],
    ['a channel', () => chats.create({ ...channel, ownerId: 5 }), ['list:5']],
    ['adding', () => chats.addMember(1, 4), ['chat:1', 'list:4']],
    ['adding again', () => chats.addMember(1, 4), []],
    ['a post', () => here.messages.append(message(1, 'x')), ['chat:1']],
    ['a post elsewhere', () => here.messages.append(message(2, 'x', 2)), ['chat:2']],
    ['reading', () => chats.markRead(1, 4, 1), ['list:4']],
    ['reading again', () => chats.markRead(1, 4, 1), []],
    ['reading a private chat', () => chats.markRead(2, 3, 1), ['chat:2', 'list:3']],
    ['a chat name', () => chats.rename(1, 'n'), ['chat:1']],
    ['an avatar', () => here.users.change(3, { avatar: 'http://a' }), ['person:3']],
    ['a bio', () => here.users.change(3, { bio: 'b' }), []],
    ['removing', () => chats.removeMember(1, 4), ['chat:1', 'list:4']],
    ['removing again', () => chats.removeMember(1, 4), []],
    ['removing the last member', () => chats.removeMember(1, 1), ['chat:1', 'list:1']],
    ['subscribing', () => chats.addMember(4, 2), ['chat:4', 'list:2']],
    [
      'deleting an account',
      () => here.endAccount(2, { at: createdAt }),
      ['chat:2', 'chat:4', 'list:2', 'person:2'],
    ],
    [
      'deleting the other account',
      () => here.endAccount(3, { at: createdAt }),
      ['chat:2', 'list:3', 'person:3'],
    ],
    ['deleting it again', () => here.endAccount(3, { at: createdAt }), []],
  ];
  for (const [name, act, expected] of cases)
    expect([name, await changesOf(act)]).toEqual([name, expected]);
});
