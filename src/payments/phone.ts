import { AppError } from '../base/errors.js';
import { isKazakhPhone, readKazakhPhone } from '../base/phones.js';

/**
 * Converts a phone number that a person entered to the provider's form: `+7 (701) 123-45-67`, `8701…`, `701…`.
 * Throws `usage` if it is invalid.
 */
export function normalisePhone(text: string): string {
  const phone = readKazakhPhone(text);
  if (phone !== undefined) return phone;
  throw new AppError('usage', `"${text}" is not a valid phone number.`, {
    hint: 'Enter it as +7 701 123-45-67, 87011234567 or 77011234567.',
  });
}

/** Masks a phone number for messages and logs: `+7 (701) ***-**-67`. */
export function maskPhone(phone: string): string {
  return isKazakhPhone(phone) ? `+7 (${phone.slice(1, 4)}) ***-**-${phone.slice(9)}` : '***';
}
