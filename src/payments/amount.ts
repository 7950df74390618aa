import { AppError } from '../base/errors.js';

/**
 * Returns true for a valid amount in tenge: above 0, with at most two decimals, and small enough (9·10^13 tenge) for a
 * double to represent every tiyn exactly.
 */
export function isAmount(amount: number): boolean {
  if (!Number.isFinite(amount) || amount <= 0) return false;
  const tiyns = Math.round(amount * 100);
  return tiyns > 0 && Number.isSafeInteger(tiyns) && tiyns / 100 === amount;
}

/** Converts tenge to whole tiyns (hundredths of a tenge), so that sums are exact. */
export function toTiyns(amount: number): number {
  return Math.round(amount * 100);
}

/** Converts whole tiyns to tenge. */
export function fromTiyns(tiyns: number): number {
  return tiyns / 100;
}

/** Digits, optionally in groups of three, with up to two decimals and an optional currency. */
const amountText =
  /^(\d{1,3}(?:[ \u00a0\u202f]\d{3})+|\d{1,15})(?:[.,](\d{1,2}))?(?:[ \u00a0\u202f]?(?:₸|тг|KZT))?$/;

/** Parses an amount in tenge, such as `1500`, `1 500,5` or `1 500.50 ₸`. Returns undefined if the text is ambiguous. */
export function tengeIn(text: string): number | undefined {
  const [, whole, decimals = ''] = amountText.exec(text) ?? [];
  return whole === undefined ? undefined : Number(`${whole.replace(/\D/g, '')}.${decimals}`);
}

/** Parses an amount that a person entered. Throws `usage` if it is ambiguous or not a valid amount. */
export function readAmount(text: string): number {
  const amount = tengeIn(text.trim());
  if (amount !== undefined && isAmount(amount)) return amount;
  throw new AppError('usage', `"${text}" is not a valid amount.`, {
    hint: 'Enter an amount above 0 tenge with at most two decimals, such as 1500, 1 500 or 1500,50.',
  });
}
