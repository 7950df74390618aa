import type { TableRowDefinition } from '#screen-definition';
import { trimEndOf } from '../../base/trim-end.js';

/** Returns the value of a cell, or undefined if the row does not contain the key. */
export function cellOf(row: TableRowDefinition, key: string): unknown {
  return Object.hasOwn(row, key) ? row[key] : undefined;
}

/** Maximum number of columns that are looked up in each row. With more columns, the row's keys are used instead. */
const fewColumns = 8;

/** Visits the cells of the given columns, row by row. The cost depends on the number of cells, not of columns. */
export function eachCell<T>(
  rows: readonly TableRowDefinition[],
  columns: ReadonlyMap<string, T>,
  visit: (cell: unknown, index: number, key: string, column: T) => void,
): void {
  if (columns.size === 0) return;
  for (const [index, row] of rows.entries()) {
    const keys = columns.size > fewColumns ? Object.keys(row) : columns.keys();
    for (const key of keys) {
      const column = columns.get(key);
      const cell = column === undefined ? undefined : cellOf(row, key);
      if (column !== undefined && cell !== undefined) visit(cell, index, key, column);
    }
  }
}

/** Indexes columns by key. If several columns have the same key, the first one is used. */
export function byKey<T extends { readonly key: string }>(
  columns: readonly T[],
): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  for (const column of columns) if (!found.has(column.key)) found.set(column.key, column);
  return found;
}

/** Maximum nesting depth of lists in a cell that is converted to text. */
const deepestList = 8;

/** Returns the plain text of a cell. List items are joined by commas; null and objects become an empty text. */
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
 * Returns the number in a value, or undefined if there is none. For text, this is the first number in it, in formats
 * such as "1 200", "1,200.50", "1 234,5", "12 %", "$40" and "−3".
 */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const [, , digits] = wordedNumber.exec(value) ?? [];
  if (digits === undefined) return undefined;
  const number = Number(normaliseSeparators(digits.replace(/[−–]/u, '-').replace(/[\s']/gu, '')));
  return Number.isFinite(number) ? number : undefined;
}

/** Treats the last separator as the decimal point, unless it repeats or is a comma before exactly three digits. */
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

/** Converts a date `YYYY-MM-DD` (a time may follow) to days since 1970-01-01. Returns undefined for invalid dates. */
export function toDay(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d(?:[T ]|$)/.test(value)) return undefined;
  const year = Number(value.slice(0, 4));
  const month = Number(value.slice(5, 7));
  const day = Number(value.slice(8, 10));
  const time = Date.UTC(year, month - 1, day);
  // Date.UTC converts years below 100 to 19xx, and 31 February to a day in March.
  const exists = year >= 100 && month >= 1 && month <= 12 && new Date(time).getUTCDate() === day;
  return exists ? time / 86_400_000 : undefined;
}

/** Converts days since 1970-01-01 to a date `YYYY-MM-DD`. */
export function fromDay(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}
