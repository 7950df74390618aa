import { AppError } from '../base/errors.js';

/**
 * True for an amount of money in tenge: finite, above 0, at most two decimals. What a double cannot
 * hold to the tiyn (above 9·10^13 tenge) is refused too.
 */
export function isAmount(amount: number): boolean {
  if (!Number.isFinite(amount) || amount <= 0) return false;
  const tiyns = Math.round(amount * 100);
  return tiyns > 0 && Number.isSafeInteger(tiyns) && tiyns / 100 === amount;
}

/** Whole tiyns (hundredths of a tenge) of an amount, so that sums are exact. */
export function toTiyns(amount: number): number {
  return Math.round(amount * 100);
}

/** Tenge of whole tiyns. */
export function fromTiyns(tiyns: number): number {
  return tiyns / 100;
}

/**
 * An amount as people write it: `1500`, `1 500`, `1500,50`, `1 500.5 ₸`. Throws a `usage` error for
 * anything else, also for more than two decimals, which would have to be rounded.
 */
export function readAmount(text: string): number {
  const digits = text.replace(/[\s_]|₸$/gu, '').replace(',', '.');
  const amount = /^\d+(\.\d{1,2})?$/.test(digits) ? Number(digits) : Number.NaN;
  if (isAmount(amount)) return amount;
  throw new AppError('usage', `"${text}" is not an amount of money.`, {
    hint: 'Write it in tenge, more than 0, with at most two decimals: 1500 or 1500,50.',
  });
}
