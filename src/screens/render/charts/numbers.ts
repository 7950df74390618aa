import { formatNumber, type Locale, say, type Values } from '../format.js';
import type { Words } from '../words/en.js';
import type { ChartItem } from './build.js';

/** Powers of ten that have short names in Unicode CLDR. */
const powers = [1e12, 1e9, 1e6, 1e3];
const shortWords: Readonly<Record<Locale, readonly string[]>> = {
  en: ['T', 'B', 'M', 'K'],
  ru: ['\u00a0трлн', '\u00a0млрд', '\u00a0млн', '\u00a0тыс.'],
  kk: ['\u00a0трлн', '\u00a0млрд', '\u00a0млн', '\u00a0мың'],
};

/** Minimum value at which a scale may use short names. */
const long = 1e5;
/** Numbers from `vast` on and below `minute` are readable only as powers of ten. */
const [vast, minute] = [1e15, 1e-4];

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Formats a number in full, or with a power of ten if JavaScript prints it with an exponent. */
export function formatValue(value: number, locale: Locale): string {
  const [mantissa = '', exponent] = String(value).split('e');
  if (exponent === undefined) return formatNumber(value, locale);
  return withPower(Number(mantissa), Number(exponent), locale);
}

/** Formats the labels of a scale in the shortest format in which they all differ. */
export function formatTicks(ticks: readonly number[], locale: Locale): readonly string[] {
  const highest = ticks.reduce((max, tick) => Math.max(max, Math.abs(tick)), 0);
  if (highest >= vast || (highest > 0 && highest < minute)) {
    const exponent = Math.floor(Math.log10(highest));
    return ticks.map((tick) => withPower(tick / 10 ** exponent, exponent, locale));
  }
  const full = ticks.map((tick) => formatNumber(tick, locale));
  if (highest < long) return full;
  const index = powers.findIndex((power) => highest >= power);
  const [unit = 1, word = ''] = [powers[index], shortWords[locale][index]];
  const short = ticks.map((tick) =>
    tick === 0 ? '0' : formatNumber(precise(tick / unit), locale) + word,
  );
  return areDifferent(short) && longestOf(short) < longestOf(full) ? short : full;
}

export function areDifferent(texts: readonly string[]): boolean {
  return new Set(texts).size === texts.length;
}

/** Formats a percentage as in Unicode CLDR: `63%`, or `63 %` in Russian. */
export function formatPercent(percent: number | string, locale: Locale): string {
  return `${percent}${locale === 'ru' ? '\u00a0%' : '%'}`;
}

/** Returns the length of the longest text, in characters. */
export function longestOf(texts: readonly string[]): number {
  return texts.reduce((max, { length }) => Math.max(max, length), 0);
}

function withPower(mantissa: number, exponent: number, locale: Locale): string {
  if (mantissa === 0) return '0';
  const digits = [...String(Math.abs(exponent))].map((digit) => superscripts[Number(digit)]);
  const times = locale === 'en' ? '×' : '·';
  const sign = exponent < 0 ? '⁻' : '';
  return `${formatNumber(precise(mantissa), locale)}${times}10${sign}${digits.join('')}`;
}

/** Drops the last digits, which are inexact in floating-point numbers. */
function precise(value: number): number {
  return Number(value.toPrecision(12));
}

/** A chart to describe in one sentence. */
interface Summarised {
  readonly title: string;
  readonly items: readonly ChartItem[];
  readonly unit?: string | undefined;
}

/** Returns the values for the sentence that describes a column or line chart. */
export function summaryValues(
  { title, items, unit }: Summarised,
  words: Pick<Words, 'withoutNumber'>,
  locale: Locale,
): Values {
  const numbers = items.filter(({ value }) => value !== undefined);
  const value = (item: ChartItem): number => item.value ?? 0;
  const lowest = numbers.reduce((a, b) => (value(b) < value(a) ? b : a), numbers[0] ?? none);
  const highest = numbers.reduce((a, b) => (value(b) > value(a) ? b : a), numbers[0] ?? none);
  const missing = items.length - numbers.length;
  return {
    title,
    count: items.length,
    first: items[0]?.label ?? '',
    last: items.at(-1)?.label ?? '',
    min: lowest.text,
    max: highest.text,
    unit: unit ? ` (${unit})` : '',
    gaps: missing > 0 ? say(words.withoutNumber, { n: missing }, locale) : '',
  };
}

const none: ChartItem = { label: '', value: undefined, text: '–' };
