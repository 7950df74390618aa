// What is said of orders. No page needed.

import type { AdminOrder } from '#validators/orders';
import type { Words } from './words/en.ts';

export type Order = AdminOrder;

/** Oversold ones first, as somebody has to be called; the others as they come, newest first. */
export function inOrderOfUrgency(orders: readonly Order[]) {
  return [
    ...orders.filter(({ oversold }) => oversold),
    ...orders.filter(({ oversold }) => !oversold),
  ];
}

/** The newest orders, read again, over those that were known before: `fresh` is the newest part of the list. */
export function mergeOrders(known: readonly Order[], fresh: readonly Order[]) {
  const last = fresh.at(-1);
  const from = last ? known.findIndex(({ id }) => id === last.id) : -1;
  // Where the two have nothing in common, so much is new that the older ones have to be asked for again.
  return from < 0 ? [...fresh] : [...fresh, ...known.slice(from + 1)];
}

/** What has happened between two readings, for who does not see the list; empty for nothing. */
export function whatHappened(before: readonly Order[], after: readonly Order[], { orders }: Words) {
  const known = new Map(before.map(({ id, status }) => [id, status]));
  const changed = after.filter(({ id, status }) => known.get(id) !== status);
  if (changed.length === 0) return '';
  const [first] = changed;
  if (changed.length > 1 || !first) return orders.changed(changed.length);
  const pieces = first.quantity === 1 ? '' : `, ${orders.pieces(first.quantity)}`;
  return known.has(first.id)
    ? `${first.name}${pieces}: ${orders.statuses[first.status].toLowerCase()}.`
    : orders.placed(`${first.name}${pieces}`);
}
