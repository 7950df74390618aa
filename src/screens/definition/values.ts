import type { TableRowDefinition } from '#screen-definition';
import { trimEndOf } from '../../base/trim-end.js';

/** A cell as the definition has it, or undefined where the row has no such own property. */
export function cellOf(row: TableRowDefinition, key: string): unknown {
  const value = row[key];
  // What every object inherits are functions and __proto__: a text or number is the row's own.
  const inheritable = typeof value === 'object' || typeof value === 'function';
  return inheritable && !Object.hasOwn(row, key) ? undefined : value;
}

/** Up to here a row is asked for each key; beyond, the row's own keys are looked up. */
const fewKeys = 8;

/**
 * Visits the cells of some columns, row by row; rows without the cell are passed over. However many
 * columns there are, the work is that of the cells which the rows have.
 */
export function eachCell<T>(
  rows: readonly TableRowDefinition[],
  columns: ReadonlyMap<string, T>,
  visit: (cell: unknown, index: number, key: string, column: T) => void,
): void {
  if (columns.size === 0) return;
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index];
    if (row === undefined) continue;
    // What JSON.parse makes has no enumerable properties but its own.
    const keys = columns.size > fewKeys ? Object.keys(row) : columns.keys();
    for (const key of keys) {
      const column = columns.get(key);
      const cell = column === undefined ? undefined : cellOf(row, key);
      if (column !== undefined && cell !== undefined) visit(cell, index, key, column);
    }
  }
}

/** Columns by key; of several with the same key the first one. */
export function byKey<T extends { readonly key: string }>(
  columns: readonly T[],
): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  for (const column of columns) if (!found.has(column.key)) found.set(column.key, column);
  return found;
}

/** The deepest nesting of lists in a cell that becomes text. */
const deepestList = 8;

/** The plain text of a cell: nothing for null and objects, list items joined by commas. */
export function plainText(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (!Array.isArray(value) || depth === deepestList) return '';
  return value
    .map((item) => plainText(item, depth + 1))
    .filter(Boolean)
    .join(', ');
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
  const trimmed = trimEndOf(digits, '.,');
  const last = Math.max(trimmed.lastIndexOf('.'), trimmed.lastIndexOf(','));
  if (last < 0) return trimmed;
  const separator = trimmed.charAt(last);
  const repeats = trimmed.indexOf(separator) !== last;
  const groupsThousands = separator === ',' && /^-?[1-9]\d{0,2},\d{3}$/.test(trimmed);
  if (repeats || groupsThousands) return trimmed.replace(/[.,]/g, '');
  return `${trimmed.slice(0, last).replace(/[.,]/g, '')}.${trimmed.slice(last + 1)}`;
}

/** Days since 1970-01-01 of a date `YYYY-MM-DD` (a time may follow), or undefined where it is none. */
export function toDay(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const year = readDigits(value, 0, 4);
  const month = readDigits(value, 5, 7);
  const day = readDigits(value, 8, 10);
  if (value[4] !== '-' || value[7] !== '-' || !'T '.includes(value[10] ?? '')) return undefined;
  // Date.UTC rolls 31 February over, and reads years below 100 as 19xx.
  const exists = year >= 100 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  return exists ? Date.UTC(year, month - 1, day) / 86_400_000 : undefined;
}

/** The number that stands from one place of a text to another, or NaN where signs are no digits. */
function readDigits(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
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
