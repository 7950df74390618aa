import { type Html, html, trusted } from '../../../base/html.js';
import type { ScreenRow } from '../../normalise/table.js';
import { statusBadge } from '../blocks/badge.js';
import { fieldHtml } from '../blocks/cells.js';
import { emptyText, listBar, pager, rowAttributes } from '../blocks/table.js';
import type { RenderContext } from '../context.js';

/**
 * A list with a reading pane beside it; a narrow window has room for one of them, and the page script shows the list
 * until a line is chosen. Without JavaScript every pane is there, one after another, the lines of the list lead to
 * them, and each leads back. `item` draws a line of the list, `pane` what it opens.
 */
export function masterDetail(
  context: RenderContext,
  item: (row: ScreenRow) => Html,
  pane: (row: ScreenRow) => Html,
): Html {
  const { screen, words, at, ownLang, styles, known } = context;
  styles.add('list').add('split').add('panes');
  const rows = screen.table?.rows ?? [];
  const items = rows.map((row) => {
    const dim = known.statuses.get(row.status)?.dim ? html` class="dim"` : '';
    const place = at('/table', 'rows', row.index);
    return html`<li${trusted(rowAttributes(context, row))}${dim}${place}><a class="open" href="#pane-${row.index}">${item(row)}</a></li>`;
  });
  const back = html`<p class="no-js"><a href="#list"${ownLang}>${words.toList}</a></p>`;
  const panes = rows.map(
    (row) =>
      html`<article class="pane" id="pane-${row.index}" data-pane="${row.index}">${pane(row)}${back}</article>`,
  );
  return html`<section class="card list master-detail ${screen.archetype}" id="list"${at(`/${screen.archetype}`)}><h2 id="list-title" class="vh"${ownLang}>${words.table}</h2>${listBar(context)}<div class="split"><div class="master"><ul data-rows="list">${items}</ul>${emptyText(context, rows.length)}${pager(context)}</div><div class="panes" role="region" tabindex="0" aria-label="${words.details}">${rows.length > 0 && paneBar(context)}${panes}</div></div></section>`;
}

/** What stands above the record where it has taken the place of the list. */
function paneBar({ words, sprite, ownLang }: RenderContext): Html {
  return html`<div class="pane-bar js-only"${ownLang}><a class="button" href="#list" data-to-list>${sprite.icon('chevron-left')}${words.toList}</a><div class="steps-between"><button type="button" class="button icon-button quiet" data-pane-step="-1" aria-label="${words.previous}">${sprite.icon('chevron-left')}</button><button type="button" class="button icon-button quiet" data-pane-step="1" aria-label="${words.next}">${sprite.icon('chevron-right')}</button></div></div>`;
}

/** What the head of a pane shows below the title, and whose subtitles: keys of fields. */
interface HeadFields {
  readonly line: readonly (string | undefined)[];
  readonly others: readonly (string | undefined)[];
}

/** Title, some fields in a line with the subtitles that are shown nowhere else, and the status of a record. */
export function paneHead(
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
