import { type OpenedSite, openSite } from '../../src/app/open-site.js';
import type { CommandContext, CommandInput } from '../command.js';
import { configOf, configOptions } from '../config-options.js';
import { withTroubleLog } from '../pay/trouble-log.js';

/** The flags of every command that works on the site. */
export const siteOptions = configOptions('data', 'database');

/** Does `work` on the site of a data folder or database, and lets go of it whatever comes of it. */
export async function withSite(
  context: CommandContext,
  input: CommandInput,
  { label, work }: { readonly label: string; work(site: OpenedSite): Promise<void> },
): Promise<undefined> {
  const config = configOf(context, input);
  await withTroubleLog(context, async (log) => {
    const site = await openSite({ config, clock: context.clock, log, label });
    try {
      await work(site);
    } finally {
      await site.close();
    }
  });
}
