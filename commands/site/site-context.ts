import { auditChanges } from '../../src/app/audited.js';
import { openStorage } from '../../src/app/open-storage.js';
import type { AuditChange } from '../../src/site/routes/define-route.js';
import { createSiteContent, type SiteContent } from '../../src/site/site-content.js';
import type { CommandContext, CommandInput } from '../command.js';
import { configOf, configOptions } from '../config-options.js';
import { withTroubleLog } from '../pay/trouble-log.js';
import { settingsOf } from '../taken-settings.js';

/** The flags of every `site` command. */
export const siteOptions = configOptions(...settingsOf('site'));

/** The opened content of the site. */
interface OpenedSite {
  readonly content: SiteContent;
  /** Records the change in the audit log. */
  readonly audit: AuditChange;
}

/** Opens the site's content in a data folder or database, calls `work` with it, and closes it. */
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
      const audit = auditChanges('settings', { audit: await storage.audit(), clock });
      await work({ content: createSiteContent({ store, clock }), audit });
    } finally {
      await storage.close();
    }
  });
}
