import { styles } from '#screen-assets';
import type { ScreenColumn, ScreenTable } from '../normalise/table.js';
import { labelWidths } from './archetypes/map-places.js';
import { widths } from './charts/axis.js';

/** Styles that are part of every page. */
const common = ['base', 'labels', 'frame', 'dialogs', 'form'] as const;

/** Optional styles, in cascade order. Each one is a file in assets/. */
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

/** Parts with print styles, which are files named `print-…` in assets/. `broad` has only print styles. */
const onPaper = ['drawer', 'panes', 'calendar', 'wizard', 'broad'] as const;

export type StylePart = (typeof optional)[number] | (typeof onPaper)[number];

/**
 * Rules that depend on the width of a drawing. Axis labels are shown in a range of widths. A map label is shown if the
 * drawing is wide enough for it; otherwise, readers find the point in the list by its number.
 */
const byWidth: Readonly<Partial<Record<string, string>>> = {
  chart: widths
    .map(
      (width, index) =>
        `@container(width<${width}px){.from-${index}{display:none}}@container(width>=${width}px){.to-${index}{display:none}}`,
    )
    .join(''),
  map: labelWidths
    .map((width, index) => `@container(min-width:${width}em){.fits-${index}{display:inline}}`)
    .join(''),
};

/** Returns the styles of a page: the common styles and the styles of its blocks. */
export function pageStyle(
  parts: ReadonlySet<StylePart>,
  table: ScreenTable | undefined,
  theme: 'light' | 'dark' | undefined,
): string {
  const used = [...common, ...optional.filter((part) => parts.has(part))];
  const layered =
    used.map((part) => `${styles[part]}${byWidth[part] ?? ''}`).join('') +
    tableStyles(table?.columns ?? []) +
    pageOfRows(table);
  const printed = onPaper.filter((part) => parts.has(part)).map((part) => styles[`print-${part}`]);
  // `media` and `print` override the styles of every block, so they are outside the layer, like the tokens.
  return `${styles.tokens}${theme ? styles.theme : ''}@layer page{${layered}}${styles.media}${styles.print}${printed.join('')}`;
}

/** Maximum width of a window that shows rows as blocks of labelled lines, in CSS pixels. */
const narrow = 600;

/** Returns the styles of columns: alignment, digits, widths, and the cell labels in a narrow window. */
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
 * Hides the rows after the first page until the page script has removed them, because the layout of 100,000 rows took
 * half a minute. All rows are printed.
 */
function pageOfRows(table: ScreenTable | undefined): string {
  if (!table?.paged) return '';
  const later = `[data-rows]>:nth-child(n+${table.pageSize + 1})`;
  return `@media screen and (scripting:enabled){${later}{display:none}}`;
}

/** Returns true for columns whose digits have equal width, which makes the numbers easier to compare. */
const isFigures = ({ type }: ScreenColumn): boolean => type === 'num' || type === 'date';

/** Returns one rule for the headers and cells of all columns that qualify. */
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

/** Returns a CSS string. All characters except letters, digits and spaces are escaped. */
function cssString(text: string): string {
  const escaped = text.replace(
    /[^\p{L}\p{N} ]/gu,
    (char) => `\\${(char.codePointAt(0) ?? 0xfffd).toString(16)} `,
  );
  return `"${escaped}"`;
}
