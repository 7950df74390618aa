import { operator } from '../../src/base/audit.js';
import { addressOfSite } from '../../src/config/config.js';
import { formatMoment } from '../../src/terminal/formats.js';
import type { Command } from '../command.js';
import { nameOf, peopleOptions, personArgument, withPerson } from './people-context.js';

export const command: Command = {
  description:
    'Issue a code with which a user who forgot their password can set a new one. The code can be used once, within an hour, and replaces any earlier code. It is printed but not stored. Make sure that you give it to the owner of the account. If the data is in files, stop serve first.',
  arguments: [personArgument],
  options: peopleOptions,
  examples: [
    {
      command: 'msgsite users reset-code dana@shop.kz',
      description: 'Help Dana, who forgot her password',
    },
    {
      command: 'msgsite users reset-code 3 --json',
      description: 'Print the code and its expiry as JSON',
    },
  ],
  run(context, input) {
    return withPerson(context, input, {
      label: 'users reset-code',
      async work(opened, user) {
        const { code, expiresAt } = await opened.people.issueResetCode(operator, user.id);
        const { output } = context;
        output.result({ code, expiresAt }, () => code);
        if (output.json) return;
        const until = formatMoment(Date.parse(expiresAt), opened.config.providerZone);
        output.note(
          `This code is for ${nameOf(user)}. It can be used once, until ${until}. With it, the user sets a new password at ${addressOfSite(opened.config)}/chat.html#reset and is signed out everywhere else.`,
        );
      },
    });
  },
};
