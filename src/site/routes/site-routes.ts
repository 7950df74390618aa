import * as validators from '#validators/site';
import { ok } from '../../http/answer/reply.js';
import type { Route, RouteGroup } from '../../http/route/route.js';
import type { SiteContent } from '../site-content.js';
import { csvRoutes } from './csv-routes.js';
import type { AuditChange } from './define-route.js';
import {
  assertUnchanged,
  defineRoute,
  readReply,
  withCondition,
  withTag,
  writtenReply,
} from './define-route.js';
import { publicRoutes } from './public-routes.js';

/** Returns the site's routes: public reads and administrative changes. */
export function siteRoutes(content: SiteContent, audit: AuditChange): RouteGroup {
  return {
    name: 'site',
    description: 'Products, announcements, settings and shop details.',
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

/** Returns the routes that change the settings and the shop details. */
function settingsRoutes(content: SiteContent, audit: AuditChange): Route[] {
  return [
    defineRoute({
      method: 'PUT',
      path: '/api/admin/settings',
      name: 'changeSettings',
      summary: 'Change the site settings',
      auth: 'admin',
      ...withCondition,
      body: 'SettingsChanges',
      responses: { 200: 'SettingsAnswer' },
      async handle({ principal, body, header }) {
        const data = await content.changeSettings(body, assertUnchanged(header));
        await audit(principal, { settings: Object.keys(body).join(' '), change: 'changed' });
        return writtenReply(200, data);
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/admin/shop',
      name: 'changeShop',
      summary: 'Change the shop details',
      auth: 'admin',
      ...withCondition,
      body: 'ShopChanges',
      responses: { 200: 'ShopAnswer' },
      async handle({ principal, body, header }) {
        const data = await content.changeShop(body, assertUnchanged(header));
        await audit(principal, { shop: Object.keys(body).join(' '), change: 'changed' });
        return writtenReply(200, data);
      },
    }),
  ];
}

/** Returns the routes that change products. */
function productRoutes(content: SiteContent, audit: AuditChange): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/admin/products',
      name: 'createProduct',
      summary: 'Add a product at the end of the catalogue',
      auth: 'admin',
      ...withTag,
      body: 'NewProduct',
      responses: { 201: 'ProductAnswer' },
      async handle({ principal, body }) {
        const data = await content.products.create(body);
        await audit(principal, { product: String(data.id), change: 'created' });
        return writtenReply(201, data);
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/admin/products/:id',
      name: 'changeProduct',
      summary: 'Change fields of a product',
      auth: 'admin',
      ...withCondition,
      body: 'ProductChanges',
      responses: { 200: 'ProductAnswer' },
      async handle({ principal, id, body, header }) {
        const data = await content.products.change(id, body, assertUnchanged(header));
        await audit(principal, { product: String(id), change: 'changed' });
        return writtenReply(200, data);
      },
    }),
    ...removalRoutes(
      {
        noun: 'product',
        answer: 'ProductAnswer',
        kept: 'its ID and its position in the catalogue',
        remove: content.products.remove,
        restore: content.products.restore,
      },
      audit,
    ),
  ];
}

/** Returns the routes that manage announcements. */
function announcementRoutes(content: SiteContent, audit: AuditChange): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/announcements',
      name: 'listAnnouncements',
      summary: 'List all announcements, including inactive ones',
      auth: 'admin',
      responses: { 200: 'AnnouncementList' },
      handle: async () => ok({ ok: true, data: await content.announcements.list() }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/admin/announcements/:id',
      name: 'getAnnouncement',
      summary: 'Read an announcement, even if it is inactive',
      auth: 'admin',
      ...withTag,
      responses: { 200: 'AnnouncementAnswer', 304: null },
      handle: async ({ id }) => readReply(await content.announcements.read(id)),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/announcements',
      name: 'createAnnouncement',
      summary: 'Add an announcement',
      auth: 'admin',
      ...withTag,
      body: 'NewAnnouncement',
      responses: { 201: 'AnnouncementAnswer' },
      async handle({ principal, body }) {
        const data = await content.announcements.create(body);
        await audit(principal, { announcement: String(data.id), change: 'created' });
        return writtenReply(201, data);
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/admin/announcements/:id',
      name: 'changeAnnouncement',
      summary: 'Change fields of an announcement',
      auth: 'admin',
      ...withCondition,
      body: 'AnnouncementChanges',
      responses: { 200: 'AnnouncementAnswer' },
      async handle({ principal, id, body, header }) {
        const data = await content.announcements.change(id, body, assertUnchanged(header));
        await audit(principal, { announcement: String(id), change: 'changed' });
        return writtenReply(200, data);
      },
    }),
    ...removalRoutes(
      {
        noun: 'announcement',
        answer: 'AnnouncementAnswer',
        kept: 'its ID',
        remove: content.announcements.remove,
        restore: content.announcements.restore,
      },
      audit,
    ),
  ];
}

interface RemovalOptions {
  readonly noun: 'product' | 'announcement';
  readonly answer: 'ProductAnswer' | 'AnnouncementAnswer';
  /** Properties that a restore preserves, for the summary. */
  readonly kept: string;
  remove(id: number): Promise<void>;
  restore(id: number): Promise<object>;
}

/** Returns the routes that delete and restore products or announcements. */
function removalRoutes(
  { noun, answer, kept, remove, restore }: RemovalOptions,
  audit: AuditChange,
): Route[] {
  const path = `/api/admin/${noun}s/:id`;
  const title = noun === 'product' ? 'Product' : 'Announcement';
  const article = noun === 'product' ? 'a' : 'an';
  return [
    defineRoute({
      method: 'DELETE',
      path,
      name: `delete${title}`,
      summary: `Delete ${article} ${noun}. It can be restored for a limited time`,
      auth: 'admin',
      responses: { 200: 'Deleted' },
      async handle({ principal, id }) {
        await remove(id);
        await audit(principal, { [noun]: String(id), change: 'deleted' });
        return ok({ ok: true, deleted: id });
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/restore`,
      name: `restore${title}`,
      summary: `Restore a deleted ${noun} with ${kept}`,
      auth: 'admin',
      ...withTag,
      errors: ['conflict'],
      responses: { 200: answer },
      async handle({ principal, id }) {
        const data = await restore(id);
        await audit(principal, { [noun]: String(id), change: 'restored' });
        return writtenReply(200, data);
      },
    }),
  ];
}
