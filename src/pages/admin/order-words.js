// What is said of an order. No page needed.

/** @typedef {import('#validators/orders').AdminOrder} Order */
/** @typedef {Order['status']} OrderStatus */

/** @type {Readonly<Record<OrderStatus, string>>} */
export const statusNames = {
  pending: 'Waiting for payment',
  paid: 'Paid',
  failed: 'Failed',
  expired: 'Expired',
  unknown: 'In doubt',
};

/**
 * Oversold ones first, as somebody has to be called; the others as they come, newest first.
 *
 * @param {readonly Order[]} orders
 */
export function inOrderOfUrgency(orders) {
  return [
    ...orders.filter(({ oversold }) => oversold),
    ...orders.filter(({ oversold }) => !oversold),
  ];
}

/**
 * The newest orders, read again, over those that were known before: `fresh` is the newest part of the list.
 *
 * @param {readonly Order[]} known
 * @param {readonly Order[]} fresh
 */
export function mergeOrders(known, fresh) {
  const last = fresh.at(-1);
  const from = last ? known.findIndex(({ id }) => id === last.id) : -1;
  // Where the two have nothing in common, so much is new that the older ones have to be asked for again.
  return from < 0 ? [...fresh] : [...fresh, ...known.slice(from + 1)];
}

/**
 * What has happened between two readings, for who does not see the list; empty for nothing.
 *
 * @param {readonly Order[]} before
 * @param {readonly Order[]} after
 */
export function whatHappened(before, after) {
  const known = new Map(before.map(({ id, status }) => [id, status]));
  const changed = after.filter(({ id, status }) => known.get(id) !== status);
  if (changed.length === 0) return '';
  const [first] = changed;
  if (changed.length > 1 || !first) return `${changed.length} orders have changed.`;
  const pieces = first.quantity === 1 ? '' : `, ${first.quantity} pieces`;
  return known.has(first.id)
    ? `${first.name}${pieces}: ${statusNames[first.status].toLowerCase()}.`
    : `A new order: ${first.name}${pieces}.`;
}
