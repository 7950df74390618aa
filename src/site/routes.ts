import type * as schema from '#validators/site';
import { etagOf } from '../http/etag.js';
import { prepareBody } from '../http/prepared-body.js';
import { created, ok, type Reply } from '../http/reply.js';
import { type Route, type RouteGroup, routesOf } from '../http/route.js';
import type { SiteContent } from './site-content.js';

const defineRoute = routesOf<typeof schema, { admin: unknown }>();

export interface SiteRouteOptions {
  readonly content: SiteContent;
  readonly validators: RouteGroup['validators'];
}

/** Public reads and admin writes. Public lists are serialised when they change, not when they are read. */
export function siteRoutes({ content, validators }: SiteRouteOptions): RouteGroup {
  const products = prepareBody(async () => ({ ok: true, data: await content.listProducts() }));
  const announcements = prepareBody(async () => ({
    ok: true,
    data: await content.listActiveAnnouncements(),
  }));
  const settings = prepareBody(async () => ({ ok: true, data: await content.readSettings() }));
  content.onOutsideChange(() => {
    for (const prepared of [products, announcements, settings]) prepared.invalidate();
  });
  return {
    name: 'site',
    description: 'Products, announcements and settings of the public site.',
    errorShape: 'site',
    schema: 'site',
    validators,
    routes: [
      ...publicRoutes(content, { products, announcements, settings }),
      ...productAdminRoutes(content, products.invalidate),
      ...announcementAdminRoutes(content, announcements.invalidate),
      ...settingsAdminRoutes(content, settings.invalidate),
    ],
  };
}

type Prepared = ReturnType<typeof prepareBody>;

function publicRoutes(
  content: SiteContent,
  prepared: Readonly<Record<'products' | 'announcements' | 'settings', Prepared>>,
): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/products',
      name: 'listProducts',
      summary: 'List the product catalogue',
      responses: { 200: 'ProductList', 304: null },
      handle: () => prepared.products.current(),
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
      handle: () => prepared.announcements.current(),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/settings',
      name: 'getSettings',
      summary: 'Read the site settings',
      responses: { 200: 'SettingsAnswer', 304: null },
      handle: () => prepared.settings.current(),
    }),
  ];
}

function tagged(json: unknown): Reply {
  const content = JSON.stringify(json);
  return {
    status: 200,
    content,
    etag: etagOf(content),
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-cache' },
  };
}

function productAdminRoutes(content: SiteContent, changed: () => void): Route[] {
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
        changed();
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
        changed();
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
        changed();
        return ok({ ok: true, deleted: id });
      },
    }),
  ];
}

function announcementAdminRoutes(content: SiteContent, changed: () => void): Route[] {
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
        changed();
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
        changed();
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
        changed();
        return ok({ ok: true, deleted: id });
      },
    }),
  ];
}

function settingsAdminRoutes(content: SiteContent, changed: () => void): Route[] {
  return [
    defineRoute({
      method: 'PUT',
      path: '/api/admin/settings',
      name: 'changeSettings',
      summary: 'Change site settings',
      auth: 'admin',
      body: 'SettingsChanges',
      responses: { 200: 'SettingsAnswer' },
      async handle({ body }) {
        const data = await content.changeSettings(body);
        changed();
        return ok({ ok: true, data });
      },
    }),
  ];
}
