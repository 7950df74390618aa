import { AppError } from '../base/errors.js';

/** Returns the error for a product that cannot be bought; the message says why. */
export function notForSale(message: string): AppError {
  return new AppError('not_for_sale', message);
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
