import type { ComparePairDefinition } from '#screen-definition';
import { type Html, html, trusted } from '../../../base/html.js';
import { cellOf, plainText } from '../../definition/values.js';
import type { ScreenRow } from '../../normalise/table.js';
import { statusBadge } from '../blocks/badge.js';
import { fieldHtml } from '../blocks/cells.js';
import { fieldSub, recordFields } from '../blocks/record-fields.js';
import { rowDocuments, rowFlags } from '../blocks/row-details.js';
import { scenarioButtons } from '../blocks/scenario.js';
import { type RenderContext, rowTitle } from '../context.js';
import { masterDetail, paneHead } from './master-detail.js';

/** Records on the left; on the right what the two sources say about the chosen one. */
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

/** Two values match where their texts do, but for case and white space. */
function matches({ cells }: ScreenRow, { a, b }: ComparePairDefinition): boolean {
  const plain = (key: string): string =>
    plainText(cellOf(cells, key)).replace(/\s+/g, ' ').trim().toLowerCase();
  return plain(a) === plain(b);
}
