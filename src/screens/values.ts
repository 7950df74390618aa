import type { RowDefinition } from './definition.js';

/** A cell as the definition has it, or undefined where the row has no such own property. */
export function cellOf(row: RowDefinition, key: string): unknown {
  const value = row[key];
  // What every object inherits are functions and __proto__: a text or number is the row's own.
  const inheritable = typeof value === 'object' || typeof value === 'function';
  return inheritable && !Object.hasOwn(row, key) ? undefined : value;
}

/** Visits the cells of one column, from the first row on; rows without the cell are passed over. */
export function eachCell(
  rows: readonly RowDefinition[],
  key: string,
  visit: (cell: unknown, index: number) => void,
): void {
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index];
    const cell = row && cellOf(row, key);
    if (cell !== undefined) visit(cell, index);
  }
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

/** A JSON Pointer from its steps. */
export function pointer(...steps: readonly (string | number)[]): string {
  let path = '';
  for (const step of steps) path += `/${typeof step === 'number' ? step : escapeStep(step)}`;
  return path;
}

function escapeStep(step: string): string {
  return /[~/]/.test(step) ? step.replaceAll('~', '~0').replaceAll('/', '~1') : step;
}
