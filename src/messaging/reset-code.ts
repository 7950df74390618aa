import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { User } from './model.js';

/** Letters and digits that nobody takes for one another: without 0, O, 1, I and L. */
const characters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

/** 31 to the power of this is about 2 to the power of 59: far more than an hour of guesses. */
const length = 12;

/** Milliseconds for which a reset code is valid. @bound */
export const resetCodeLife = 3_600_000;

/** A new code for one use: 12 letters and digits. */
export function makeResetCode(): string {
  return Array.from({ length }, () => characters[randomInt(characters.length)]).join('');
}

/** What is stored of a code. Its case, blanks and hyphens do not matter. */
export function hashResetCode(code: string): string {
  const bare = code.replace(/[\s\p{Pd}]/gu, '').toUpperCase();
  return createHash('sha256').update(bare).digest('hex');
}

/** Whether this is the code of a user that counts at a time (milliseconds); in the same time for every other one. */
export function isResetCode(code: string, reset: User['reset'], now: number): boolean {
  const given = Buffer.from(hashResetCode(code));
  // Compared with something in any case: that there is no code is not to be seen by the time.
  const expected = Buffer.from(reset?.hash.padEnd(given.length).slice(0, given.length) ?? noCode);
  return timingSafeEqual(given, expected) && reset !== undefined && reset.expires > now;
}

/** As long as a hash, and the hash of nothing. */
const noCode = '-'.repeat(64);
