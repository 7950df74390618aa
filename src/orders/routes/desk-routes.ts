import type * as validators from '#validators/orders';
import type { Actor } from '../../base/audit.js';
import { tagged } from '../../http/answer/reply.js';
import { assertMatch } from '../../http/answer/representation.js';
import { type Route, routesOf } from '../../http/route/route.js';
import type { Checkout, CheckoutSettings } from '../checkout.js';
import type { Order } from '../order.js';
import type { Orders } from '../orders.js';
import { adminOrderView } from '../views.js';
import { orderTag, unstored } from './replies.js';

export interface DeskRouteOptions {
  readonly orders: Orders;
  readonly checkout: CheckoutSettings;
  /** Records in the audit log that an order was moved or settled. */
  noteOrder(who: Actor, ids: Readonly<Record<string, string>>): Promise<void>;
  /** Records in the audit log that the checkout settings were changed. */
  noteCheckout(who: Actor, ids: Readonly<Record<string, string>>): Promise<void>;
}

/** The sender of a request; without a role on an admin page that is open to everyone. */
interface Viewer extends Actor {
  readonly role?: string | undefined;
}

const defineRoute = routesOf<
  typeof validators,
  { orders: Viewer; anyAdmin: Viewer; admin: Actor }
>();

/** Orders of one page by default. @internal */
const usualPage = 50;
/** Maximum number of orders of one page. */
const maxPageSize = 100;

const orderPattern = '^[A-Za-z0-9_-]{22}$';
const orderExample = 'q83vEjRWeJCrze8SNFZ4kA';

/** Returns the routes with which the shop works on its orders. */
export function deskRoutes(options: DeskRouteOptions): Route[] {
  return [...orderRoutes(options), ...settingRoutes(options)];
}

function orderRoutes({ orders, noteOrder }: DeskRouteOptions): Route[] {
  return [
    defineRoute({
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
      async handle({ query: { after, limit = usualPage }, principal }) {
        const page = await orders.page({ after, limit });
        const shown = page.orders.map((order) => adminOrderView(order, audienceOf(principal)));
        return unstored(200, { ok: true, orders: shown, hasMore: page.hasMore });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/admin/orders/:order',
      name: 'getAdminOrder',
      summary: 'Read an order with what only the shop sees',
      auth: 'orders',
      pathExamples: { order: orderExample },
      answerHeaders: { ETag: 'Identifies this version, for If-Match.' },
      responses: { 200: 'AdminOrderAnswer', 304: null },
      async handle({ params, principal }) {
        return orderReply(await orders.findStored(params.order ?? ''), principal);
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/admin/orders/:order/fulfillment',
      name: 'moveOrder',
      summary: 'Move a paid order one step forward or back, or cancel it',
      auth: 'orders',
      pathExamples: { order: orderExample },
      body: 'FulfillmentChange',
      headers: { 'If-Match': 'ETag of the order that you read: 412 if it has changed since.' },
      answerHeaders: { ETag: 'Identifies this version, for If-Match.' },
      responses: { 200: 'AdminOrderAnswer' },
      errors: ['conflict', 'precondition_failed'],
      async handle({ params, principal, body: { status }, header }) {
        const ifMatch = header('if-match');
        const order = await orders.moveFulfillment(params.order ?? '', status, (now) =>
          assertMatch(ifMatch, orderTag(now)),
        );
        await noteOrder(principal, { order: order.id, change: status });
        return orderReply(order, principal);
      },
    }),
  ];
}

function orderReply(order: Order, viewer: Viewer) {
  const view = adminOrderView(order, audienceOf(viewer));
  return { ...unstored(200, { ok: true, order: view }), etag: orderTag(order) };
}

/** On a page that is open to everyone, nobody sees the customers' details. */
function audienceOf({ role }: Viewer) {
  return { isPrivate: role !== undefined };
}

function settingRoutes({ orders, checkout, noteCheckout }: DeskRouteOptions): Route[] {
  return [
    defineRoute({
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
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/admin/checkout',
      name: 'changeCheckout',
      summary: 'Change how the shop takes orders',
      auth: 'admin',
      body: 'CheckoutChanges',
      headers: { 'If-Match': 'ETag of the version that you read: 412 if it has changed since.' },
      answerHeaders: { ETag: 'Identifies this version, for If-Match.' },
      responses: { 200: 'CheckoutAnswer' },
      errors: ['precondition_failed'],
      async handle({ principal, body, header }) {
        const ifMatch = header('if-match');
        const changed = await checkout.change(body, (now) =>
          assertMatch(ifMatch, checkoutReply(now).etag),
        );
        await noteCheckout(principal, { checkout: Object.keys(body).join(' '), change: 'changed' });
        const { etag, ...reply } = checkoutReply(changed);
        // Only a header, so that If-None-Match cannot turn a change into a 304.
        return { ...reply, headers: { ...reply.headers, ETag: etag } };
      },
    }),
  ];
}

/** Returns the settings with their ETag. */
export function checkoutReply(data: Checkout) {
  return tagged({ ok: true, data });
}
