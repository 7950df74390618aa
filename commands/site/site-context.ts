import { auditSite } from '../../src/app/audited.js';
import { openStorage } from '../../src/app/open-storage.js';
import type { AuditChange } from '../../src/site/routes/define-route.js';
import { createSiteContent, type SiteContent } from '../../src/site/site-content.js';
import type { CommandContext, CommandInput } from '../command.js';
import { configOf, configOptions } from '../config-options.js';
import { withTroubleLog } from '../pay/trouble-log.js';
import { settingsOf } from '../taken-settings.js';

/** The flags of every command that works on the site. */
export const siteOptions = configOptions(...settingsOf('site'));

/** The site's content, as a command uses it. */
interface OpenedSite {
  readonly content: SiteContent;
  /** Records in the audit what the command has changed. */
  readonly audit: AuditChange;
}

/** Opens the site of a data folder or database, calls `work` with it, and always closes it. */
export async function withSite(
  context: CommandContext,
  input: CommandInput,
  { label, work }: { readonly label: string; work(site: OpenedSite): Promise<void> },
): Promise<undefined> {
  const config = configOf(context, input);
  await withTroubleLog(context, async (log) => {
    const managed = { what: 'the products', section: 'products' };
    const options = { config, clock: context.clock, log, label, managed };
    const storage = await openStorage('manage', options);
    try {
      const { store } = await storage.site();
      const { clock } = storage;
      const audit = auditSite({ audit: await storage.audit(), clock });
      await work({ content: createSiteContent({ store, clock }), audit });
    } finally {
      await storage.close();
    }
  });
}
