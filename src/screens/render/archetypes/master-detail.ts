import type { ScreenRow } from '../../normalise/table.js';
import { countingOf } from '../blocks/counts.js';
import { emptyText, listBar, pager, rowAttributes } from '../blocks/table.js';
import type { RenderContext } from '../context.js';
import { type Html, html, trusted } from '../html.js';

interface MasterDetail {
  /** Marks the place in the definition. */
  readonly path: string;
  readonly className: string;
  /** One line of the list. */
  readonly item: (row: ScreenRow) => Html;
  /** What the line opens. */
  readonly pane: (row: ScreenRow) => Html;
}

/**
 * A list with a reading pane beside it. Without JavaScript every pane is there, one after another, and
 * the lines of the list lead to them; the page script shows the chosen one.
 */
export function masterDetail(
  context: RenderContext,
  { path, className, item, pane }: MasterDetail,
): Html {
  const { screen, words, at, ownLang, styles, known } = context;
  styles.add('list').add('split');
  const rows = screen.table?.rows ?? [];
  const counting = countingOf(context);
  const items = rows.map((row) => {
    const dim = known.statuses.get(row.status)?.dim ? html` class="dim"` : '';
    const place = at('/table', 'rows', row.index);
    return html`<li${trusted(rowAttributes(row, counting))}${dim}${place}><a class="open" href="#pane-${row.index}">${item(row)}</a></li>`;
  });
  const panes = rows.map(
    (row) =>
      html`<article class="pane" id="pane-${row.index}" data-pane="${row.index}" tabindex="-1">${pane(row)}</article>`,
  );
  return html`<section class="card list master-detail ${className}" id="list"${at(path)}><h2 id="list-title" class="vh"${ownLang}>${words.table}</h2>${listBar(context)}<div class="split"><div class="master"><ul data-rows="list">${items}</ul>${emptyText(context, rows.length)}${pager(context)}</div><div class="panes">${panes}</div></div></section>`;
}
