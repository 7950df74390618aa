const decimals = 2;

/** A decimal number, exactly: a whole number of units of `10 ** -places`. */
interface Decimal {
  readonly units: bigint;
  readonly places: number;
}

/**
 * Returns what a quantity costs, in tenge: the exact decimal price times the quantity, rounded half up to two decimals.
 * Undefined if that is not a payable amount: 0, or too large to be exact to the tiyn.
 */
export function amountOf(price: number, quantity: number): number | undefined {
  if (!Number.isFinite(price) || price <= 0) return undefined;
  const { units, places } = decimalOf(price);
  const tiyns = Number(rounded({ units: units * BigInt(quantity), places }));
  if (tiyns <= 0 || !Number.isSafeInteger(tiyns)) return undefined;
  const amount = tiyns / 100;
  return Math.round(amount * 100) === tiyns ? amount : undefined;
}

/** Returns the exact sum of amounts, in tenge; undefined if it is too large to be exact to the tiyn. */
export function sumOf(amounts: readonly number[]): number | undefined {
  const tiyns = amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0);
  const sum = tiyns / 100;
  return Number.isSafeInteger(tiyns) && Math.round(sum * 100) === tiyns ? sum : undefined;
}

/** Returns true if two amounts are the same to the tiyn. */
export function isSameAmount(a: number, b: number): boolean {
  return Math.round(a * 100) === Math.round(b * 100);
}

function decimalOf(value: number): Decimal {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  const places = fraction.length - Number(exponent);
  const units = BigInt(whole + fraction);
  // A large number with an exponent has more digits than its text shows.
  return places < 0 ? { units: units * 10n ** BigInt(-places), places: 0 } : { units, places };
}

function rounded({ units, places }: Decimal): bigint {
  if (places <= decimals) return units * 10n ** BigInt(decimals - places);
  const unit = 10n ** BigInt(places - decimals);
  return (units + unit / 2n) / unit;
}
