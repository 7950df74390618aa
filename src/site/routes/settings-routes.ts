import type { Route } from '../../http/route/route.js';
import type { SiteContent } from '../site-content.js';
import { type AuditChange, defineRoute } from './define-route.js';
import { assertUnchanged, takesCondition, writtenReply } from './one-thing.js';

/** What there is one of: the settings, and the card of the shop. */
export function settingsRoutes(content: SiteContent, audit: AuditChange): Route[] {
  return [
    defineRoute({
      method: 'PUT',
      path: '/api/admin/settings',
      name: 'changeSettings',
      summary: 'Change site settings',
      auth: 'admin',
      ...takesCondition,
      body: 'SettingsChanges',
      responses: { 200: 'SettingsAnswer' },
      async handle({ body, header }) {
        const data = await content.changeSettings(body, assertUnchanged(header));
        await audit({ settings: Object.keys(body).join(' '), change: 'changed' });
        return writtenReply(200, data);
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/admin/shop',
      name: 'changeShop',
      summary: 'Change the card of the shop',
      auth: 'admin',
      ...takesCondition,
      body: 'ShopChanges',
      responses: { 200: 'ShopAnswer' },
      async handle({ body, header }) {
        const data = await content.changeShop(body, assertUnchanged(header));
        await audit({ shop: Object.keys(body).join(' '), change: 'changed' });
        return writtenReply(200, data);
      },
    }),
  ];
}
