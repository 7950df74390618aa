import { escapeText } from '../../../base/html.js';
import { cellOf, plainText, toDay, toNumber } from '../../definition/values.js';
import type { ScreenColumn, ScreenRow } from '../../normalise/table.js';
import type { RenderContext } from '../context.js';
import { formatDay, formatNumber, type Locale } from '../format.js';
import { statusBadge } from './badge.js';

/** Returns the HTML of a cell, formatted for the type of its column. */
export function cellHtml(context: RenderContext, column: ScreenColumn, row: ScreenRow): string {
  const value = cellOf(row.cells, column.key);
  const text = plainText(value);
  if (text === '') return '';
  if (column.type === 'status') return statusBadge(context, text).text;
  if (column.type === 'num' && typeof value === 'number') {
    return escapeText(formatNumber(value, context.locale));
  }
  if (column.type === 'date') return dateHtml(context, text);
  if (column.values && column.values.length > 0) {
    return `<span class="tag">${escapeText(text)}</span>`;
  }
  return escapeText(text);
}

/** Returns the HTML of a date in the format of the locale. The time of day stays as written. */
function dateHtml({ locale, memo }: RenderContext, text: string): string {
  const known = memo.dates.get(text);
  if (known !== undefined) return known.html;
  const day = toDay(text);
  const drawn = drawDate(text, day, locale);
  memo.dates.set(text, { html: drawn, day });
  return drawn;
}

function drawDate(text: string, day: number | undefined, locale: Locale): string {
  if (day === undefined) return escapeText(text);
  const time = /^[T ](\d{2}:\d{2})/.exec(text.slice(10))?.[1];
  const shown = formatDay(day, locale) + (time ? `, ${time}` : '');
  return `<time datetime="${escapeText(text)}">${escapeText(shown)}</time>`;
}

/** Returns the sort value of a cell, or undefined to sort by text. `cellHtml` must have drawn the cell before. */
export function sortValue(
  { known, memo }: RenderContext,
  { type, key }: ScreenColumn,
  { cells }: ScreenRow,
): number | undefined {
  const value = cellOf(cells, key);
  if (type === 'num') return toNumber(value);
  if (type === 'date') return memo.dates.get(plainText(value))?.day;
  if (type !== 'status') return undefined;
  return known.statuses.get(value)?.position;
}

const startsLikeDate = /^\d{4}-\d{2}-\d{2}/;

/** Returns the HTML of a field, formatted for the type of its column. Without a column, only dates are formatted. */
export function fieldHtml(context: RenderContext, key: string, row: ScreenRow): string {
  const column = context.known.columns.get(key);
  if (column) return cellHtml(context, column, row);
  const text = plainText(cellOf(row.cells, key));
  return startsLikeDate.test(text) ? dateHtml(context, text) : escapeText(text);
}
