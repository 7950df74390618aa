import { styles } from '#screen-assets';
import type { ScreenColumn, ScreenTable } from '../normalise/table.js';

/** What every page is made of. */
const common = ['base', 'labels', 'frame', 'dialogs', 'form'] as const;

/** What only some pages have, in the order of the cascade: each a file in assets/. */
const optional = [
  'nav',
  'user',
  'author',
  'columns',
  'prose',
  'fields',
  'metrics',
  'banner',
  'scenario',
  'variants',
  'list',
  'tabs',
  'segments',
  'sort',
  'pager',
  'attachments',
  'drawer',
  'documents',
  'conclusion',
  'onboarding',
  'chart',
  'series',
  'bars',
  'line-chart',
  'donut',
  'aligned',
  'chat',
  'notices',
  'stepper',
  'feed',
  'split',
  'panes',
  'analytics',
  'calendar',
  'copilot',
  'custom',
  'dashboard',
  'document',
  'map',
  'timeline',
  'wizard',
] as const;

/** What has styles of its own on paper as well, or (a broad table) there alone: files `print-…` in assets/. */
const onPaper = ['drawer', 'panes', 'calendar', 'wizard', 'broad'] as const;

/** A block's own styles. */
export type StylePart = (typeof optional)[number] | (typeof onPaper)[number];

/** The styles of a page that has been drawn: those of the blocks in it. */
export function pageStyle(
  parts: ReadonlySet<StylePart>,
  table: ScreenTable | undefined,
  theme: 'light' | 'dark' | undefined,
): string {
  const used = [...common, ...optional.filter((part) => parts.has(part))];
  const layered =
    used.map((part) => styles[part]).join('') +
    tableStyles(table?.columns ?? []) +
    pageOfRows(table);
  const printed = onPaper.filter((part) => parts.has(part)).map((part) => styles[`print-${part}`]);
  // Tokens are only declared; what `media` and `print` say wins over every block, so they stand outside the layer.
  return `${styles.tokens}${theme ? styles.theme : ''}@layer page{${layered}}${styles.media}${styles.print}${printed.join('')}`;
}

/** Below this width (in CSS pixels) a row stands as a block of labelled lines. */
const narrow = 600;

/** What is said of whole columns: alignment, figures, widths, and the labels of cells in a narrow window. */
function tableStyles(columns: readonly ScreenColumn[]): string {
  if (columns.length === 0) return '';
  const labels = columns.map(
    ({ label, key }, index) => `${cellsOf(index)}:before{content:${cssString(label || key)}}`,
  );
  return [
    ...columns.flatMap(({ width }, index) => (width ? `.w${index}{width:${width}}` : [])),
    rule(columns, isFigures, 'font-variant-numeric:tabular-nums'),
    `@media screen{${rule(columns, isFigures, 'white-space:nowrap')}}`,
    `@media(max-width:${narrow}px){${labels.join('')}}`,
    `@media(min-width:${narrow + 0.02}px){${rule(columns, ({ align }) => align === 'right', 'text-align:right')}}`,
  ].join('');
}

/**
 * Rows behind the first page are not laid out while the page loads and its script, which takes them out, is
 * still to come: of 100,000 rows that took half a minute. On paper all are there.
 */
function pageOfRows(table: ScreenTable | undefined): string {
  if (!table?.paged) return '';
  const later = `[data-rows]>:nth-child(n+${table.pageSize + 1})`;
  return `@media screen and (scripting:enabled){${later}{display:none}}`;
}

/** Columns whose digits have one width, so that they can be compared down the column. */
const isFigures = ({ type }: ScreenColumn): boolean => type === 'num' || type === 'date';

/** One rule for the head and the cells of every column that qualifies. */
function rule(
  columns: readonly ScreenColumn[],
  qualifies: (column: ScreenColumn) => boolean,
  style: string,
): string {
  const cells = columns.flatMap((column, index) => (qualifies(column) ? cellsOf(index) : []));
  return cells.length > 0 ? `${cells.join()}{${style}}` : '';
}

function cellsOf(index: number): string {
  return `.rows tr>:nth-child(${index + 1})`;
}

/** A CSS string: everything but plain letters, digits and spaces is written as its code point. */
function cssString(text: string): string {
  const escaped = text.replace(
    /[^\p{L}\p{N} ]/gu,
    (char) => `\\${(char.codePointAt(0) ?? 0xfffd).toString(16)} `,
  );
  return `"${escaped}"`;
}
