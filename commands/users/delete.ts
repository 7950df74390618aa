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
    'End an account for good. Name, e-mail address, picture, “about” and password go; messages stay, under “Deleted account”; groups and channels pass to the member who joined first, or go where nobody is left. It asks first; without a terminal it needs --yes. It needs the MSGSITE_ENCRYPTION_SECRET that serve has, where that has one. On files it is refused beside a running serve.',
  arguments: [personArgument],
  options: [{ flags: '-y, --yes', description: 'do not ask for confirmation' }, ...peopleOptions],
  examples: [
    { command: 'msgsite users delete 3', description: 'Asks before it deletes' },
    { command: 'msgsite users delete dana@shop.kz --yes --json', description: 'From a script' },
  ],
  run(context, input) {
    const isSure = input.options.yes === true;
    if (!isSure && !questioner(context)) {
      throw new AppError('usage', '--yes is missing: without a terminal nobody can confirm.');
    }
    return withPerson(context, input, {
      label: 'users delete',
      async work(opened, user) {
        await assertTextsKept(opened, user);
        if (!isSure) await confirmEnd(context, user);
        await opened.people.end(user.id);
        context.output.result(
          { user: personView(opened.config)(user), deleted: user.id },
          () => `The account of ${nameOf(user)} is deleted.`,
        );
      },
    });
  },
};

/** Others go on reading what somebody wrote only where the key of it can be kept. */
async function assertTextsKept({ store, config, context }: PeopleContext, user: User) {
  const texts = await textsAfterEnd({ store, secret: config.encryptionSecret }, user);
  if (texts === 'readable') return;
  const theirs = `messages of ${nameOf(user)}`;
  if (texts === 'other secret') {
    throw new AppError(
      'configuration',
      `MSGSITE_ENCRYPTION_SECRET is not the one that ${theirs} were encrypted with: nobody could read them afterwards.`,
      { hint: 'Set the one that serve has. Where it is lost, unset it: they are lost already.' },
    );
  }
  context.output.warn(
    `MSGSITE_ENCRYPTION_SECRET is not set, and ${theirs} are encrypted with it: after the deletion nobody can read them, ever, also when it is set again. Set it to keep them readable.`,
  );
}

async function confirmEnd(context: CommandContext, user: User): Promise<void> {
  const terminal = questioner(context);
  if (!terminal) return;
  context.output.note(
    'Name, e-mail address, picture, “about” and password go, and every sign-in ends. Messages stay, under “Deleted account”. Groups and channels pass to the member who joined first, or go where nobody is left.',
  );
  const question = `Delete the account of ${nameOf(user)}? This cannot be undone.`;
  if (await confirm(terminal, question, false)) return;
  throw new AppError('refused', 'Nothing was deleted.');
}
