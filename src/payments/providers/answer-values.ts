import { isObject } from '../../json/pointers.js';
import { isAmount, tengeIn } from '../amount.js';
import { type ProviderAnswer, ProviderError } from './provider.js';

/** An object in an answer. */
export type Data = Readonly<Record<string, unknown>>;

/** Returns the answer's `Data` if it is an object; an empty object otherwise. */
export function dataOf({ Data }: ProviderAnswer): Data {
  return isObject(Data) ? Data : {};
}

/** Returns non-empty text, or a number (such as an order number) as text; null for anything else. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Returns a number, even if it is written as text (`"1500.50"`); null for anything else. */
function numberOf(value: unknown): number | null {
  const isText = typeof value === 'string' && /^-?\d{1,30}(\.\d{1,20})?$/.test(value);
  const number = isText || typeof value === 'bigint' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** The reason why an amount in an answer cannot be compared with the ordered amount. */
export type AmountFault = 'unreadable_amount' | 'other_currency';

/** An amount of money in an answer. */
export interface AnsweredAmount {
  /** Tenge; null if the amount is missing, unreadable or in a different currency. */
  readonly amount: number | null;
  /** Set if the answer contains an amount that is unreadable or in a different currency. */
  readonly amountFault?: AmountFault;
}

const tenge = new Set<unknown>([undefined, null, 'KZT', '398', 398, '₸']);

/**
 * Reads the first of these properties that is present as an amount in tenge. A value that is not an amount, has more
 * than two decimals, or is in a different currency is a fault, not a missing amount.
 */
export function amountIn(data: Data, names: readonly string[] = ['Amount']): AnsweredAmount {
  if (!tenge.has(data.Currency)) return { amount: null, amountFault: 'other_currency' };
  const value = names.map((name) => data[name]).find((each) => each !== undefined && each !== null);
  if (value === undefined) return { amount: null };
  const amount = amountOf(value);
  return amount === null ? { amount, amountFault: 'unreadable_amount' } : { amount };
}

function amountOf(value: unknown): number | null {
  if (typeof value === 'bigint') return amountOf(Number(value));
  if (typeof value === 'number') return value === 0 || isAmount(Math.abs(value)) ? value : null;
  return typeof value === 'string' ? amountOf(tengeIn(value)) : null;
}

/** Returns a whole number that a double represents exactly; null for anything else. */
export function wholeNumberOf(value: unknown): number | null {
  const number = numberOf(value);
  return number !== null && Number.isSafeInteger(number) ? number : null;
}

/** Returns an operation's ID without leading zeros. IDs are numbers, so `0101` and 101 identify the same operation. */
export function canonicalId(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}

/**
 * Returns an operation's ID as at most 30 digits without leading zeros, regardless of the provider's notation. Returns
 * null for a value that is not a whole number, is negative, or was rounded (a double above 2^53).
 */
export function operationIdOf(value: unknown): string | null {
  const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value);
  const digits = isWhole ? String(value) : value;
  return typeof digits === 'string' && /^\d{1,30}$/.test(digits) ? canonicalId(digits) : null;
}

/**
 * Returns an ID in digits. If it is not a number, returns it as the provider wrote it, so that it does not match any
 * operation.
 */
export function anyIdOf(value: unknown): string | null {
  return operationIdOf(value) ?? textOf(value);
}

/** The names that providers use for an operation's ID, in order of precedence. */
export const idNames = {
  qr: ['QrOperationId', 'Id', 'OperationId'],
  invoice: ['Id', 'QrOperationId', 'OperationId'],
} as const;

/** Returns the ID in an answer that differs from the known one; null if there is none. */
export function otherIdIn(data: Data, id: string | null): string | null {
  const known = operationIdOf(id);
  if (known === null) return null;
  const ids = [data.QrOperationId, data.Id].map(operationIdOf);
  return ids.find((each) => each !== null && each !== known) ?? null;
}

/** Returns the first of these properties that has a value. */
export function firstOf(data: Data, names: readonly string[]): unknown {
  for (const name of names) {
    const value = data[name];
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return undefined;
}

/**
 * Returns the error for an unusable answer, after which the outcome of the call is unknown. Omit the answer of a
 * sign-in, because it may contain a secret.
 */
export function incomplete(missing: string, answer?: ProviderAnswer): ProviderError {
  return new ProviderError('failure', `The provider's answer lacks ${missing}.`, { answer });
}
