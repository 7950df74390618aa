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
 * Digits, alone or in groups of three, optional decimals (one or two) and an optional currency. No sign, no exponent.
 */
const amountText =
  /^(\d{1,3}(?:[ \u00a0\u202f]\d{3})+|\d{1,15})(?:[.,](\d{1,2}))?(?:[ \u00a0\u202f]?(?:₸|тг|KZT))?$/;

/** Returns the tenge that a text says, such as `1500`, `1 500,5` or `1 500.50 ₸`; undefined if it says none clearly. */
export function tengeIn(text: string): number | undefined {
  const [, whole, decimals = ''] = amountText.exec(text) ?? [];
  return whole === undefined ? undefined : Number(`${whole.replace(/\D/g, '')}.${decimals}`);
}

/** Reads an amount that a person wrote. Throws a `usage` error for anything that is not clearly more than 0 tenge. */
export function readAmount(text: string): number {
  const amount = tengeIn(text.trim());
  if (amount !== undefined && isAmount(amount)) return amount;
  throw new AppError('usage', `"${text}" is not an amount of money.`, {
    hint: 'Write it in tenge, more than 0, with at most two decimals: 1500, 1 500 or 1500,50.',
  });
}
