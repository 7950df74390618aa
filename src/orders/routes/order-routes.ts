import * as validators from '#validators/orders';
import { namesVersion } from '../../http/answer/representation.js';
import { type Route, type RouteGroup, routesOf } from '../../http/route/route.js';
import type { Order } from '../order.js';
import type { Orders } from '../orders.js';
import { orderView } from '../views.js';
import { checkoutReply, type DeskRouteOptions, deskRoutes } from './desk-routes.js';
import { readBasket } from './read-basket.js';
import { orderTag, unstored } from './replies.js';
import { type StockRouteOptions, stockRoutes } from './stock-routes.js';

export interface OrderRouteOptions extends StockRouteOptions, DeskRouteOptions {
  readonly orders: Orders;
}

const defineRoute = routesOf<typeof validators>();

/** Maximum time of a `wait` for an order, in seconds. */
const maxWait = 30;
const orderExample = 'q83vEjRWeJCrze8SNFZ4kA';

/** Returns the routes for buying, and those with which the shop manages orders and stock. */
export function orderRoutes(options: OrderRouteOptions): RouteGroup {
  return {
    name: 'orders',
    description: 'Orders, which are paid by QR code, and the stock.',
    errorShape: 'site',
    schema: 'orders',
    validators,
    routes: [...visitorRoutes(options), ...deskRoutes(options), ...stockRoutes(options)],
  };
}

function visitorRoutes({ orders, checkout }: OrderRouteOptions): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/checkout',
      name: 'getCheckout',
      summary: 'Read how the shop takes orders',
      responses: { 200: 'CheckoutAnswer', 304: null },
      handle: async () => checkoutReply(await checkout.read()),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/orders',
      name: 'createOrder',
      summary: 'Order products',
      description:
        'Creates one QR payment at the current prices. The order is `pending` until the payment succeeds or ends otherwise. Each address may make 10 orders an hour; paid orders do not count.',
      body: 'NewOrder',
      headers: {
        'Idempotency-Key':
          'A name of your choice for this order. Repeating it within 24 hours does not create a second order, but returns the first one as it is then.',
      },
      responses: { 201: 'OrderAnswer' },
      errors: [
        'not_found',
        'conflict',
        'not_for_sale',
        'changed',
        'rate_limited',
        'provider_error',
        'payments_unavailable',
        'storage_unavailable',
      ],
      errorFields: { changed: 'ChangedOrder' },
      async handle(request) {
        const key = request.header('idempotency-key');
        const { address } = request;
        const order = await orders.create(readBasket(request.body), key, address);
        return unstored(201, { ok: true, order });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/orders/:order',
      name: 'getOrder',
      summary: 'Read an order, or wait until it changes',
      description:
        'Anyone who knows the id may read it. With `wait`, the response for an unpaid order arrives once its status changes, or after that many seconds. With `wait` and `If-None-Match`, it arrives once anything in it changes, until the order is completed or cancelled; 304 when the time is up.',
      headers: { 'If-None-Match': 'ETag of the version that you have.' },
      answerHeaders: { ETag: 'Identifies this version.' },
      pathExamples: { order: orderExample },
      query: {
        wait: {
          type: 'integer',
          minimum: 0,
          maximum: maxWait,
          description: 'seconds to wait for a change',
        },
      },
      responses: { 200: 'OrderAnswer', 304: null },
      errors: ['not_found', 'rate_limited'],
      async handle(request) {
        const { order: id = '' } = request.params;
        const { wait = 0 } = request.query;
        const { address } = request;
        const known = request.header('if-none-match');
        const isChanged = (order: Order) => !namesVersion(known, orderTag(order));
        // Only a request that waits needs the signal.
        const order =
          wait === 0
            ? await orders.findStored(id)
            : await orders.wait(id, wait, {
                ...{ address, signal: request.signal() },
                ...(known === '' ? {} : { isChanged }),
              });
        return { ...unstored(200, { ok: true, order: orderView(order) }), etag: orderTag(order) };
      },
    }),
  ];
}
