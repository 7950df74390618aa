import { type Role, roles } from '../../src/admins/admins.js';
import { operator } from '../../src/base/audit.js';
import { AppError } from '../../src/base/errors.js';
import { addressOfSite } from '../../src/config/config.js';
import type { Command, CommandInput } from '../command.js';
import { configOf } from '../config-options.js';
import { adminsOptions, withAdmins } from './admins-context.js';

export const command: Command = {
  description:
    'Give a person access to the admin page. The token is printed once and is not stored. Owners may do everything. Editors may change the catalogue, announcements, settings and stock. People with the role "orders" may view orders and change stock. Once there is an admin user, the admin page requires a token.',
  arguments: [{ name: '<name>', description: 'the person’s name, 1 to 64 characters' }],
  options: [
    { flags: '--role <role>', description: 'the person’s role', choices: roles },
    ...adminsOptions,
  ],
  examples: [
    { command: 'msgsite admins add Dana --role owner', description: 'Add the first owner' },
    {
      command: 'msgsite admins add "Ержан" --role orders --json',
      description: 'Print JSON for a script',
    },
  ],
  run(context, input) {
    const role = readRole(input);
    const { arguments: words } = input;
    return withAdmins(context, input, 'admins add', async (admins) => {
      const hadOwner = await admins.hasOwner();
      const { token, ...admin } = await admins.add(operator, { name: String(words[0]), role });
      const { output } = context;
      output.result({ admin, token }, () => token);
      if (output.json) return;
      const address = `${addressOfSite(configOf(context, input))}/admin.html`;
      output.note(
        `This token for ${admin.name} (${role}) is shown only once. Use it to sign in at ${address}.`,
      );
      if (!hadOwner && role !== 'owner') {
        output.warn('There is no owner yet. Add one with `msgsite admins add NAME --role owner`.');
      }
    });
  },
};

function readRole({ options }: CommandInput): Role {
  const role = roles.find((each) => each === options.role);
  if (role) return role;
  throw new AppError('usage', '--role is missing.', { hint: `Choose one of ${roles.join(', ')}.` });
}
