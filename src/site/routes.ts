import * as validators from '#validators/site';
import { created, ok, prepareReply, tagged } from '../http/answer/reply.js';
import { type Route, type RouteGroup, routesOf } from '../http/route/route.js';
import type { SiteContent } from './site-content.js';

/** Writes down that something was changed, by names of what and how; never what it says. */
export type AuditChange = (ids: Readonly<Record<string, string>>) => Promise<void>;

const defineRoute = routesOf<typeof validators, { admin: unknown }>();

/** Public reads and admin writes. */
export function siteRoutes(content: SiteContent, audit: AuditChange): RouteGroup {
  return {
    name: 'site',
    description: 'Products, announcements and settings of the public site.',
    errorShape: 'site',
    schema: 'site',
    validators,
    routes: [
      ...publicRoutes(content),
      ...productAdminRoutes(content, audit),
      ...announcementAdminRoutes(content, audit),
      changeSettings(content, audit),
    ],
  };
}

/** What everybody reads. Lists are serialised when something changes, not when they are read. */
function publicRoutes(content: SiteContent): Route[] {
  const prepared = (read: () => Promise<unknown>) => {
    const reply = prepareReply(async () => ({ ok: true, data: await read() }));
    content.onChange(reply.invalidate);
    return reply;
  };
  const products = prepared(content.listProducts);
  const announcements = prepared(content.listActiveAnnouncements);
  const settings = prepared(content.readSettings);
  return [
    defineRoute({
      method: 'GET',
      path: '/api/products',
      name: 'listProducts',
      summary: 'List the product catalogue',
      responses: { 200: 'ProductList', 304: null },
      handle: () => products.current(),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/products/:id',
      name: 'getProduct',
      summary: 'Read one product',
      responses: { 200: 'ProductAnswer', 304: null },
      handle: async ({ id }) => tagged({ ok: true, data: await content.readProduct(id) }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/announcements',
      name: 'listActiveAnnouncements',
      summary: 'List the active announcements, newest first',
      responses: { 200: 'AnnouncementList', 304: null },
      handle: () => announcements.current(),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/settings',
      name: 'getSettings',
      summary: 'Read the site settings',
      responses: { 200: 'SettingsAnswer', 304: null },
      handle: () => settings.current(),
    }),
  ];
}

function productAdminRoutes(content: SiteContent, audit: AuditChange): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/admin/products',
      name: 'createProduct',
      summary: 'Add a product at the end of the catalogue',
      auth: 'admin',
      body: 'NewProduct',
      responses: { 201: 'ProductAnswer' },
      async handle({ body }) {
        const data = await content.createProduct(body);
        await audit({ product: String(data.id), change: 'created' });
        return created({ ok: true, data });
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/admin/products/:id',
      name: 'changeProduct',
      summary: 'Change fields of a product',
      auth: 'admin',
      body: 'ProductChanges',
      responses: { 200: 'ProductAnswer' },
      async handle({ id, body }) {
        const data = await content.changeProduct(id, body);
        await audit({ product: String(id), change: 'changed' });
        return ok({ ok: true, data });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/admin/products/:id',
      name: 'deleteProduct',
      summary: 'Delete a product',
      auth: 'admin',
      responses: { 200: 'Deleted' },
      async handle({ id }) {
        await content.deleteProduct(id);
        await audit({ product: String(id), change: 'deleted' });
        return ok({ ok: true, deleted: id });
      },
    }),
  ];
}

function announcementAdminRoutes(content: SiteContent, audit: AuditChange): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/announcements',
      name: 'listAnnouncements',
      summary: 'List all announcements, inactive ones too',
      auth: 'admin',
      responses: { 200: 'AnnouncementList' },
      handle: async () => ok({ ok: true, data: await content.listAnnouncements() }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/announcements',
      name: 'createAnnouncement',
      summary: 'Add an announcement',
      auth: 'admin',
      body: 'NewAnnouncement',
      responses: { 201: 'AnnouncementAnswer' },
      async handle({ body }) {
        const data = await content.createAnnouncement(body);
        await audit({ announcement: String(data.id), change: 'created' });
        return created({ ok: true, data });
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/admin/announcements/:id',
      name: 'changeAnnouncement',
      summary: 'Change fields of an announcement',
      auth: 'admin',
      body: 'AnnouncementChanges',
      responses: { 200: 'AnnouncementAnswer' },
      async handle({ id, body }) {
        const data = await content.changeAnnouncement(id, body);
        await audit({ announcement: String(id), change: 'changed' });
        return ok({ ok: true, data });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/admin/announcements/:id',
      name: 'deleteAnnouncement',
      summary: 'Delete an announcement',
      auth: 'admin',
      responses: { 200: 'Deleted' },
      async handle({ id }) {
        await content.deleteAnnouncement(id);
        await audit({ announcement: String(id), change: 'deleted' });
        return ok({ ok: true, deleted: id });
      },
    }),
  ];
}

function changeSettings(content: SiteContent, audit: AuditChange): Route {
  return defineRoute({
    method: 'PUT',
    path: '/api/admin/settings',
    name: 'changeSettings',
    summary: 'Change site settings',
    auth: 'admin',
    body: 'SettingsChanges',
    responses: { 200: 'SettingsAnswer' },
    async handle({ body }) {
      const data = await content.changeSettings(body);
      await audit({ settings: Object.keys(body).join(' '), change: 'changed' });
      return ok({ ok: true, data });
    },
  });
}
