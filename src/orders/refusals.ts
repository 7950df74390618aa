import { AppError } from '../base/errors.js';
import type { Order } from './order.js';

/** Returns the error for the ordered item at `index` that cannot be bought. */
export function notForSale(index: number, message: string): AppError {
  const details = [{ path: `/items/${index}`, message }];
  return new AppError('not_for_sale', message, { details });
}

/** Returns the error for an order that would cost a different amount than the customer was shown, with that amount. */
export function changedPrice(order: Pick<Order, 'items' | 'deliveryPrice' | 'amount'>): AppError {
  return new AppError('changed', 'The order now costs a different amount.', {
    hint: 'Show the new amount, and order again if the customer agrees.',
    fields: order,
  });
}

/** Returns the error when no cashier can take payments. */
export function unavailable(): AppError {
  return new AppError('payments_unavailable', 'Payments cannot be taken at the moment.', {
    hint: 'Sign in a cashier: msgsite pay login.',
  });
}

/** Returns the buyer's error when the provider refuses a payment; its answer is only for the shop. */
export function refusedByProvider(cause: unknown): AppError {
  return new AppError('provider_error', 'The payment provider did not create the payment.', {
    cause,
  });
}

/** Returns true if an error means that the provider created nothing. */
export function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.code === 'provider_error';
}
