import * as validators from '#validators/site';
import type { Route, RouteGroup } from '../../http/route/route.js';
import type { SiteContent } from '../site-content.js';
import { announcementRoutes } from './announcement-routes.js';
import { csvRoutes } from './csv-routes.js';
import type { AuditChange } from './define-route.js';
import { defineRoute } from './define-route.js';
import { assertUnchanged, takesCondition, writtenReply } from './one-thing.js';
import { productRoutes } from './product-routes.js';
import { publicRoutes } from './public-routes.js';

/** Public reads and admin writes. */
export function siteRoutes(content: SiteContent, audit: AuditChange): RouteGroup {
  return {
    name: 'site',
    description: 'Products, announcements, settings and the card of the shop.',
    errorShape: 'site',
    schema: 'site',
    validators,
    routes: [
      ...publicRoutes(content),
      ...productRoutes(content, audit),
      ...csvRoutes(content, audit),
      ...announcementRoutes(content, audit),
      ...settingsRoutes(content, audit),
    ],
  };
}

/** What there is one of: the settings, and the card of the shop. */
function settingsRoutes(content: SiteContent, audit: AuditChange): Route[] {
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
