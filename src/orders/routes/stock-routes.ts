import type * as validators from '#validators/orders';
import { ok, tagged } from '../../http/answer/reply.js';
import { assertMatch } from '../../http/answer/representation.js';
import { type Route, routesOf } from '../../http/route/route.js';
import type { Left } from '../order.js';
import type { Orders } from '../orders.js';

export interface StockRouteOptions {
  readonly orders: Orders;
  /** Every product of the catalogue, in its order. */
  listProducts(): Promise<readonly { readonly id: number }[]>;
  /** Writes down that the count of a product was changed. */
  noteChange(ids: Readonly<Record<string, string>>): Promise<void>;
}

const defineRoute = routesOf<typeof validators, { admin: unknown }>();

/** How many pieces of products are left. */
export function stockRoutes({ orders, listProducts, noteChange }: StockRouteOptions): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/stock',
      name: 'listStock',
      summary: 'List how many pieces are left of every product',
      auth: 'admin',
      responses: { 200: 'StockList' },
      async handle() {
        const stock = await orders.stock();
        const products = await listProducts();
        const data = products.map(({ id }) => ({ productId: id, left: stock.get(id) ?? null }));
        return ok({ ok: true, data });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/admin/stock/:productId',
      name: 'getStock',
      summary: 'Read how many pieces are left of a product',
      auth: 'admin',
      responses: { 200: 'StockAnswer', 304: null },
      async handle({ params }) {
        const productId = Number(params.productId);
        return stockReply(productId, await orders.leftOf(productId));
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/admin/stock/:productId',
      name: 'changeStock',
      summary: 'Say how many pieces are left of a product',
      description: 'Every order that is paid takes its pieces from it. Null: they are not counted.',
      auth: 'admin',
      body: 'StockChange',
      headers: { 'If-Match': 'ETag of the count as it was read: 412 where it was changed since.' },
      responses: { 200: 'StockAnswer' },
      errors: ['precondition_failed'],
      async handle(request) {
        const productId = Number(request.params.productId);
        const ifMatch = request.header('if-match');
        const left = await orders.changeLeft(productId, request.body.left, (now) =>
          assertMatch(ifMatch, stockReply(productId, now).etag),
        );
        await noteChange({ stock: String(productId), change: 'changed' });
        return stockReply(productId, left);
      },
    }),
  ];
}

function stockReply(productId: number, left: Left) {
  return tagged({ ok: true, data: { productId, left } });
}
