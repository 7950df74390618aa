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
import { createMessaging, type Messaging, type MessagingOptions } from '../messaging/messaging.js';
import type { User } from '../messaging/model.js';
import type { MessagingStore } from '../messaging/store.js';

/** The sign-in data of the demonstration accounts. */
export interface DemoAccounts {
  /** The e-mail addresses of the accounts that still exist. */
  readonly emails: readonly string[];
  readonly password: string;
  /** True if the accounts were just created. */
  readonly isNew: boolean;
}

type People = Readonly<Record<DemoPerson, User>>;

/** Age of the demonstration accounts, in milliseconds. */
const accountAge = 40 * 86_400_000;

/**
 * Returns the demonstration accounts, or undefined if there are none. With `mayFill`, creates them if there are no
 * users.
 */
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

/** Creates the demonstration accounts and their chats of the last two days. */
async function fill(options: Omit<MessagingOptions, 'counter'>): Promise<void> {
  const { store, clock } = options;
  const then = pastOf(clock);
  const messaging = createMessaging({
    ...options,
    counter: unlimited,
    clock: then.clock,
    // The store remains in use afterwards.
    store: { ...store, close: async () => {} },
  });
  try {
    then.goBack(accountAge);
    const people = await signUp(messaging, store);
    then.goBack(accountAge / 2);
    const chats = new Map<DemoChat, number>();
    for (const chat of demoChats) chats.set(chat, await begin(messaging, people, chat));
    await talk(messaging, people, chats, then.goBack);
  } finally {
    await messaging.close();
  }
}

/** Returns a clock that runs behind `clock` by the time that `goBack` sets. */
function pastOf(clock: Clock) {
  let back = 0;
  return {
    clock: { ...clock, now: () => clock.now() - back },
    goBack(milliseconds: number): void {
      back = milliseconds;
    },
  };
}

/** Creates the accounts. All have the same password, so it is hashed only once. */
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
  return Object.fromEntries(people) as Record<DemoPerson, User>; // Every name has an account now.
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

/** Posts all messages in chronological order, and sets the read marks. */
async function talk(
  messaging: Messaging,
  people: People,
  chats: ReadonlyMap<DemoChat, number>,
  goBack: (milliseconds: number) => void,
): Promise<void> {
  const messages = [...chats].flatMap(([chat, id]) =>
    chat.messages.map((message) => ({ chat, id, message })),
  );
  messages.sort((a, b) => b.message.minutesAgo - a.message.minutesAgo);
  const ids = new Map<DemoChat, number[]>();
  for (const { chat, id, message } of messages) {
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
