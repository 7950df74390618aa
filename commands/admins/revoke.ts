import { operator } from '../../src/base/audit.js';
import type { Command } from '../command.js';
import { adminsOptions, withAdmins } from './admins-context.js';

export const command: Command = {
  description:
    'Revoke a person’s access to the admin page. Their token is rejected from the next request on. The last owner can be revoked only if MSGSITE_ADMIN_TOKEN is set.',
  arguments: [{ name: '<name>', description: 'the name shown by `msgsite admins list`' }],
  options: adminsOptions,
  examples: [{ command: 'msgsite admins revoke Dana', description: 'Revoke the access of Dana' }],
  run(context, input) {
    const name = String(input.arguments[0]);
    return withAdmins(context, input, 'admins revoke', async (admins) => {
      const admin = await admins.revoke(operator, name);
      context.output.result(
        { revoked: admin.name },
        () => `The token of ${admin.name} has been revoked.`,
      );
    });
  },
};
