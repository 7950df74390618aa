import type { AuditChange } from '../site/routes/define-route.js';
import { createSiteContent, type SiteContent } from '../site/site-content.js';
import { auditSite } from './audit-site.js';
import { openStorage } from './open-storage.js';
import { rethrowInUse } from './served-data.js';
import type { StorageOptions } from './storage.js';

/** The site's content for a command of the operator. */
export interface OpenedSite {
  readonly content: SiteContent;
  /** Writes down what the command has changed. */
  readonly audit: AuditChange;
  close(): Promise<void>;
}

/**
 * Opens the site for a command. On files it has it to itself: beside a `serve` it is `data_in_use`, with the
 * address of the admin page, which does the same.
 */
export async function openSite(options: StorageOptions): Promise<OpenedSite> {
  const storage = await openStorage('manage', options).catch((error: unknown) =>
    rethrowInUse(error, options, { what: 'the products', section: 'products' }),
  );
  try {
    const [{ store }, audit] = await Promise.all([storage.site(), storage.audit()]);
    const { clock } = storage;
    return {
      content: createSiteContent({ store, clock }),
      audit: auditSite({ audit, clock, who: 'operator' }),
      close: () => storage.close(),
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}
