import { type Locale, say, type Values } from '../format.js';
import type { Words } from '../words/en.js';
import type { ChartItem } from './build.js';

/** What a chart is, for the sentence that stands for it. */
export interface Summarised {
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
