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
