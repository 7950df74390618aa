// Plans the move of a product in the list. No page needed.

/**
 * Returns the list with one product moved, and the `order` values to store: a single value between those of its new
 * neighbours, so that the move is stored completely or not at all. If there is no room between them (equal values, or
 * halved too often), the whole list is renumbered.
 */
export function planMove<Item extends { readonly id: number; readonly order: number }>(
  products: readonly Item[],
  from: number,
  to: number,
) {
  const sequence = [...products];
  const [moved] = sequence.splice(from, 1) as [Item];
  const order = orderBetween(sequence[to - 1]?.order, sequence[to]?.order);
  sequence.splice(to, 0, moved);
  const place: (product: Item, index: number) => number =
    order === undefined
      ? (_, index) => index + 1
      : (product) => (product === moved ? order : product.order);
  const list = sequence.map((product, index) => ({ ...product, order: place(product, index) }));
  const changes = list
    .filter((product, index) => product.order !== sequence[index]?.order)
    .map((product) => ({ id: product.id, order: product.order }));
  return { list, changes };
}

/** Returns a number between `before` and `after`, whole if possible; undefined if no number fits. */
function orderBetween(before: number | undefined, after: number | undefined) {
  if (before === undefined) return after === undefined ? 1 : Math.ceil(after) - 1;
  if (after === undefined) return Math.floor(before) + 1;
  const whole = Math.floor(before) + 1;
  const order = whole < after ? whole : (before + after) / 2;
  return order > before && order < after ? order : undefined;
}
