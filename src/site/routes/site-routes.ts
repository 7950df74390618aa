import * as validators from '#validators/site';
import type { RouteGroup } from '../../http/route/route.js';
import type { SiteContent } from '../site-content.js';
import { announcementRoutes } from './announcement-routes.js';
import { csvRoutes } from './csv-routes.js';
import type { AuditChange } from './define-route.js';
import { productRoutes } from './product-routes.js';
import { publicRoutes } from './public-routes.js';
import { settingsRoutes } from './settings-routes.js';

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
