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
    'Delete an account permanently. Erases name, e-mail address, picture, “about” and password. Messages remain under “Deleted account”. Groups and channels pass to the member who joined first; those without other members are deleted. Asks for confirmation; requires --yes without a terminal. Set the same MSGSITE_ENCRYPTION_SECRET as for serve. With data in files, stop serve first.',
  arguments: [personArgument],
  options: [{ flags: '-y, --yes', description: 'do not ask for confirmation' }, ...peopleOptions],
  examples: [
    { command: 'msgsite users delete 3', description: 'Ask, then delete' },
    { command: 'msgsite users delete dana@shop.kz --yes --json', description: 'From a script' },
  ],
  run(context, input) {
    const isSure = input.options.yes === true;
    if (!isSure && !questioner(context)) {
      throw new AppError('usage', '--yes is required without a terminal.');
    }
    return withPerson(context, input, {
      label: 'users delete',
      async work(opened, user) {
        await assertTextsKept(opened, user);
        if (!isSure) await confirmEnd(context, user);
        await opened.people.end(operator, user.id);
        context.output.result(
          { user: personView(opened.config)(user), deleted: user.id },
          () => `The account of ${nameOf(user)} is deleted.`,
        );
      },
    });
  },
};

/** Throws or warns if others could no longer read the user's messages, because their key cannot be kept. */
async function assertTextsKept({ store, config, context }: PeopleContext, user: User) {
  const texts = await textsAfterEnd({ store, secret: config.encryptionSecret }, user);
  if (texts === 'readable') return;
  const messages = `the messages of ${nameOf(user)}`;
  if (texts === 'other secret') {
    throw new AppError(
      'configuration',
      `MSGSITE_ENCRYPTION_SECRET is not the secret that encrypted ${messages}. Nobody could read them after the deletion.`,
      {
        hint: 'Set the same secret as for serve. If it is lost, unset it: these messages are already unreadable.',
      },
    );
  }
  context.output.warn(
    `MSGSITE_ENCRYPTION_SECRET is not set, but it encrypted ${messages}. After the deletion nobody can ever read them again, even with the secret. Set it to keep them readable.`,
  );
}

async function confirmEnd(context: CommandContext, user: User): Promise<void> {
  const terminal = questioner(context);
  if (!terminal) return;
  context.output.note(
    'This erases name, e-mail address, picture, “about” and password, and signs the user out everywhere. Messages remain under “Deleted account”. Groups and channels pass to the member who joined first; those without other members are deleted.',
  );
  const question = `Delete the account of ${nameOf(user)}? This cannot be undone.`;
  if (await confirm(terminal, question, false)) return;
  throw new AppError('refused', 'Nothing was deleted.');
}
