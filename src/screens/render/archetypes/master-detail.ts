import { type Html, html, trusted } from '../../../base/html.js';
import type { ScreenRow } from '../../normalise/table.js';
import { emptyText, listBar, pager, rowAttributes } from '../blocks/table.js';
import type { RenderContext } from '../context.js';

/**
 * A list with a reading pane beside it. Without JavaScript every pane is there, one after another, and
 * the lines of the list lead to them; the page script shows the chosen one. `item` draws a line of the
 * list, `pane` what it opens.
 */
export function masterDetail(
  context: RenderContext,
  item: (row: ScreenRow) => Html,
  pane: (row: ScreenRow) => Html,
): Html {
  const { screen, words, at, ownLang, styles, known } = context;
  styles.add('list').add('split');
  const rows = screen.table?.rows ?? [];
  const items = rows.map((row) => {
    const dim = known.statuses.get(row.status)?.dim ? html` class="dim"` : '';
    const place = at('/table', 'rows', row.index);
    return html`<li${trusted(rowAttributes(context, row))}${dim}${place}><a class="open" href="#pane-${row.index}">${item(row)}</a></li>`;
  });
  const panes = rows.map(
    (row) =>
      html`<article class="pane" id="pane-${row.index}" data-pane="${row.index}" tabindex="-1">${pane(row)}</article>`,
  );
  return html`<section class="card list master-detail ${screen.archetype}" id="list"${at(`/${screen.archetype}`)}><h2 id="list-title" class="vh"${ownLang}>${words.table}</h2>${listBar(context)}<div class="split"><div class="master"><ul data-rows="list">${items}</ul>${emptyText(context, rows.length)}${pager(context)}</div><div class="panes">${panes}</div></div></section>`;
}
