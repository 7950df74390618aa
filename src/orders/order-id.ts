import { randomBytes } from 'node:crypto';

/** Letters and digits that are told apart on paper and over the phone (those of Crockford's base 32). */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** Characters of an id: 110 bits, which nobody guesses. */
const length = 22;

/** A new order's id. */
export function newOrderId(): string {
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('');
}
