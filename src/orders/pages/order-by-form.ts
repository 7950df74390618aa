import { AppError } from '../../base/errors.js';
import { isOpen, type ShownOrder } from './shown-order.js';

/** What is ordered. */
export interface Wanted {
  readonly productId: number;
  readonly quantity: number;
}

/** Makes an order, or gives the one that the key stands for; another order under a known key is a `conflict`. */
export type CreateOrder<Order extends ShownOrder> = (wanted: Wanted, key: string) => Promise<Order>;

/** The most ended orders that one form skips. */
const mostEnded = 20;

/**
 * The order that a form asks for. Its page may come from the browser's cache and be sent again: while the order of its
 * key is open, that is the one; once it has ended, or where other pieces are wanted, there is a new one, which the same
 * form gives again.
 */
export async function orderByForm<Order extends ShownOrder>(
  wanted: Wanted,
  key: string,
  create: CreateOrder<Order>,
): Promise<Order> {
  for (const each of keysOf(wanted, key)) {
    const order = await unlessConflict(create(wanted, each));
    if (order && isOpen(order)) return order;
  }
  throw new AppError('conflict', 'Too many orders were made with this form. Load the page again.');
}

function* keysOf({ productId, quantity }: Wanted, key: string): Iterable<string> {
  yield key;
  for (let round = 1; round <= mostEnded; round++) yield `${key}.${productId}x${quantity}.${round}`;
}

async function unlessConflict<Order>(order: Promise<Order>): Promise<Order | undefined> {
  try {
    return await order;
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return undefined;
    throw error;
  }
}
