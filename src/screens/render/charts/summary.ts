import { type Forms, type Locale, say, type Values } from '../format.js';
import type { Words } from '../words/en.js';
import type { ChartItem } from './build.js';

/** What a chart is, for the sentence that stands for it. */
export interface Summarised {
  readonly title: string;
  readonly items: readonly ChartItem[];
  readonly unit?: string | undefined;
}

/** A column or line chart in one sentence: how many points, from where to where, and in what unit. */
export function summarise(
  kind: 'columns' | 'line',
  { title, items, unit }: Summarised,
  words: Words['chart'],
  locale: Locale,
): string {
  const numbers = items.filter(({ value }) => value !== undefined);
  const value = (item: ChartItem): number => item.value ?? 0;
  const lowest = numbers.reduce((a, b) => (value(b) < value(a) ? b : a), numbers[0] ?? none);
  const highest = numbers.reduce((a, b) => (value(b) > value(a) ? b : a), numbers[0] ?? none);
  const fill = (forms: Forms, values: Values): string => say(forms, values, locale);
  const values = {
    title,
    count: items.length,
    first: items[0]?.label ?? '',
    last: items.at(-1)?.label ?? '',
    min: lowest.text,
    max: highest.text,
    unit: unit ? ` (${unit})` : '',
  };
  const missing = items.length - numbers.length;
  const gaps = missing > 0 ? ` ${fill(words.withoutNumber, { n: missing })}` : '';
  return `${fill(words[kind], values)}${gaps} ${words.dataBelow}`;
}

const none: ChartItem = { label: '', value: undefined, text: '–' };
