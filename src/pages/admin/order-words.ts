// Sorts and describes orders. No page needed.

import type { AdminOrder } from '#validators/orders';
import { isToDo } from './order-steps.ts';
import type { Words } from './words/en.ts';

export type Order = AdminOrder;

/**
 * Puts oversold orders first, because somebody has to call their customers, then the orders to prepare and hand over,
 * the earliest first, and then the others, the newest first.
 */
export function inOrderOfUrgency(orders: readonly Order[]) {
  const isUrgent = (order: Order) => order.oversold && isToDo(order);
  const due = ({ fulfillment, createdAt }: Order) => fulfillment.requestedFor ?? createdAt;
  const waiting = orders.filter((order) => isToDo(order) && !isUrgent(order));
  return [
    ...orders.filter(isUrgent),
    ...waiting.sort((a, b) => Date.parse(due(a)) - Date.parse(due(b))),
    ...orders.filter((order) => !isToDo(order)),
  ];
}

/** Merges the newest part of the list, `fresh`, into the known orders. */
export function mergeOrders(known: readonly Order[], fresh: readonly Order[]) {
  const last = fresh.at(-1);
  const from = last ? known.findIndex(({ id }) => id === last.id) : -1;
  // Without an overlap, orders are missing between the two, so the older ones must be loaded again.
  return from < 0 ? [...fresh] : [...fresh, ...known.slice(from + 1)];
}

/** Describes the changes between two readings for screen readers; empty without changes. */
export function whatHappened(before: readonly Order[], after: readonly Order[], { orders }: Words) {
  const known = new Map(before.map(({ id, status }) => [id, status]));
  const changed = after.filter(({ id, status }) => known.get(id) !== status);
  if (changed.length === 0) return '';
  const [first] = changed;
  if (changed.length > 1 || !first) return orders.changed(changed.length);
  const what = itemsOf(first, { orders });
  return known.has(first.id)
    ? `${what}: ${orders.statuses[first.status].toLowerCase()}.`
    : orders.placed(what);
}

/** Names the items of an order, with the numbers of pieces above one. */
export function itemsOf({ items }: Order, { orders }: Pick<Words, 'orders'>) {
  const names = items.map(({ name, quantity }) =>
    quantity === 1 ? name : `${name}, ${orders.pieces(quantity)}`,
  );
  return names.join('; ');
}
