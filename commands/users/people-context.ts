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

/** The flags of every `users` command. */
export const peopleOptions = configOptions(...settingsOf('users'));

/** The argument that identifies an account. */
export const personArgument = {
  name: '<id>',
  description: 'the account’s ID (see msgsite users list) or complete e-mail address',
};

export interface PeopleContext {
  readonly people: People;
  readonly store: MessagingStore;
  readonly context: CommandContext;
  readonly config: Config;
}

/** Opens the accounts of a data folder or database, calls `work` with them, and closes them. */
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
        const people = createPeople({ store, clock, audit, encryptionSecret });
        await work({ people, store, context, config });
      } finally {
        await store.close();
      }
    } finally {
      await storage.close();
    }
  });
}

/** Like `withPeople`, with the account in `<id>`. Throws `usage` for an invalid ID, `not_found` for an unknown one. */
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

/** Returns the `<id>` argument. Throws `usage` if it is neither an ID nor an e-mail address. */
function readPerson({ arguments: [text] }: CommandInput): string {
  const name = String(text);
  if (isId(name) || (/^[^\s@]+@[^\s@]+$/.test(name) && name.length <= maxEmailLength)) return name;
  throw new AppError('usage', `${name} is not a valid account ID or e-mail address.`, {
    hint: 'Run `msgsite users list --q NAME` to find people by part of their name.',
  });
}

function isId(name: string): boolean {
  return /^[1-9]\d{0,15}$/.test(name);
}

/** Maximum length of an e-mail address, in characters (RFC 5321). */
export const maxEmailLength = 254;

async function findPerson({ people, store }: PeopleContext, name: string): Promise<User> {
  if (isId(name)) return people.find(Number(name));
  const user = await store.users.findByEmail(name);
  if (user) return user;
  throw new AppError('not_found', `No user has the e-mail address ${name}.`);
}

/** Returns a function that returns an account as JSON, as on the admin page. */
export function personView(config: Config) {
  return createViews(() => addressOfSite(config)).managedUser;
}

/** Returns a name for messages, such as `Dana Omarova (dana@shop.kz, ID 3)`. Replaces line breaks in names. */
export function nameOf({ id, username, email }: User): string {
  return oneLine(`${username} (${email}, ID ${id})`);
}
