import type { AdminUser } from '../../src/admins/admins.js';
import { formatMoment } from '../../src/terminal/formats.js';
import type { TableColumn } from '../../src/terminal/table.js';
import type { Command } from '../command.js';
import { configOf } from '../config-options.js';
import { listText } from '../list.js';
import { adminsOptions, withAdmins } from './admins-context.js';

export const command: Command = {
  description: 'List the people who have access to the admin page, in the order of their addition.',
  options: adminsOptions,
  examples: [
    { command: 'msgsite admins list', description: 'Names and roles' },
    { command: 'msgsite admins list --json', description: 'For a script' },
  ],
  run(context, input) {
    const { providerZone } = configOf(context, input);
    return withAdmins(context, input, 'admins list', async (admins) => {
      const rows = await admins.list();
      context.output.result({ admins: rows }, () =>
        listText(context, {
          rows,
          columns: columnsOf(providerZone),
          empty: 'There are no admin users.',
          newest: 'last',
          below: [],
        }),
      );
    });
  },
};

function columnsOf(zone: string): readonly TableColumn<AdminUser>[] {
  return [
    { title: 'NAME', shrinkTo: 12, text: ({ name }) => name },
    { title: 'ROLE', text: ({ role }) => role },
    {
      title: 'SINCE',
      optional: 1,
      text: ({ addedAt }) => formatMoment(Date.parse(addedAt), zone).slice(0, 16),
    },
  ];
}
