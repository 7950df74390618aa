import { operator } from '../../src/base/audit.js';
import { AppError } from '../../src/base/errors.js';
import type { Command } from '../command.js';
import { adminsOptions, withAdmins } from './admins-context.js';

export const command: Command = {
  description:
    'Allow everybody who can reach the server to use the admin page without a token. Fails while there are admin users or MSGSITE_ADMIN_TOKEN is set.',
  options: [
    { flags: '-y, --yes', description: 'confirm that the admin page will be open to everyone' },
    ...adminsOptions,
  ],
  examples: [
    {
      command: 'msgsite admins open --yes',
      description: 'Open the admin page on your own computer',
    },
  ],
  async run(context, input) {
    if (input.options.yes !== true) {
      throw new AppError(
        'usage',
        '--yes is required, because everybody will be able to change the shop.',
        {
          hint: 'To continue, run `msgsite admins open --yes`.',
        },
      );
    }
    return withAdmins(context, input, 'admins open', async (admins) => {
      await admins.open(operator);
      context.output.result({ open: true }, () => 'The admin page is now open to everyone.');
    });
  },
};
