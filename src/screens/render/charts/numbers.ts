import { formatNumber, type Locale, say, type Values } from '../format.js';
import type { Words } from '../words/en.js';
import type { ChartItem } from './build.js';

/** Short words for powers of ten, as Unicode CLDR has them for each language. */
const shortWords: Readonly<Record<Locale, readonly (readonly [number, string])[]>> = {
  en: [
    [1e12, 'T'],
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'K'],
  ],
  ru: [
    [1e12, '\u00a0трлн'],
    [1e9, '\u00a0млрд'],
    [1e6, '\u00a0млн'],
    [1e3, '\u00a0тыс.'],
  ],
  kk: [
    [1e12, '\u00a0трлн'],
    [1e9, '\u00a0млрд'],
    [1e6, '\u00a0млн'],
    [1e3, '\u00a0мың'],
  ],
};

/** From here on a scale may be written with short words. */
const long = 1e5;
/** From here on, and below the other, only a power of ten can be read. */
const [vast, minute] = [1e15, 1e-4];

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** A number as it is read beside a chart: in full, and with a power of ten where JavaScript uses one. */
export function formatValue(value: number, locale: Locale): string {
  const [mantissa = '', exponent] = String(value).split('e');
  if (exponent === undefined) return formatNumber(value, locale);
  return withPower(Number(mantissa), Number(exponent), locale);
}

/** The labels of a scale: all in one form, the shortest one that tells them apart where there is one. */
export function formatTicks(ticks: readonly number[], locale: Locale): readonly string[] {
  const highest = ticks.reduce((most, tick) => Math.max(most, Math.abs(tick)), 0);
  if (highest >= vast || (highest > 0 && highest < minute)) {
    const exponent = Math.floor(Math.log10(highest));
    return ticks.map((tick) => withPower(tick / 10 ** exponent, exponent, locale));
  }
  const full = ticks.map((tick) => formatNumber(tick, locale));
  const [unit, word] = shortWords[locale].find(([least]) => highest >= least) ?? [];
  if (unit === undefined || word === undefined || highest < long) return full;
  const short = ticks.map((tick) =>
    tick === 0 ? '0' : formatNumber(precise(tick / unit), locale) + word,
  );
  return areDifferent(short) && longestOf(short) < longestOf(full) ? short : full;
}

export function areDifferent(texts: readonly string[]): boolean {
  return new Set(texts).size === texts.length;
}

/** Per cent with its sign where Unicode CLDR has it: `63%`, in Russian `63 %`. */
export function formatPercent(percent: number | string, locale: Locale): string {
  return `${percent}${locale === 'ru' ? '\u00a0%' : '%'}`;
}

/** Characters of the longest text. */
export function longestOf(texts: readonly string[]): number {
  return texts.reduce((most, { length }) => Math.max(most, length), 0);
}

function withPower(mantissa: number, exponent: number, locale: Locale): string {
  if (mantissa === 0) return '0';
  const digits = [...String(Math.abs(exponent))].map((digit) => superscripts[Number(digit)]);
  const times = locale === 'en' ? '×' : '·';
  const sign = exponent < 0 ? '⁻' : '';
  return `${formatNumber(precise(mantissa), locale)}${times}10${sign}${digits.join('')}`;
}

/** Without the last digits of a division that does not come out even in binary. */
function precise(value: number): number {
  return Number(value.toPrecision(12));
}

/** What a chart is, for the sentence that stands for it. */
interface Summarised {
  readonly title: string;
  readonly items: readonly ChartItem[];
  readonly unit?: string | undefined;
}

/** What the sentence that stands for a column or line chart says: from where to where, in what unit. */
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
