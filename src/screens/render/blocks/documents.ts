import { type Html, html } from '../../../base/html.js';
import type { NavEntry } from '../../normalise/frame.js';
import {
  type CollectedDocument,
  type CollectedDocuments,
  type RenderContext,
  rowTitle,
} from '../context.js';
import { statusBadge } from './badge.js';

/** Draws the documents of all rows, or only the documents with the section's `docType`. */
export function documentsView(context: RenderContext, { docType, index }: NavEntry): Html {
  const { words, ownLang, styles } = context;
  const documents = collectOnce(context).get(docType) ?? [];
  if (documents.length === 0) return html`<p class="empty card"${ownLang}>${words.noDocuments}</p>`;
  styles.add('list').add('documents');
  const rows = documents.map((item) => documentRow(context, item));
  const head = [
    words.documentName,
    words.documentType,
    words.documentStatus,
    words.documentFormat,
    words.documentOf,
  ];
  return html`<section class="card list" data-find-group><div class="list-bar"${ownLang}>${docType === undefined ? typeFilter(context, documents) : ''}</div><div class="scroll" role="region" tabindex="0" aria-labelledby="view-title-${index}"><table class="doc-rows"><thead${ownLang}><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

/** Returns the documents by type. The result is cached, because many sections may need it. */
function collectOnce(context: RenderContext): CollectedDocuments {
  context.memo.documents ??= collect(context);
  return context.memo.documents;
}

function collect(context: RenderContext): CollectedDocuments {
  const all = (context.screen.table?.rows ?? []).flatMap((row) =>
    row.docs.map((link) => ({ ...link, row: row.index, of: rowTitle(context, row) })),
  );
  const byType = new Map<string | undefined, CollectedDocument[]>();
  for (const one of all) {
    const known = byType.get(one.type);
    if (known) known.push(one);
    else byType.set(one.type, [one]);
  }
  return byType.set(undefined, all);
}

function typeFilter(
  { words, locale, styles }: RenderContext,
  documents: readonly CollectedDocument[],
): Html {
  const counts = new Map<string, number>();
  for (const { type } of documents) {
    if (type) counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  if (counts.size < 2) return html``;
  styles.add('tabs');
  const tabs = [...counts].map(
    ([type, count]) =>
      html`<button type="button" data-doc-filter="${type}" aria-pressed="false">${type}<span class="number">${count}</span></button>`,
  );
  return html`<div class="tabs js-only" role="group" aria-label="${words.filterByType}"><button type="button" data-doc-filter="" aria-pressed="true"><span lang="${locale}">${words.all}</span><span class="number">${documents.length}</span></button>${tabs}</div>`;
}

function documentRow(
  context: RenderContext,
  { label, type, status, format, row, of }: CollectedDocument,
): Html {
  const { sprite } = context;
  return html`<tr data-find data-doc-type="${type}"><td class="title"><span class="doc-cell">${sprite.icon('file')}<span>${label}</span></span></td><td>${type}</td><td>${statusBadge(context, status)}</td><td>${format && html`<span class="tag">${format.toUpperCase()}</span>`}</td><td><a class="open-row" href="#row-${row}" data-open="${row}">${of}</a></td></tr>`;
}
