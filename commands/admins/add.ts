import { type Role, roles } from '../../src/admins/admins.js';
import { operator } from '../../src/base/audit.js';
import { AppError } from '../../src/base/errors.js';
import { addressOfSite } from '../../src/config/config.js';
import type { Command, CommandInput } from '../command.js';
import { configOf } from '../config-options.js';
import { adminsOptions, withAdmins } from './admins-context.js';

export const command: Command = {
  description:
    'Give a person access to the admin page. The token is printed once and not stored. Owners may do everything; editors change the catalogue, announcements, settings and stock; people with the role "orders" see orders and change stock. From the first admin user on, the admin page needs a token.',
  arguments: [{ name: '<name>', description: 'the person’s name, 1 to 64 characters' }],
  options: [
    { flags: '--role <role>', description: 'what the person may do', choices: roles },
    ...adminsOptions,
  ],
  examples: [
    { command: 'msgsite admins add Dana --role owner', description: 'The first owner' },
    { command: 'msgsite admins add "Ержан" --role orders --json', description: 'For a script' },
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
        `This is the token of ${admin.name} (${role}). It is shown once. They paste it at ${address}.`,
      );
      if (!hadOwner && role !== 'owner') {
        output.warn('Nobody is an owner yet: add one with `msgsite admins add NAME --role owner`.');
      }
    });
  },
};

function readRole({ options }: CommandInput): Role {
  const role = roles.find((each) => each === options.role);
  if (role) return role;
  throw new AppError('usage', '--role is missing.', { hint: `Choose one of ${roles.join(', ')}.` });
}
