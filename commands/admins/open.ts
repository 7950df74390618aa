import { operator } from '../../src/base/audit.js';
import { AppError } from '../../src/base/errors.js';
import type { Command } from '../command.js';
import { adminsOptions, withAdmins } from './admins-context.js';

export const command: Command = {
  description:
    'Let everybody who reaches the server use the admin page again, as before the first admin user. It is refused while there are admin users or MSGSITE_ADMIN_TOKEN is set.',
  options: [
    { flags: '-y, --yes', description: 'confirm that the admin page will be open' },
    ...adminsOptions,
  ],
  examples: [{ command: 'msgsite admins open --yes', description: 'On a computer of your own' }],
  async run(context, input) {
    if (input.options.yes !== true) {
      throw new AppError('usage', '--yes is missing: everybody could change the shop.', {
        hint: 'Run `msgsite admins open --yes` if that is what you want.',
      });
    }
    return withAdmins(context, input, 'admins open', async (admins) => {
      await admins.open(operator);
      context.output.result({ open: true }, () => 'The admin page is open to everybody.');
    });
  },
};
