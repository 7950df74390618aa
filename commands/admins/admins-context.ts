import type { Admins } from '../../src/admins/admins.js';
import { createAdmins } from '../../src/admins/admins.js';
import { openStorage } from '../../src/app/open-storage.js';
import type { CommandContext, CommandInput } from '../command.js';
import { configOf, configOptions } from '../config-options.js';
import { withTroubleLog } from '../pay/trouble-log.js';
import { settingsOf } from '../taken-settings.js';

/** The flags of every `admins` command. */
export const adminsOptions = configOptions(...settingsOf('admins'));

/** Calls `work` with the admin users of a data folder or database. A server may be using it at the same time. */
export async function withAdmins(
  context: CommandContext,
  input: CommandInput,
  label: string,
  work: (admins: Admins) => Promise<void>,
): Promise<undefined> {
  const config = configOf(context, input);
  await withTroubleLog(context, async (log) => {
    const storage = await openStorage('share', { config, clock: context.clock, log, label });
    try {
      const [state, audit] = [await storage.state(), await storage.audit()];
      await work(createAdmins({ state, clock: storage.clock, audit, token: config.adminToken }));
    } finally {
      await storage.close();
    }
  });
}
