import type { ComparePairDefinition } from '#screen-definition';
import { type Html, html, trusted } from '../../../base/html.js';
import { cellOf, plainText } from '../../definition/values.js';
import type { ScreenRow } from '../../normalise/table.js';
import { statusBadge } from '../blocks/badge.js';
import { fieldHtml } from '../blocks/cells.js';
import { paragraphs } from '../blocks/prose.js';
import { fieldSub, recordFields, rowDocuments, rowFlags } from '../blocks/row-details.js';
import { scenarioButtons } from '../blocks/scenario.js';
import { emptyText, listBar, pager, rowAttributes } from '../blocks/table.js';
import { type RenderContext, rowTitle } from '../context.js';

/**
 * Draws a list with a reading pane beside it. A narrow window shows only the list until the reader selects a line.
 * Without JavaScript, all panes follow the list. Each line links to its pane, and each pane links back to the list.
 * `item` draws a line of the list, and `pane` draws the record that it opens.
 */
function masterDetail(
  context: RenderContext,
  item: (row: ScreenRow) => Html,
  pane: (row: ScreenRow) => Html,
): Html {
  const { screen, words, at, ownLang, styles, known } = context;
  styles.add('list').add('split').add('panes');
  const rows = screen.table?.rows ?? [];
  const items = rows.map((row) => {
    const dim = known.statuses.get(row.status)?.dim ? html` class="dim"` : '';
    const pointer = at('/table', 'rows', row.index);
    return html`<li${trusted(rowAttributes(context, row))}${dim}${pointer}><a class="open" href="#pane-${row.index}">${item(row)}</a></li>`;
  });
  const back = html`<p class="no-js"><a href="#list"${ownLang}>${words.toList}</a></p>`;
  const panes = rows.map(
    (row) =>
      html`<article class="pane" id="pane-${row.index}" data-pane="${row.index}">${pane(row)}${back}</article>`,
  );
  return html`<section class="card list master-detail ${screen.archetype}" id="list"${at(`/${screen.archetype}`)}><h2 id="list-title" class="vh"${ownLang}>${words.table}</h2>${listBar(context)}<div class="split"><div class="master"><ul data-rows="list">${items}</ul>${emptyText(context, rows.length)}${pager(context)}</div><div class="panes" role="region" tabindex="0" aria-label="${words.details}">${rows.length > 0 && paneBar(context)}${panes}</div></div></section>`;
}

/** Draws the bar above the open record in a narrow window, where the record replaces the list. */
function paneBar({ words, sprite, ownLang }: RenderContext): Html {
  return html`<div class="pane-bar js-only"${ownLang}><a class="button" href="#list" data-to-list>${sprite.icon('chevron-left')}${words.toList}</a><div class="steps-between"><button type="button" class="button icon-button quiet" data-pane-step="-1" aria-label="${words.previous}">${sprite.icon('chevron-left')}</button><button type="button" class="button icon-button quiet" data-pane-step="1" aria-label="${words.next}">${sprite.icon('chevron-right')}</button></div></div>`;
}

/** Keys of the fields that a pane's header shows with their values (`line`) or only with their subtitles (`others`). */
interface HeadFields {
  readonly line: readonly (string | undefined)[];
  readonly others: readonly (string | undefined)[];
}

/** Draws a record's title, a line of fields and of subtitles that appear nowhere else, and the status. */
function paneHead(
  context: RenderContext,
  row: ScreenRow,
  title: string,
  { line, others }: HeadFields = { line: [], others: [] },
): Html {
  const { screen, known } = context;
  const { drawer, table } = screen;
  const owners = [drawer.titleKey, table?.statusColumn?.key, ...line, ...others];
  const subs = owners.map((key) => key && known.columns.get(key)?.sub);
  const listed = new Set(drawer.fields.map(({ key }) => key));
  const lone = subs.filter((key) => key && !listed.has(key) && !known.columns.has(key));
  const texts = [...new Set([...line, ...lone])].flatMap((key) => {
    const text = key && fieldHtml(context, key, row);
    return text ? html`<span>${trusted(text)}</span>` : [];
  });
  return html`<header class="pane-head"><h3 tabindex="-1">${title}</h3>${texts.length > 0 && html`<p class="sub">${texts}</p>`}<p class="pane-status">${statusBadge(context, row.status)}</p></header>`;
}

/** Draws the messages on the left and the selected message on the right. */
export function inbox(context: RenderContext): Html {
  const { screen, styles } = context;
  styles.add('prose');
  const { titleKey, subKey, timeKey, bodyKey = '' } = screen.inbox ?? {};
  const title = (row: ScreenRow): string =>
    (titleKey && plainText(cellOf(row.cells, titleKey))) || rowTitle(context, row);
  const field = (row: ScreenRow, key: string | undefined): Html =>
    key === undefined ? html`` : trusted(fieldHtml(context, key, row));
  const fields = recordFields(context, [titleKey, subKey, timeKey, bodyKey]);
  const head = { line: [subKey, timeKey], others: [titleKey, bodyKey] };
  return masterDetail(
    context,
    (row) =>
      html`<span class="item-title">${title(row)}</span><span class="item-time">${field(row, timeKey)}</span><span class="item-sub">${field(row, subKey)}</span><span class="item-status">${statusBadge(context, row.status)}</span><span class="item-body">${plainText(cellOf(row.cells, bodyKey)).slice(0, 140)}</span>`,
    (row) =>
      html`${paneHead(context, row, title(row), head)}<div class="prose">${paragraphs(plainText(cellOf(row.cells, bodyKey)))}</div>${fields(row)}${rowFlags(context, row)}${rowDocuments(context, row)}${scenarioButtons(context)}`,
  );
}

/** Draws the records on the left, and the values of both sources for the selected record on the right. */
export function compare(context: RenderContext): Html {
  const pairs = context.screen.compare?.pairs ?? [];
  const fields = recordFields(
    context,
    pairs.flatMap(({ a, b }) => [a, b]),
  );
  return masterDetail(
    context,
    (row) =>
      html`<span class="item-title">${rowTitle(context, row)}${fieldSub(context, context.screen.drawer.titleKey, row)}</span><span class="item-status">${statusBadge(context, row.status)}</span><span class="item-sub">${differenceCount(context, pairs, row)}</span>`,
    (row) =>
      html`${paneHead(context, row, rowTitle(context, row))}${compareTable(context, pairs, row)}${fields(row)}${rowFlags(context, row)}${rowDocuments(context, row)}${scenarioButtons(context)}`,
  );
}

function differenceCount(
  { words, say, sprite, ownLang }: RenderContext,
  pairs: readonly ComparePairDefinition[],
  row: ScreenRow,
): Html {
  const n = pairs.filter((pair) => !matches(row, pair)).length;
  const text = n === 0 ? words.allMatch : say(words.differences, { n });
  const tone = n === 0 ? 'ok' : 'warn';
  return html`<span class="mark t-${tone}"${ownLang}>${sprite.icon(tone)}</span><span${ownLang}>${text}</span>`;
}

function compareTable(
  context: RenderContext,
  pairs: readonly ComparePairDefinition[],
  row: ScreenRow,
): Html {
  const { screen, words, ownLang, at, sprite } = context;
  const { aLabel, bLabel } = screen.compare ?? {};
  const lines = pairs.map((pair, index) => {
    const same = matches(row, pair);
    const value = (key: string): Html =>
      html`${trusted(fieldHtml(context, key, row) || '–')}${fieldSub(context, key, row)}`;
    return html`<tr${same ? '' : html` class="differs"`}${at('/compare', 'pairs', index)}><th scope="row">${pair.label}</th><td>${value(pair.a)}</td><td>${value(pair.b)}</td>${same ? html`<td class="verdict">${sprite.icon('ok')}<span${ownLang}>${words.same}</span></td>` : html`<td class="verdict t-warn">${sprite.icon('warn')}<span${ownLang}>${words.differs}</span></td>`}</tr>`;
  });
  const head = (label: string | undefined, fallback: string): Html =>
    label ? html`<th scope="col">${label}</th>` : html`<th scope="col"${ownLang}>${fallback}</th>`;
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${rowTitle(context, row)}"><table class="pairs"><thead><tr>${head(undefined, words.fieldName)}${head(aLabel, words.sourceA)}${head(bLabel, words.sourceB)}<td></td></tr></thead><tbody>${lines}</tbody></table></div>`;
}

/** Returns true if both values are equal. Case and whitespace are ignored. */
function matches({ cells }: ScreenRow, { a, b }: ComparePairDefinition): boolean {
  const plain = (key: string): string =>
    plainText(cellOf(cells, key)).replace(/\s+/g, ' ').trim().toLowerCase();
  return plain(a) === plain(b);
}
