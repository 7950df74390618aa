import { isolateDirection } from '../../base/text-direction.js';
import { fromDay } from '../definition/values.js';

/** Languages of the page's interface texts. */
export const locales = ['en', 'ru', 'kk'] as const;
export type Locale = (typeof locales)[number];

/** Formats a number. Unlike with Intl, the result does not depend on the version of Node.js. */
export function formatNumber(value: number, locale: Locale): string {
  const digits = String(Math.abs(value));
  const [whole = '', fraction] = Number.isInteger(value) ? [digits] : digits.split('.');
  if (whole.includes('e')) return String(value);
  let text = whole.slice(-3);
  for (let end = whole.length - 3; end > 0; end -= 3) {
    text = whole.slice(Math.max(0, end - 3), end) + (locale === 'en' ? ',' : '\u00a0') + text;
  }
  if (fraction) text += (locale === 'en' ? '.' : ',') + fraction;
  return value < 0 ? `−${text}` : text;
}

/** Formats a number for the locale. Returns text unchanged. */
export function formatQuantity(value: string | number | undefined, locale: Locale): string {
  return typeof value === 'number' ? formatNumber(value, locale) : (value ?? '');
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Formats days since 1970-01-01 as a date: "2 Jan 2026" or "02.01.2026". */
export function formatDay(day: number, locale: Locale): string {
  const [year = '', month = '', date = ''] = fromDay(day).split('-');
  if (locale !== 'en') return `${date}.${month}.${year}`;
  return `${Number(date)} ${months[Number(month) - 1]} ${year}`;
}

/** Formats a day without its year, for the axes of charts. */
export function formatShortDay(day: number, locale: Locale): string {
  const [, month = '', date = ''] = fromDay(day).split('-');
  if (locale !== 'en') return `${date}.${month}`;
  return `${Number(date)} ${months[Number(month) - 1]}`;
}

/** Returns the index of the plural form for a count: 0 for one, 1 for few, 2 for many. */
export function pluralForm(count: number, locale: Locale): 0 | 1 | 2 {
  if (locale === 'kk') return 0;
  if (locale === 'en') return count === 1 ? 0 : 1;
  const [tens, ones] = [count % 100, count % 10];
  if (ones === 1 && tens !== 11) return 0;
  return ones >= 2 && ones <= 4 && (tens < 12 || tens > 14) ? 1 : 2;
}

/** A text, or its plural forms. */
export type Forms = string | readonly string[];
export type Values = Readonly<Record<string, string | number>>;

/**
 * Selects the plural form for the value `n`, and replaces placeholders such as `{name}` with values, which keep their
 * text direction. If the plural form is missing, the last one is used.
 */
export function say(forms: Forms, values: Values, locale: Locale): string {
  const all = typeof forms === 'string' ? [forms] : forms;
  const count = typeof values.n === 'number' ? values.n : 0;
  const text = all[pluralForm(count, locale)] ?? all.at(-1) ?? '';
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (typeof value === 'number') return formatNumber(value, locale);
    return value === undefined ? whole : isolateDirection(value);
  });
}
