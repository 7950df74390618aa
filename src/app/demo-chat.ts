import type { Clock } from '../base/clock.js';
import { unlimited } from '../base/rate-limit.js';
import {
  type DemoChat,
  type DemoPerson,
  demoChats,
  demoEmail,
  demoPassword,
  demoPeople,
} from '../messaging/demo.js';
import { createMessaging, type MessagingOptions } from '../messaging/messaging.js';
import type { User } from '../messaging/model.js';
import type { MessagingStore } from '../messaging/store.js';

/** How to sign in as the people of the demonstration. */
export interface DemoAccounts {
  /** Of those who are (still) there. */
  readonly emails: readonly string[];
  readonly password: string;
  /** Whether they were made just now. */
  readonly isNew: boolean;
}

type Messaging = ReturnType<typeof createMessaging>;
type People = Readonly<Record<DemoPerson, User>>;

/** Since when the people of the demonstration have been there, in milliseconds before now. */
const known = 40 * 86_400_000;

/** The accounts of a demonstration that somebody may sign in to, made now or before; undefined where there are none. */
export async function openDemoChat(
  options: Omit<MessagingOptions, 'counter'>,
  { mayFill }: { readonly mayFill: boolean },
): Promise<DemoAccounts | undefined> {
  const { users } = options.store;
  const isNew = mayFill && (await users.list({ limit: 1, after: 0 })).length === 0;
  if (isNew) await fill(options);
  const all = demoPeople.map(({ name }) => demoEmail(name));
  const found = await Promise.all(all.map((email) => users.findByEmail(email)));
  const emails = all.filter((_, index) => found[index]);
  return emails.length === 0 ? undefined : { emails, password: demoPassword, isNew };
}

/** Gives a messaging without any accounts the people of the demonstration, who have talked for two days. */
async function fill(options: Omit<MessagingOptions, 'counter'>): Promise<void> {
  const { store, clock } = options;
  const then = pastOf(clock);
  const messaging = createMessaging({
    ...options,
    counter: unlimited,
    clock: then.clock,
    // It goes on being used when this is over.
    store: { ...store, close: async () => {} },
  });
  try {
    then.goBack(known);
    const people = await signUp(messaging, store);
    then.goBack(known / 2);
    const chats = new Map<DemoChat, number>();
    for (const chat of demoChats) chats.set(chat, await begin(messaging, people, chat));
    await talk({ messaging, people, chats, goBack: then.goBack });
  } finally {
    await messaging.close();
  }
}

/** A clock that shows an earlier time, which `goBack` sets. */
function pastOf(clock: Clock) {
  let back = 0;
  return {
    clock: { ...clock, now: () => clock.now() - back },
    goBack(milliseconds: number): void {
      back = milliseconds;
    },
  };
}

/** They share one password, which is hashed once. */
async function signUp({ accounts }: Messaging, { users }: MessagingStore): Promise<People> {
  const [{ username, name, bio }, ...others] = demoPeople;
  const password = demoPassword;
  const { user } = await accounts.register({ username, email: demoEmail(name), password });
  const people: [DemoPerson, User][] = [[name, await accounts.changeProfile(user.id, { bio })]];
  const { passwordHash, createdAt } = user;
  for (const { name: other, ...profile } of others) {
    const email = demoEmail(other);
    const record = { ...profile, email, passwordHash, avatar: null, createdAt };
    people.push([other, await users.create(record)]);
  }
  return Object.fromEntries(people) as Record<DemoPerson, User>; // Every name has its account now.
}

async function begin(
  { chats, members }: Messaging,
  people: People,
  { type, name, members: [founder, ...others] }: DemoChat,
): Promise<number> {
  const owner = people[founder];
  const made = await chats.create(
    owner,
    type === 'private' ? { type, participantId: people[others[0]].id } : { type, name },
  );
  const { id } = made.chat;
  for (const other of others) {
    if (type === 'group') await members.add(owner, id, people[other].id);
    if (type === 'channel') await members.subscribe(people[other], id);
  }
  return id;
}

interface Talk {
  readonly messaging: Messaging;
  readonly people: People;
  readonly chats: ReadonlyMap<DemoChat, number>;
  goBack(milliseconds: number): void;
}

/** Posts everything in the order in which it was said, and marks what has been read. */
async function talk({ messaging, people, chats, goBack }: Talk): Promise<void> {
  const said = [...chats].flatMap(([chat, id]) =>
    chat.messages.map((message) => ({ chat, id, message })),
  );
  said.sort((a, b) => b.message.minutesAgo - a.message.minutesAgo);
  const ids = new Map<DemoChat, number[]>();
  for (const { chat, id, message } of said) {
    const { from, minutesAgo, text, type = 'text' } = message;
    goBack(minutesAgo * 60_000);
    const posted = await messaging.messages.post(people[from], id, { text, type }, undefined);
    ids.set(chat, [...(ids.get(chat) ?? []), posted.message.id]);
  }
  const reading = [...chats].flatMap(([chat, id]) =>
    chat.members.map(async (name) => {
      const read = ids.get(chat)?.at(-1 - (chat.unread[name] ?? 0));
      if (read !== undefined) await messaging.chats.markRead(people[name], id, read);
    }),
  );
  await Promise.all(reading);
}
