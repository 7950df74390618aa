import type { Words } from '../words/en.js';

/**
 * Charts are written once and drawn twice: the server builds text from them, the page script elements
 * (when a filter changes what is counted). `T` is what a builder makes.
 */
export type Build<T> = (
  tag: string,
  attributes: Readonly<Record<string, string | number>>,
  ...children: readonly (T | string)[]
) => T;

/** One bar or point of a chart. */
export interface ChartItem {
  readonly label: string;
  /** What is drawn; nothing where it is undefined. */
  readonly value: number | undefined;
  /** The value as it is read. */
  readonly text: string;
  readonly tone?: string | undefined;
  /** Further lines of a hint, ready to show. */
  readonly hint?: readonly string[];
}

/** What a chart with an axis is drawn with, besides its items. */
export interface ChartSetting {
  /** The text equivalent in one sentence. */
  readonly summary: string;
  /** Colour class of the drawing. */
  readonly color: string;
  readonly words: Words['chart'];
}

/** A number with at most two decimals, for attributes. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The length of a lying bar beside the longest one. */
export function lyingWidth(value: number, highest: number): string {
  return `${round((Math.max(0, value) / (highest || 1)) * 100)}%`;
}

/** The numbers behind a chart as a table that everyone can open. */
export function dataTable<T>(
  build: Build<T>,
  items: readonly ChartItem[],
  words: Words['chart'],
): T {
  const hints = items.some(({ hint = [] }) => hint.length > 0);
  const head = [words.label, words.value, ...(hints ? [words.note] : [])];
  const titles = head.map((text) => build('th', { scope: 'col' }, text));
  const rows = items.map((item) => dataRow(build, item, hints));
  const thead = build('thead', {}, build('tr', {}, ...titles));
  const table = build('table', {}, thead, build('tbody', {}, ...rows));
  return build('details', { class: 'chart-data' }, build('summary', {}, words.chartData), table);
}

function dataRow<T>(build: Build<T>, { label, text, hint = [] }: ChartItem, hints: boolean): T {
  const cells = [build('th', { scope: 'row' }, label || '–'), build('td', {}, text)];
  if (hints) cells.push(build('td', {}, ...hint.map((line) => build('div', {}, line))));
  return build('tr', {}, ...cells);
}

/** The values at the foot and the top of a plot. */
export interface ChartScale {
  readonly low: number;
  readonly high: number;
}

/** A scale that contains zero and ends on a round number. */
export function scaleOf(items: readonly Pick<ChartItem, 'value'>[]): ChartScale {
  let [low, high] = [0, 0];
  for (const { value = 0 } of items) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return { low: -roundUp(-low), high: low === 0 && high === 0 ? 1 : roundUp(high) };
}

function roundUp(value: number): number {
  if (value <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((factor) => value <= factor * power) ?? 10;
  return Number((step * power).toPrecision(3));
}
