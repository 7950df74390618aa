import { operator } from '../../src/base/audit.js';
import type { Command } from '../command.js';
import { adminsOptions, withAdmins } from './admins-context.js';

export const command: Command = {
  description:
    'End a person’s access to the admin page: their token is refused at the next request. The last owner can be revoked only if MSGSITE_ADMIN_TOKEN is set.',
  arguments: [{ name: '<name>', description: 'the name in `msgsite admins list`' }],
  options: adminsOptions,
  examples: [{ command: 'msgsite admins revoke Dana', description: 'Dana has left' }],
  run(context, input) {
    const name = String(input.arguments[0]);
    return withAdmins(context, input, 'admins revoke', async (admins) => {
      const admin = await admins.revoke(operator, name);
      context.output.result(
        { revoked: admin.name },
        () => `The token of ${admin.name} is revoked.`,
      );
    });
  },
};
