import type * as validators from '#validators/orders';
import type { Actor } from '../../base/audit.js';
import { ok, tagged } from '../../http/answer/reply.js';
import { assertMatch } from '../../http/answer/representation.js';
import { type Route, routesOf } from '../../http/route/route.js';
import type { Left } from '../order.js';
import type { Orders } from '../orders.js';

export interface StockRouteOptions {
  readonly orders: Orders;
  /** Returns every product, in catalogue order. */
  listProducts(): Promise<readonly { readonly id: number }[]>;
  /** Records in the audit that the count of a product was changed. */
  noteChange(who: Actor, ids: Readonly<Record<string, string>>): Promise<void>;
}

const defineRoute = routesOf<typeof validators, { stock: Actor }>();

/** Returns the routes that read and change how many pieces of products are left. */
export function stockRoutes({ orders, listProducts, noteChange }: StockRouteOptions): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/stock',
      name: 'listStock',
      summary: 'List how many pieces of every product are left',
      auth: 'stock',
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
      summary: 'Read how many pieces of a product are left',
      auth: 'stock',
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
      summary: 'Set how many pieces of a product are left',
      description: 'Every paid order reduces the count. Null: the pieces are not counted.',
      auth: 'stock',
      body: 'StockChange',
      headers: { 'If-Match': 'ETag of the count that you read: 412 if it has changed since.' },
      responses: { 200: 'StockAnswer' },
      errors: ['precondition_failed'],
      async handle(request) {
        const productId = Number(request.params.productId);
        const ifMatch = request.header('if-match');
        const left = await orders.changeLeft(productId, request.body.left, (now) =>
          assertMatch(ifMatch, stockReply(productId, now).etag),
        );
        await noteChange(request.principal, { stock: String(productId), change: 'changed' });
        return stockReply(productId, left);
      },
    }),
  ];
}

function stockReply(productId: number, left: Left) {
  return tagged({ ok: true, data: { productId, left } });
}
