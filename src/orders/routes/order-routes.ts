import * as validators from '#validators/orders';
import type { Actor } from '../../base/audit.js';
import type { Reply } from '../../http/answer/reply.js';
import { type Route, type RouteGroup, routesOf } from '../../http/route/route.js';
import type { Orders } from '../orders.js';
import { adminOrderView } from '../views.js';
import { readBasket } from './read-basket.js';
import { type StockRouteOptions, stockRoutes } from './stock-routes.js';

export interface OrderRouteOptions extends StockRouteOptions {
  readonly orders: Orders;
}

/** The sender of a request; without a role on an admin page that is open to everyone. */
interface Viewer extends Actor {
  readonly role?: string | undefined;
}

const defineRoute = routesOf<typeof validators, { orders: Actor; anyAdmin: Viewer }>();

/** The most seconds of a `wait` for an order. */
const maxWait = 30;
/** Orders of one page by default. @internal */
const usualPage = 50;
/** The most orders of one page. */
const maxPageSize = 100;

const orderPattern = '^[A-Za-z0-9_-]{22}$';
const orderExample = 'q83vEjRWeJCrze8SNFZ4kA';

/** Returns the routes for buying, and those with which the shop manages orders and stock. */
export function orderRoutes(options: OrderRouteOptions): RouteGroup {
  return {
    name: 'orders',
    description: 'Orders, which are paid by QR code, and the stock.',
    errorShape: 'site',
    schema: 'orders',
    validators,
    routes: [
      ...visitorRoutes(options),
      listOrders(options),
      readSales(options),
      ...stockRoutes(options),
    ],
  };
}

function visitorRoutes({ orders }: OrderRouteOptions): Route[] {
  return [
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
      summary: 'Read an order, or wait until its status changes',
      description:
        'Anyone who knows the id may read it. With `wait`, the answer for an open order comes once its status changes, or after that many seconds.',
      pathExamples: { order: orderExample },
      query: {
        wait: {
          type: 'integer',
          minimum: 0,
          maximum: maxWait,
          description: 'seconds to wait for the status to change',
        },
      },
      responses: { 200: 'OrderAnswer' },
      errors: ['not_found', 'rate_limited'],
      async handle(request) {
        const { order: id = '' } = request.params;
        const { wait = 0 } = request.query;
        const { address } = request;
        // Only a request that waits needs the signal.
        const order =
          wait === 0
            ? await orders.find(id)
            : await orders.wait(id, wait, { address, signal: request.signal() });
        return unstored(200, { ok: true, order });
      },
    }),
  ];
}

function listOrders({ orders }: OrderRouteOptions): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/admin/orders',
    name: 'listOrders',
    summary: 'List all orders, newest first',
    auth: 'orders',
    query: {
      after: {
        type: 'string',
        maxLength: 22,
        pattern: orderPattern,
        description: 'id of the last order of the page before',
        example: orderExample,
      },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: maxPageSize,
        description: `orders per page; default ${usualPage}`,
      },
    },
    responses: { 200: 'OrderList' },
    errors: ['not_found'],
    async handle({ query: { after, limit = usualPage } }) {
      const page = await orders.page({ after, limit });
      return unstored(200, {
        ok: true,
        orders: page.orders.map(adminOrderView),
        hasMore: page.hasMore,
      });
    },
  });
}

function readSales({ orders }: OrderRouteOptions): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/admin/sales',
    name: 'getSales',
    summary: 'Read whether visitors can buy, and which cashiers take the payments',
    auth: 'anyAdmin',
    responses: { 200: 'SalesState' },
    async handle({ principal: { role } }) {
      const signedIn = await orders.cashiers();
      const cashiers = signedIn.map(({ organizationName: organization, phone }) => ({
        organization,
        phone: role === undefined ? null : phone,
      }));
      return unstored(200, { ok: true, open: cashiers.length > 0, cashiers });
    },
  });
}

/** Forbids caching, because orders change without a request. */
function unstored(status: number, json: unknown): Reply {
  return { status, json, headers: { 'Cache-Control': 'no-store' } };
}
