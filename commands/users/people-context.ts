import { openStorage } from '../../src/app/open-storage.js';
import { AppError } from '../../src/base/errors.js';
import type { Config } from '../../src/config/config.js';
import { addressOfSite } from '../../src/config/config.js';
import type { User } from '../../src/messaging/model.js';
import { createPeople, type People } from '../../src/messaging/people.js';
import type { MessagingStore } from '../../src/messaging/store.js';
import { createViews } from '../../src/messaging/views.js';
import { oneLine } from '../../src/terminal/table.js';
import type { CommandContext, CommandInput } from '../command.js';
import { configOf, configOptions } from '../config-options.js';
import { withTroubleLog } from '../pay/trouble-log.js';
import { settingsOf } from '../taken-settings.js';

/** The flags of every command that looks after people. */
export const peopleOptions = configOptions(...settingsOf('users'));

/** Whom a command is about. */
export const personArgument = {
  name: '<id>',
  description: 'the account’s number (msgsite users list), or its whole e-mail address',
};

export interface PeopleContext {
  readonly people: People;
  readonly store: MessagingStore;
  readonly context: CommandContext;
  readonly config: Config;
}

/** Does `work` on the accounts of a data folder or database, and lets go of them whatever comes of it. */
export async function withPeople(
  context: CommandContext,
  input: CommandInput,
  { label, work }: { readonly label: string; work(opened: PeopleContext): Promise<void> },
): Promise<undefined> {
  const config = configOf(context, input);
  await withTroubleLog(context, async (log) => {
    const managed = { what: 'the accounts', section: 'people' };
    const options = { config, clock: context.clock, log, label, managed };
    const storage = await openStorage('manage', options);
    try {
      const store = await storage.messaging();
      try {
        const { clock } = storage;
        const { encryptionSecret } = config;
        const audit = await storage.audit();
        const people = createPeople({ store, clock, audit, who: 'operator', encryptionSecret });
        await work({ people, store, context, config });
      } finally {
        await store.close();
      }
    } finally {
      await storage.close();
    }
  });
}

/** The same for a command about one account: `usage` for what names none, `not_found` where there is none. */
export function withPerson(
  context: CommandContext,
  input: CommandInput,
  {
    label,
    work,
  }: { readonly label: string; work(opened: PeopleContext, user: User): Promise<void> },
): Promise<undefined> {
  const name = readPerson(input);
  return withPeople(context, input, {
    label,
    work: async (opened) => work(opened, await findPerson(opened, name)),
  });
}

/** How an account is named on the command line. */
type PersonName = { readonly id: number } | { readonly email: string };

function readPerson({ arguments: [text] }: CommandInput): PersonName {
  const name = String(text);
  if (/^[1-9]\d{0,15}$/.test(name)) return { id: Number(name) };
  if (/^[^\s@]+@[^\s@]+$/.test(name) && name.length <= longestEmail) return { email: name };
  throw new AppError('usage', '<id> is the number of an account or its whole e-mail address.', {
    hint: '`msgsite users list --q NAME` finds people by a part of their name.',
  });
}

/** Characters of an e-mail address, as mail allows (RFC 5321). */
export const longestEmail = 254;

async function findPerson({ people, store }: PeopleContext, name: PersonName): Promise<User> {
  if ('id' in name) return people.find(name.id);
  const user = await store.users.findByEmail(name.email);
  if (user) return user;
  throw new AppError('not_found', `There is no user with the e-mail address ${name.email}.`);
}

/** What operators see of an account: the same as on the admin page. */
export function personView(config: Config) {
  return createViews(() => addressOfSite(config)).managedUser;
}

/** What they see of one account besides. Of a reset code it says until when it counts, and nothing else. */
export function moreOf({ reset }: User, { now, chats }: { now: number; chats: number }) {
  const resetExpiresAt =
    reset && reset.expires > now ? new Date(reset.expires).toISOString() : null;
  return { chats, resetExpiresAt };
}

/** Who it is, in a sentence: `Dana Omarova (dana@shop.kz, number 3)`. A name may hold line breaks. */
export function nameOf({ id, username, email }: User): string {
  return oneLine(`${username} (${email}, number ${id})`);
}
