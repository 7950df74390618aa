import type { Reply } from '../../http/answer/reply.js';
import { etagOf } from '../../http/answer/representation.js';
import type { Order } from '../order.js';
import { versionOf } from '../views.js';

/** Returns a JSON response that must not be cached, because orders change without a request. */
export function unstored(status: number, json: unknown): Reply {
  return { status, json, headers: { 'Cache-Control': 'no-store' } };
}

/** Returns the ETag of an order, which changes with everything that the customer sees. */
export function orderTag(order: Order): string {
  return etagOf(versionOf(order));
}
