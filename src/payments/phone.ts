import { AppError } from '../base/errors.js';

const phonePattern = /^7\d{10}$/;

/** True for exactly `7` and ten digits, the form that the HTTP API and the provider take. */
export function isPhone(text: string): boolean {
  return phonePattern.test(text);
}

/**
 * The provider's form of a phone number as people write it: `+7 (701) 123-45-67`, `8701…`, `701…`.
 * Throws a `usage` error when it is none.
 */
export function normalisePhone(text: string): string {
  const digits = text.replace(/[\s()+.-]/g, '');
  const national = digits.length === 10 && digits.startsWith('7') ? `7${digits}` : digits;
  const phone = /^8\d{10}$/.test(national) ? `7${national.slice(1)}` : national;
  if (isPhone(phone)) return phone;
  throw new AppError('usage', `"${text}" is not a phone number.`, {
    hint: 'Write it as +7 701 123-45-67, 87011234567 or 77011234567.',
  });
}

/** The number with its middle hidden, for messages and logs: `+7 (701) ***-**-67`. */
export function maskPhone(phone: string): string {
  return isPhone(phone) ? `+7 (${phone.slice(1, 4)}) ***-**-${phone.slice(9)}` : '***';
}
