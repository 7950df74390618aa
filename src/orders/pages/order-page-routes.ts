import { randomUUID } from 'node:crypto';
import * as validators from '#validators/orders';
import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import {
  type Pages,
  pageQuery,
  pageReply,
  privatePageReply,
} from '../../http/answer/page-frame.js';
import type { Reply } from '../../http/answer/reply.js';
import { assertSameOrigin } from '../../http/request/host-guard.js';
import { type ApiRequest, type Route, type RouteGroup, routesOf } from '../../http/route/route.js';
import type { Language } from '../../words/languages.js';
import type { Orders } from '../orders.js';
import { drawDialog } from './draw-dialog.js';
import { drawOrder, orderHead, orderTitle } from './draw-order.js';
import { type FormOrder, orderByForm } from './order-by-form.js';
import { readOrderForm } from './read-form.js';

export interface OrderPageOptions {
  readonly orders: Pick<Orders, 'create' | 'find'>;
  readonly pages: Pages;
  readonly clock: Pick<Clock, 'now'>;
  /** IANA time zone of the shop, for the time until which a code is valid. */
  readonly zone: string;
  /** Further host names of the site, apart from the one in the request. */
  readonly ownHosts: readonly string[];
}

const defineRoute = routesOf<typeof validators>();

const formType = 'application/x-www-form-urlencoded';
/** Bytes of an order form. */
const maxFormBytes = 10 * 1024;

/** Returns the routes of the pages on which visitors pay. */
export function orderPageRoutes(options: OrderPageOptions): RouteGroup {
  return {
    name: 'paying',
    description: 'Pages on which visitors pay.',
    errorShape: 'site',
    schema: 'orders',
    validators,
    // The dialog comes first, because the pattern of an order's path matches its path too.
    routes: [showDialog(options), showOrder(options), takeForm(options)],
  };
}

/** The page of an order: sending the form redirects here, and it can be reloaded. */
function showOrder({ orders, pages, clock, zone }: OrderPageOptions): Route {
  return defineRoute({
    method: 'GET',
    path: '/orders/:order',
    name: 'showOrder',
    summary: 'The page of an order',
    page: true,
    query: pageQuery,
    responses: { 200: null },
    async handle(request) {
      const order = await orders.find(request.params.order ?? '');
      const language = await pages.languageOf(request);
      const drawing = { language, zone, now: clock.now(), contact: await pages.contact(language) };
      const page = await pages.frame({
        language,
        title: orderTitle(order, language),
        path: `/orders/${order.id}${request.query.lang === undefined ? '' : `?lang=${language}`}`,
        isIndexed: false,
        head: orderHead(order),
        body: drawOrder(order, drawing),
      });
      return notIndexed(privatePageReply(page, request.query.lang));
    },
  });
}

function notIndexed(reply: Reply): Reply {
  return { ...reply, headers: { ...reply.headers, 'X-Robots-Tag': 'noindex' } };
}

/** The dialog of the product page, which its script loads. */
function showDialog({ pages }: OrderPageOptions): Route {
  return defineRoute({
    method: 'GET',
    path: '/orders/dialog',
    name: 'showPayDialog',
    summary: 'The payment dialog of the product page',
    page: true,
    query: pageQuery,
    responses: { 200: null, 304: null },
    async handle(request) {
      const language: Language = await pages.languageOf(request);
      const dialog = drawDialog(language, await pages.contact(language));
      return notIndexed(pageReply(dialog.text));
    },
  });
}

/** The form of the product page, for browsers without scripts. */
function takeForm({ orders, ownHosts }: OrderPageOptions): Route {
  return defineRoute({
    method: 'POST',
    path: '/orders',
    name: 'orderByForm',
    summary: 'Order with a form',
    page: true,
    content: { types: [formType], maxBytes: maxFormBytes },
    responses: { 303: null },
    errors: ['not_for_sale', 'payments_unavailable'],
    async handle({ header, bytes, address }) {
      assertSameOrigin(header, ownHosts);
      assertForm(header);
      const { key = randomUUID(), ...ordered } = readOrderForm(bytes);
      const create = ({ productId, quantity }: FormOrder, by: string) =>
        orders.create({ items: [{ productId, variantId: null, quantity }] }, by, address);
      const order = await orderByForm(ordered, key, create);
      return {
        status: 303,
        headers: { Location: `/orders/${order.id}`, 'Cache-Control': 'no-store' },
      };
    },
  });
}

function assertForm(header: ApiRequest['header']): void {
  const type = header('Content-Type').split(';')[0]?.trim().toLowerCase();
  if (type === formType) return;
  throw new AppError('unsupported_media_type', `The form must be sent as ${formType}.`);
}
