// What has to change so that a product stands elsewhere in the list. No page needed.

/**
 * The list with one product moved, and the fewest `order` values to store for it: one where the
 * neighbours leave room, otherwise the values in use dealt out again in the new sequence.
 */
export function planMove(products, from, to) {
  const sequence = [...products];
  const [moved] = sequence.splice(from, 1);
  sequence.splice(to, 0, moved);
  const orders = roomFor(sequence, to) ?? dealOut(sequence);
  const changes = [];
  const list = sequence.map((product, index) => {
    if (product.order === orders[index]) return product;
    changes.push({ id: product.id, order: orders[index] });
    return { ...product, order: orders[index] };
  });
  return { list, changes };
}

function roomFor(sequence, at) {
  const rest = sequence.filter((_, index) => index !== at).map(({ order }) => order);
  if (!isRising(rest)) return undefined;
  const before = rest[at - 1];
  const after = rest[at] ?? Number.POSITIVE_INFINITY;
  const own = sequence[at].order;
  const fits = (order) => order > (before ?? 0) && order < after;
  const order = fits(own) ? own : before === undefined ? after - 1 : before + 1;
  return fits(order) ? rest.toSpliced(at, 0, order) : undefined;
}

function dealOut(sequence) {
  const orders = sequence.map(({ order }) => order).sort((a, b) => a - b);
  return isRising(orders) ? orders : sequence.map((_, index) => index + 1);
}

function isRising(orders) {
  return orders.every((order, index) => index === 0 || order > orders[index - 1]);
}
