import { type Html, html, trusted } from '../../../base/html.js';
import { cellOf, plainText } from '../../definition/values.js';
import type { ScreenRow } from '../../normalise/table.js';
import { statusBadge } from '../blocks/badge.js';
import { fieldHtml } from '../blocks/cells.js';
import { paragraphs } from '../blocks/prose.js';
import { recordFields } from '../blocks/record-fields.js';
import { rowDocuments, rowFlags } from '../blocks/row-details.js';
import { scenarioButtons } from '../blocks/scenario.js';
import { type RenderContext, rowTitle } from '../context.js';
import { masterDetail, paneHead } from './master-detail.js';

/** Letters on the left, the one that is read on the right. */
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
