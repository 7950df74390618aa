import { addressOfSite } from '../../src/config/config.js';
import { formatMoment } from '../../src/terminal/formats.js';
import type { Command } from '../command.js';
import { nameOf, peopleOptions, personArgument, withPerson } from './people-context.js';

export const command: Command = {
  description:
    'Make a code with which somebody who has forgotten their password sets a new one, once and within an hour. The code is printed and kept nowhere; one that was made before ends. Make sure that you give it to the person whose account it is. On files it is refused beside a running serve.',
  arguments: [personArgument],
  options: peopleOptions,
  examples: [
    { command: 'msgsite users reset-code dana@shop.kz', description: 'Dana forgot her password' },
    { command: 'msgsite users reset-code 3 --json', description: 'With the time it ends' },
  ],
  run(context, input) {
    return withPerson(context, input, {
      label: 'users reset-code',
      async work(opened, user) {
        const { code, expiresAt } = await opened.people.issueResetCode(user.id);
        const { output } = context;
        output.result({ code, expiresAt }, () => code);
        if (output.json) return;
        const until = formatMoment(Date.parse(expiresAt), opened.config.providerZone);
        output.note(
          `For ${nameOf(user)}, once, until ${until}. They choose a new password with it at ${addressOfSite(opened.config)}/chat.html#reset, and are signed out everywhere else.`,
        );
      },
    });
  },
};
