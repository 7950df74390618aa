import { existsSync } from 'node:fs';
import type { Constant, Value } from './bounds-code.js';

/** A bound as the page states it, and the constants with its value. */
export interface Row {
  readonly what: string;
  readonly bound: string;
  readonly constants: readonly Constant[];
}

/** The rows of every table that has the columns "bound" and "where". */
export function rowsOf(page: string, root: string): Row[] {
  const rows: Row[] = [];
  let isBounds = false;
  for (const line of page.split('\n')) {
    const cells = line.split('|').map((cell) => cell.trim());
    const [, what = '', bound = '', where = ''] = cells;
    if (!line.startsWith('|')) isBounds = false;
    else if (bound === 'bound' && where === 'where') isBounds = true;
    else if (isBounds && !/^-+$/.test(what)) {
      rows.push({ what, bound, constants: constantsIn(where, root) });
    }
  }
  return rows;
}

/** `a`, `b` in `file`; `c` in `another`. Files are in src/ or schemas/ unless they say otherwise. */
function constantsIn(where: string, root: string): Constant[] {
  return where.split(';').flatMap((part) => {
    const [names = '', place = ''] = part.split(' in ');
    const told = place.replaceAll('`', '').trim();
    const file = ['src/', 'schemas/', ''].map((folder) => folder + told).find(isIn(root));
    if (told === '' || file === undefined) throw new Error(`There is no file as in: ${part}`);
    return [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({ file, name }));
  });
}

const isIn = (root: string) => (file: string) => existsSync(`${root}/${file}`);

/** The values that one quantity of the page may have in the code: numbers, or amount, period and burst of a rule. */
type Quantity =
  | { readonly numbers: readonly number[] }
  | { readonly rule: readonly (number | undefined)[] };

const seconds: Readonly<Record<string, number>> = {
  ...{ ms: 0.001, s: 1, second: 1, minute: 60, minutes: 60, hour: 3_600, hours: 3_600 },
  ...{ day: 86_400, days: 86_400 },
};
const bytes: Readonly<Record<string, number>> = { KB: 1024, MB: 1024 ** 2, MiB: 1024 ** 2 };

const count = String.raw`\d+(?:,\d{3})*`;
const rule = `(${count}) (?:an?|in) (?:(${count}) )?(second|minute|hour|day)s?(?:, (${count}) at once)?`;
const measure = `(${count})(?: (${Object.keys({ ...seconds, ...bytes }).join('|')})\\b)?`;

/** Returns every quantity of a cell, in order: `30 s`, `1 MiB`, `10,000 characters`, `100 an hour, 30 at once`. */
function quantitiesIn(bound: string): Quantity[] {
  return [...bound.matchAll(new RegExp(`${rule}|${measure}`, 'g'))].map((match) => {
    const [, amount, periods, period, burst, plain, unit = ''] = match;
    if (amount === undefined) return { numbers: inUnits(numberOf(plain) ?? Number.NaN, unit) };
    const length = (numberOf(periods) ?? 1) * (seconds[period ?? ''] ?? Number.NaN);
    return { rule: [numberOf(amount), length, numberOf(burst)] };
  });
}

/** The code counts time in seconds or milliseconds, and sizes in bytes. */
function inUnits(value: number, unit: string): number[] {
  const length = seconds[unit];
  if (length === undefined) return [value * (bytes[unit] ?? 1)];
  return [value * length, value * length * 1000];
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text.replaceAll(',', ''));
}

/** Returns whether a cell matches the code: as many quantities, in order; one is enough with "each". */
export function agrees(bound: string, values: readonly Value[]): boolean {
  const told = quantitiesIn(bound);
  const isOfEach = told.length === 1 && bound.endsWith(' each');
  if (!isOfEach && told.length !== values.length) return false;
  return values.every((value, index) => says(told[isOfEach ? 0 : index], value));
}

function says(told: Quantity | undefined, value: Value): boolean {
  if (told === undefined) return false;
  if ('numbers' in told) return typeof value === 'number' && told.numbers.includes(value);
  if (typeof value === 'number') return false;
  const { amount, periodSeconds, burst } = value;
  return [amount, periodSeconds, burst].every((part, index) => part === told.rule[index]);
}
