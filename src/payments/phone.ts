import { AppError } from '../base/errors.js';

const phonePattern = /^7\d{10}$/;

/** Returns true for `7` followed by exactly ten digits, the form that the HTTP API and the provider use. */
export function isPhone(text: string): boolean {
  return phonePattern.test(text);
}

/**
 * Converts a phone number that a person entered to the provider's form: `+7 (701) 123-45-67`, `8701…`, `701…`.
 * Throws `usage` if it is invalid.
 */
export function normalisePhone(text: string): string {
  const digits = text.replace(/[\s()+.-]/g, '');
  const national = digits.length === 10 && digits.startsWith('7') ? `7${digits}` : digits;
  const phone = /^8\d{10}$/.test(national) ? `7${national.slice(1)}` : national;
  if (isPhone(phone)) return phone;
  throw new AppError('usage', `"${text}" is not a valid phone number.`, {
    hint: 'Enter it as +7 701 123-45-67, 87011234567 or 77011234567.',
  });
}

/** Masks a phone number for messages and logs: `+7 (701) ***-**-67`. */
export function maskPhone(phone: string): string {
  return isPhone(phone) ? `+7 (${phone.slice(1, 4)}) ***-**-${phone.slice(9)}` : '***';
}
