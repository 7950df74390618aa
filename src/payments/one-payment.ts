import { AppError } from '../base/errors.js';
import type { Payment } from './payment.js';

/**
 * The one payment that an id means, of those that are stored: `not_found` where there is none, `conflict`
 * where there are several, which providers number by organization and type.
 */
export function onePayment(found: readonly Payment[], id: string): Payment {
  const [payment, ...others] = found;
  if (payment && others.length === 0) return payment;
  if (!payment) {
    throw new AppError('not_found', `No payment ${id} is stored here.`, {
      hint: 'msgsite pay payments lists those that were made here.',
    });
  }
  const names = found.map(
    ({ type, organizationId }) => `${type} of organization ${organizationId}`,
  );
  const types = new Set(found.map(({ type }) => type));
  throw new AppError('conflict', `Several payments have the id ${id}: ${names.join(', ')}.`, {
    hint:
      types.size > 1
        ? 'Say which one is meant with --type qr or --type invoice.'
        : 'Sign in as a cashier of the organization that is meant: msgsite pay login.',
  });
}
