import { AppError } from '../base/errors.js';

/** The refusal of what cannot be bought; the message says why. */
export function notForSale(message: string): AppError {
  return new AppError('not_for_sale', message);
}

/** The refusal where nobody can take payments. */
export function unavailable(): AppError {
  return new AppError('payments_unavailable', 'Nobody can take payments here at the moment.', {
    hint: 'A cashier has to be signed in: msgsite pay login.',
  });
}

/** What a buyer hears where the provider makes no payment; what it answered is for the shop. */
export function refusedByProvider(cause: unknown): AppError {
  return new AppError('provider_error', 'The payment provider did not make a payment.', { cause });
}

/** Whether a failure says that the provider has made nothing. */
export function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.code === 'provider_error';
}
