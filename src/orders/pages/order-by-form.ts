import { AppError } from '../../base/errors.js';
import { isOpen, type ShownOrder } from './shown-order.js';

/** The product of a form, and the number of its pieces. */
export interface FormOrder {
  readonly productId: number;
  readonly quantity: number;
}

/** Creates an order, or returns the one that the key identifies. Throws `conflict` if that is a different order. */
export type CreateOrder<Order extends ShownOrder> = (
  ordered: FormOrder,
  key: string,
) => Promise<Order>;

/** The most ended orders that one form skips. */
const maxEnded = 20;

/**
 * Returns the order of a form. The browser may send a form again from its cache. While the order of its key is open,
 * that order is returned. If it has ended, or the form now asks for something else, a new order is created, which the
 * same form then finds again.
 */
export async function orderByForm<Order extends ShownOrder>(
  ordered: FormOrder,
  key: string,
  create: CreateOrder<Order>,
): Promise<Order> {
  for (const each of keysOf(ordered, key)) {
    const order = await unlessConflict(create(ordered, each));
    if (order && isOpen(order)) return order;
  }
  throw new AppError('conflict', 'Too many orders were made with this form. Reload the page.');
}

function* keysOf({ productId, quantity }: FormOrder, key: string): Iterable<string> {
  yield key;
  for (let round = 1; round <= maxEnded; round++) yield `${key}.${productId}x${quantity}.${round}`;
}

async function unlessConflict<Order>(order: Promise<Order>): Promise<Order | undefined> {
  try {
    return await order;
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return undefined;
    throw error;
  }
}
