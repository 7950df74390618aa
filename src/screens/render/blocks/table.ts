import { drawEach, escapeText, type Html, html, trusted } from '../../../base/html.js';
import { cellOf, plainText } from '../../definition/values.js';
import type { ScreenColumn, ScreenRow, ScreenTable } from '../../normalise/table.js';
import { isVisible, type RenderContext, rowTitle } from '../context.js';
import { cellHtml, sortValue } from './cells.js';
import { rowFields } from './row-details.js';
import { rangeFilter } from './summary-chart.js';

/** Maximum number of columns in a table that is printed in portrait. Larger tables are printed in landscape. */
const maxAcross = 8;

/** Draws the list with its filters and pager. Returns nothing if the screen has no table. */
export function tableBlock(context: RenderContext): Html {
  const { screen, words, at, ownLang, styles } = context;
  const { table } = screen;
  if (!table) return html``;
  styles.add('list');
  const broad = table.columns.length > maxAcross && ' broad';
  if (broad) styles.add('broad');
  return html`<section class="card list${broad}" id="list"${at('/table')}>
<h2 id="list-title" class="vh"${ownLang}>${words.table}</h2>
${listBar(context, orderChoice(context))}
<div class="scroll" role="region" tabindex="0" aria-labelledby="list-title"><table class="rows">
${tableHead(context, table)}<tbody data-rows="table">${tableRows(context, table)}</tbody></table></div>
${emptyText(context, table.rows.length)}
${pager(context)}</section>`;
}

/** Draws the bar above the list: the common filters, `more`, and the number of results. */
export function listBar(context: RenderContext, more = html``): Html {
  const { ownLang } = context;
  return html`<div class="list-bar">${statusFilter(context)}${rangeFilter(context)}${more}<p class="found" role="status"${ownLang}></p></div>`;
}

/** Draws the sort selection for windows that are too narrow for column headers. The page script adds the options. */
function orderChoice({ screen, words, ownLang }: RenderContext): Html {
  if (!screen.table?.columns.some(({ sortable }) => sortable)) return html``;
  return html`<label class="sort-by js-only"${ownLang}><span>${words.sortBy}</span><select></select></label>`;
}

function statusFilter({ screen, words, at, ownLang, sprite, styles }: RenderContext): Html {
  const { table } = screen;
  if (!table || table.filters.length === 0) return html``;
  styles.add('tabs');
  const tabs = table.filters.map(({ status, count }) => {
    const mark = html`<span class="mark t-${status.tone}">${sprite.icon(status.tone)}</span>`;
    return html`<button type="button" data-filter="${status.key}" aria-pressed="false"${at('/statuses', status.key)}>${mark}${status.label || status.key}<span class="number">${count}</span></button>`;
  });
  return html`<div class="tabs js-only" role="group" aria-label="${words.filterByStatus}"${at('/statuses')}><button type="button" data-filter="" aria-pressed="true"><span${ownLang}>${words.all}</span><span class="number">${table.rows.length}</span></button>${tabs}</div>`;
}

/** Draws the text for an empty list, or the text that the page script shows if a search or filter has no results. */
export function emptyText({ words, ownLang }: RenderContext, rows: number): Html {
  if (rows === 0) return html`<p class="empty"${ownLang}>${words.empty}</p>`;
  return html`<div class="empty" hidden${ownLang}><p>${words.noMatches}</p><button type="button" class="button" data-reset>${words.reset}</button></div>`;
}

/** Draws the pager if the rows do not fit on one page. */
export function pager({ screen, words, sprite, ownLang, styles }: RenderContext): Html {
  if (!screen.table?.paged) return html``;
  styles.add('pager');
  return html`<nav class="pager js-only" aria-label="${words.pages}"${ownLang}><span class="shown"></span><button type="button" class="button icon-button" data-page="-1" aria-label="${words.previous}">${sprite.icon('chevron-left')}</button><button type="button" class="button icon-button" data-page="1" aria-label="${words.next}">${sprite.icon('chevron-right')}</button></nav>`;
}

function tableHead({ at, sprite, styles }: RenderContext, { columns }: ScreenTable): Html {
  if (columns.some(({ sortable }) => sortable)) styles.add('sort');
  const cells = columns.map(({ label, key, sortable, type }, index) => {
    const pointer = at('/table', 'columns', index);
    if (!sortable) return html`<th scope="col"${pointer}>${label || key}</th>`;
    return html`<th scope="col" aria-sort="none"${pointer}><button type="button" class="sort" data-sort="${index}" data-type="${type}">${label || key}${sprite.icon('sort')}</button></th>`;
  });
  const widths = columns.some(({ width }) => width !== undefined)
    ? html`<colgroup>${columns.map((_, index) => html`<col class="w${index}">`)}</colgroup>`
    : '';
  return html`${widths}<thead><tr>${cells}</tr></thead>`;
}

function tableRows(context: RenderContext, table: ScreenTable): Html {
  return drawEach(table.rows, rowDrawer(context, table));
}

/**
 * Returns a function that draws a row as text. There may be thousands of cells, and a template for each one would be
 * slow. The end tags of cells and rows are optional in HTML.
 */
function rowDrawer(context: RenderContext, table: ScreenTable): (row: ScreenRow) => string {
  const { preview, known } = context;
  const opener = openerOf(context, table);
  return (row) => {
    const dim = known.statuses.get(row.status)?.dim ? ' class="dim"' : '';
    let text = `<tr${rowAttributes(context, row)}${dim}${preview ? context.at('/table', 'rows', row.index).text : ''}>`;
    for (const [index, column] of table.columns.entries()) {
      text += `<td${cell(context, column, row, index === opener)}`;
    }
    return text;
  };
}

/** Returns the index of the column whose cells open their rows. */
export function openerOf({ screen }: RenderContext, { columns }: ScreenTable): number {
  return Math.max(
    0,
    columns.findIndex(({ key }) => key === screen.drawer.titleKey),
  );
}

/** Returns the row attributes that the page script reads: index, status, group and day. */
export function rowAttributes({ counting }: RenderContext, row: ScreenRow): string {
  const { byStatus, groupOf, dayOf } = counting;
  const [group, day] = [byStatus ? undefined : groupOf(row), dayOf(row)];
  return (
    ` data-row="${row.index}"` +
    (row.status === undefined ? '' : ` data-status="${escapeText(row.status)}"`) +
    (group === undefined ? '' : ` data-group="${group}"`) +
    (day === undefined ? '' : ` data-day="${day}"`)
  );
}

/** Returns the markup of a cell after `<td`. */
function cell(
  context: RenderContext,
  column: ScreenColumn,
  row: ScreenRow,
  opens: boolean,
): string {
  let content = cellHtml(context, column, row);
  const long = isLong(column, content) ? ' class="long"' : '';
  if (opens) {
    const named = isVisible(plainText(cellOf(row.cells, column.key)));
    const title = named ? content : escapeText(rowTitle(context, row));
    content = `<a class="open" href="#row-${row.index}"${named ? '' : ' data-unnamed'}>${title}</a>`;
  }
  if (column.sub !== undefined) {
    const sub = plainText(cellOf(row.cells, column.sub));
    if (sub) content += `<div class="sub">${escapeText(sub)}</div>`;
  }
  const value = column.sortable ? sortValue(context, column, row) : undefined;
  return value === undefined ? `${long}>${content}` : `${long} data-v="${value}">${content}`;
}

/** Maximum length of a number or date that is kept on one line, in characters. */
const maxFigureLength = 24;

function isLong({ type }: ScreenColumn, content: string): boolean {
  if (content.length <= maxFigureLength || (type !== 'num' && type !== 'date')) return false;
  return !content.startsWith('<time');
}

/** Draws the templates of an empty row and its details. The page script fills them when a record is created. */
export function newRowTemplates(context: RenderContext): Html {
  const { table } = context.screen;
  if (!table) return html``;
  const empty: ScreenRow = {
    index: table.rows.length,
    cells: {},
    status: undefined,
    flags: [],
    docs: [],
  };
  const row = trusted(rowDrawer(context, table)(empty));
  return html`<template id="new-row">${row}</template><template id="new-body"><div>${rowFields(context, empty)}</div></template>`;
}
