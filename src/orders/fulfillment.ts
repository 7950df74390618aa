import { AppError } from '../base/errors.js';
import type { Order } from './order.js';

export type FulfillmentStatus = Order['fulfillment']['status'];

/** The statuses in which an order is handed over, in order. */
const steps = ['new', 'preparing', 'ready', 'completed'] as const satisfies FulfillmentStatus[];

/** Returns the statuses to which an order can be moved from one: a step forward or back, or cancelled and back. */
function nextStatuses(status: FulfillmentStatus): readonly FulfillmentStatus[] {
  if (status === 'cancelled') return steps.slice(0, 3);
  const at = steps.indexOf(status);
  const neighbours = [steps[at - 1], steps[at + 1]].filter((step) => step !== undefined);
  return status === 'completed' ? neighbours : [...neighbours, 'cancelled'];
}

/**
 * Returns an order moved to a status of its fulfillment; undefined if it already has the status. Throws `conflict` if
 * it has not been paid, or the status is more than one step away.
 */
export function moved(order: Order, status: FulfillmentStatus, now: number): Order | undefined {
  const { fulfillment } = order;
  if (order.status !== 'paid') throw new AppError('conflict', 'This order has not been paid.');
  if (fulfillment.status === status) return undefined;
  const allowed = nextStatuses(fulfillment.status);
  if (!allowed.includes(status)) {
    throw new AppError(
      'conflict',
      `The order is ${fulfillment.status} and cannot become ${status}.`,
      {
        hint: `It can become ${allowed.join(', ')}.`,
      },
    );
  }
  return { ...order, changedAt: now, fulfillment: { ...fulfillment, status } };
}
