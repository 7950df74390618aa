import { type AdminUser, listAdmins } from '../../src/admins/admins.js';
import { openStorage } from '../../src/app/open-storage.js';
import { formatMoment } from '../../src/terminal/formats.js';
import type { TableColumn } from '../../src/terminal/table.js';
import type { Command } from '../command.js';
import { configOf } from '../config-options.js';
import { listText } from '../list.js';
import { withTroubleLog } from '../pay/trouble-log.js';
import { adminsOptions } from './admins-context.js';

export const command: Command = {
  description: 'List the people who have access to the admin page, in the order they were added.',
  options: adminsOptions,
  examples: [
    { command: 'msgsite admins list', description: 'Show names and roles' },
    { command: 'msgsite admins list --json', description: 'Print JSON for a script' },
  ],
  run(context, input) {
    const config = configOf(context, input);
    return withTroubleLog(context, async (log) => {
      const options = { config, clock: context.clock, log, label: 'admins list' };
      const storage = await openStorage('read', options);
      try {
        const rows = await listAdmins(await storage.state());
        const columns = columnsOf(config.providerZone);
        const empty = 'There are no admin users.';
        context.output.result({ admins: rows }, () =>
          listText(context, { rows, columns, empty, newest: 'last' }),
        );
      } finally {
        await storage.close();
      }
      return undefined;
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
