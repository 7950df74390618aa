import type { RowDefinition } from './definition.js';

/** A cell as the definition has it, or undefined where the row has no such own property. */
export function cellOf(row: RowDefinition, key: string): unknown {
  return Object.hasOwn(row, key) ? row[key] : undefined;
}

/** The plain text of a cell: nothing for null and objects, list items joined by commas. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map(plainText).filter(Boolean).join(', ');
  return '';
}

const wordedNumber = /^([^\d]*?)([-−–]?\d[\d\s.,']*)(.*)$/su;

/**
 * The number that a value stands for, or undefined where a chart cannot draw it. Wordings count by
 * their first number: "1 200", "1,200.50", "1 234,5", "12 %", "$40", "−3".
 */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const [, , digits] = wordedNumber.exec(value) ?? [];
  if (digits === undefined) return undefined;
  const number = Number(normaliseSeparators(digits.replace(/[−–]/u, '-').replace(/[\s']/gu, '')));
  return Number.isFinite(number) ? number : undefined;
}

/** The last separator is the decimal one, unless it repeats or exactly three digits follow a comma. */
function normaliseSeparators(digits: string): string {
  const trimmed = digits.replace(/[.,]+$/, '');
  const last = Math.max(trimmed.lastIndexOf('.'), trimmed.lastIndexOf(','));
  if (last < 0) return trimmed;
  const separator = trimmed.charAt(last);
  const repeats = trimmed.indexOf(separator) !== last;
  const groupsThousands = separator === ',' && /^-?[1-9]\d{0,2},\d{3}$/.test(trimmed);
  if (repeats || groupsThousands) return trimmed.replace(/[.,]/g, '');
  return `${trimmed.slice(0, last).replace(/[.,]/g, '')}.${trimmed.slice(last + 1)}`;
}

const isoDate = /^(\d{4})-(\d{2})-(\d{2})/;

/** Days since 1970-01-01 of a date `YYYY-MM-DD` (a time may follow), or undefined where it is none. */
export function toDay(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const [found, year, month, day] = isoDate.exec(value) ?? [];
  if (found === undefined || (value.length > 10 && !/^[T ]/.test(value.slice(10))))
    return undefined;
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  // Date.UTC rolls 31 February over, and reads years below 100 as 19xx.
  if (y < 100 || m < 1 || m > 12 || d < 1 || d > daysIn(y, m)) return undefined;
  return Date.UTC(y, m - 1, d) / 86_400_000;
}

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (monthLengths[month - 1] ?? 0);
}

/** The date `YYYY-MM-DD` of a count of days since 1970-01-01. */
export function fromDay(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

/** A JSON Pointer from its steps. */
export function pointer(...steps: readonly (string | number)[]): string {
  return steps
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
