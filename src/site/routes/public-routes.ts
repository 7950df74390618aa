import { prepareReply } from '../../http/answer/reply.js';
import type { Route } from '../../http/route/route.js';
import type { SiteContent } from '../site-content.js';
import { defineRoute } from './define-route.js';
import { givesTag, readReply } from './one-thing.js';

/** What everybody reads. Lists are serialised when something changes, not when they are read. */
export function publicRoutes(content: SiteContent): Route[] {
  const prepared = (read: () => Promise<unknown>) => {
    const reply = prepareReply(async () => ({ ok: true, data: await read() }));
    content.onChange(reply.invalidate);
    return reply;
  };
  const products = prepared(content.listProducts);
  const announcements = prepared(content.listActiveAnnouncements);
  const settings = prepared(content.readSettings);
  const shop = prepared(content.readShop);
  return [
    defineRoute({
      method: 'GET',
      path: '/api/products',
      name: 'listProducts',
      summary: 'List the product catalogue',
      responses: { 200: 'ProductList', 304: null },
      ready: products.now,
      handle: products.current,
    }),
    defineRoute({
      method: 'GET',
      path: '/api/products/:id',
      name: 'getProduct',
      summary: 'Read one product',
      ...givesTag,
      responses: { 200: 'ProductAnswer', 304: null },
      handle: async ({ id }) => readReply(await content.readProduct(id)),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/announcements',
      name: 'listActiveAnnouncements',
      summary: 'List the active announcements, newest first',
      responses: { 200: 'AnnouncementList', 304: null },
      ready: announcements.now,
      handle: announcements.current,
    }),
    defineRoute({
      method: 'GET',
      path: '/api/settings',
      name: 'getSettings',
      summary: 'Read the site settings',
      ...givesTag,
      responses: { 200: 'SettingsAnswer', 304: null },
      ready: settings.now,
      handle: settings.current,
    }),
    defineRoute({
      method: 'GET',
      path: '/api/shop',
      name: 'getShop',
      summary: 'Read the card of the shop: how to reach it, where and when',
      ...givesTag,
      responses: { 200: 'ShopAnswer', 304: null },
      ready: shop.now,
      handle: shop.current,
    }),
  ];
}
