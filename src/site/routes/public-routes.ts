import { okWith } from '../../http/answer/reply.js';
import { cacheRepresentations, representJson } from '../../http/answer/representation.js';
import type { Route } from '../../http/route/route.js';
import type { SiteContent } from '../site-content.js';
import { defineRoute, readReply, withTag } from './define-route.js';

/** Returns the public routes. Their responses are cached until the content changes. */
export function publicRoutes(content: SiteContent): Route[] {
  let cached = cacheRepresentations();
  content.onChange(() => {
    cached = cacheRepresentations();
  });
  const cachedReply = (name: string, read: () => Promise<unknown>) => async () =>
    okWith(await cached(name, async () => representJson({ ok: true, data: await read() })));
  return [
    defineRoute({
      method: 'GET',
      path: '/api/products',
      name: 'listProducts',
      summary: 'List the product catalogue',
      responses: { 200: 'ProductList', 304: null },
      handle: cachedReply('products', content.products.list),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/products/:id',
      name: 'getProduct',
      summary: 'Read one product',
      ...withTag,
      responses: { 200: 'ProductAnswer', 304: null },
      handle: async ({ id }) => readReply(await content.products.read(id)),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/announcements',
      name: 'listActiveAnnouncements',
      summary: 'List the active announcements, newest first',
      responses: { 200: 'AnnouncementList', 304: null },
      handle: cachedReply('announcements', content.listActiveAnnouncements),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/settings',
      name: 'getSettings',
      summary: 'Read the site settings',
      ...withTag,
      responses: { 200: 'SettingsAnswer', 304: null },
      handle: cachedReply('settings', content.readSettings),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/shop',
      name: 'getShop',
      summary: 'Read the contacts, address and opening hours of the shop',
      ...withTag,
      responses: { 200: 'ShopAnswer', 304: null },
      handle: cachedReply('shop', content.readShop),
    }),
  ];
}
