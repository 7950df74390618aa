import { operator } from '../../src/base/audit.js';
import { AppError } from '../../src/base/errors.js';
import type { User } from '../../src/messaging/model.js';
import { textsAfterEnd } from '../../src/messaging/texts-after-end.js';
import { confirm } from '../../src/terminal/ask.js';
import type { Command, CommandContext } from '../command.js';
import { questioner } from '../flags.js';
import {
  nameOf,
  type PeopleContext,
  peopleOptions,
  personArgument,
  personView,
  withPerson,
} from './people-context.js';

export const command: Command = {
  description:
    'Delete an account permanently. The name, e-mail address, picture, “about” text and password are erased. Messages remain under “Deleted account”. Each group or channel of the user passes to the member who joined first, or is deleted if there are no other members. Asks for confirmation. Without a terminal, --yes is required. Set the same MSGSITE_ENCRYPTION_SECRET as for serve. If the data is in files, stop serve first.',
  arguments: [personArgument],
  options: [{ flags: '-y, --yes', description: 'do not ask for confirmation' }, ...peopleOptions],
  examples: [
    { command: 'msgsite users delete 3', description: 'Delete an account after confirmation' },
    {
      command: 'msgsite users delete dana@shop.kz --yes --json',
      description: 'Delete an account from a script',
    },
  ],
  run(context, input) {
    const isSure = input.options.yes === true;
    if (!isSure && !questioner(context)) {
      throw new AppError('usage', '--yes is required without a terminal.');
    }
    return withPerson(context, input, {
      label: 'users delete',
      async work(opened, user) {
        await assertMessagesReadable(opened, user);
        if (!isSure) await confirmEnd(context, user);
        await opened.people.end(operator, user.id);
        context.output.result(
          { user: personView(opened.config)(user), deleted: user.id },
          () => `The account of ${nameOf(user)} has been deleted.`,
        );
      },
    });
  },
};

/** Throws or warns if the user's messages would become unreadable, because their key cannot be preserved. */
async function assertMessagesReadable({ store, config, context }: PeopleContext, user: User) {
  const texts = await textsAfterEnd({ store, secret: config.encryptionSecret }, user);
  if (texts === 'readable') return;
  const messages = `the messages of ${nameOf(user)}`;
  if (texts === 'other secret') {
    throw new AppError(
      'configuration',
      `MSGSITE_ENCRYPTION_SECRET is not the secret that encrypted ${messages}. After the deletion, nobody could read them.`,
      {
        hint: 'Set the same secret as for serve. If the secret is lost, unset the variable, because these messages are already unreadable.',
      },
    );
  }
  context.output.warn(
    `MSGSITE_ENCRYPTION_SECRET is not set, but it encrypted ${messages}. After the deletion, nobody will be able to read them, even with the secret. Set the secret to keep them readable.`,
  );
}

async function confirmEnd(context: CommandContext, user: User): Promise<void> {
  const terminal = questioner(context);
  if (!terminal) return;
  context.output.note(
    'This erases the name, e-mail address, picture, “about” text and password, and signs the user out everywhere. Messages remain under “Deleted account”. Each group or channel of the user passes to the member who joined first, or is deleted if there are no other members.',
  );
  const question = `Delete the account of ${nameOf(user)}? This cannot be undone.`;
  if (await confirm(terminal, question, false)) return;
  throw new AppError('refused', 'Nothing was deleted.');
}
