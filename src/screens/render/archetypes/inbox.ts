import { type Html, html, trusted } from '../../../base/html.js';
import { cellOf, plainText } from '../../definition/values.js';
import type { ScreenRow } from '../../normalise/table.js';
import { statusBadge } from '../blocks/badge.js';
import { fieldHtml } from '../blocks/cells.js';
import { paragraphs } from '../blocks/prose.js';
import { rowDocuments, rowFields, rowFlags } from '../blocks/row-details.js';
import { scenarioButtons } from '../blocks/scenario.js';
import { type RenderContext, rowTitle } from '../context.js';
import { masterDetail } from './master-detail.js';

/** Letters on the left, the one that is read on the right. */
export function inbox(context: RenderContext): Html {
  const { screen, styles } = context;
  styles.add('prose');
  const { titleKey, subKey, timeKey, bodyKey = '' } = screen.inbox ?? {};
  const title = (row: ScreenRow): string =>
    (titleKey && plainText(cellOf(row.cells, titleKey))) || rowTitle(context, row);
  const field = (row: ScreenRow, key: string | undefined): Html =>
    key === undefined ? html`` : trusted(fieldHtml(context, key, row));
  return masterDetail(
    context,
    (row) =>
      html`<span class="item-title">${title(row)}</span><span class="item-time">${field(row, timeKey)}</span><span class="item-sub">${field(row, subKey)}</span><span class="item-status">${statusBadge(context, row.status)}</span><span class="item-body">${plainText(cellOf(row.cells, bodyKey)).slice(0, 140)}</span>`,
    (row) =>
      html`<header class="pane-head"><h3>${title(row)}</h3><p class="sub">${[subKey, timeKey].map((key) => html`<span>${field(row, key)}</span>`)}</p><p class="pane-status">${statusBadge(context, row.status)}</p></header><div class="prose">${paragraphs(plainText(cellOf(row.cells, bodyKey)))}</div>${screen.drawer.fields.length > 0 && html`<details class="more-fields"><summary>${context.words.details}</summary>${rowFields(context, row)}</details>`}${rowFlags(context, row)}${rowDocuments(context, row)}${scenarioButtons(context)}`,
  );
}
