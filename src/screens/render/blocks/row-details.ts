import type { TableRowDocumentDefinition } from '#screen-definition';
import { drawEach, escapeText, type Html, html, trusted } from '../../../base/html.js';
import type { ScreenRow } from '../../normalise/table.js';
import { type RenderContext, rowTitle } from '../context.js';
import { generatedTag, statusBadge } from './badge.js';
import { fieldHtml } from './cells.js';
import { besides } from './prose.js';

/**
 * What the drawer shows of each row. Without JavaScript these are details that fold out below the list;
 * the page script takes them from there into the drawer.
 */
export function rowDetails(context: RenderContext): Html {
  const { screen, words, ownLang } = context;
  if (!screen.table || screen.table.rows.length === 0) return html``;
  const items = drawEach(
    screen.table.rows,
    (row) =>
      `<details id="row-${row.index}"><summary>${escapeText(rowTitle(context, row))}</summary>${rowBody(context, row)}</details>`,
  );
  return html`<section class="card row-details no-js" id="row-details"><h2${ownLang}>${words.details}</h2>${items}</section>`;
}

function rowBody(context: RenderContext, row: ScreenRow): string {
  return `<div>${rowFields(context, row).text}${rowFlags(context, row).text}${rowDocuments(context, row).text}</div>`;
}

/** The fields of the drawer as a list of names and values. */
export function rowFields(context: RenderContext, row: ScreenRow): Html {
  const { screen, at, styles } = context;
  if (screen.drawer.fields.length === 0) return html``;
  styles.add('fields');
  let text = '<dl>';
  for (const [index, { key, label }] of screen.drawer.fields.entries()) {
    const value = fieldHtml(context, key, row) || '–';
    text += `<div${at('/drawer/fields', index).text}><dt>${escapeText(label || key)}<dd>${value}</div>`;
  }
  return trusted(`${text}</dl>`);
}

/** The agent's checks; they are generated, and say so. */
export function rowFlags(context: RenderContext, { flags, index }: ScreenRow): Html {
  const { screen, words, sprite, at, ownLang, styles } = context;
  if (flags.length === 0) return html``;
  styles.add('attachments');
  const { flagsLabel } = screen.drawer;
  const label = flagsLabel || html`<span${ownLang}>${words.flags}</span>`;
  const items = flags.map((flag) => html`<li>${sprite.icon('flag')}<span>${flag}</span></li>`);
  return html`<section class="flags"${at('/table', 'rows', index, '_flags')}><h3>${label}${generatedTag(context)}</h3><ul>${items}</ul></section>`;
}

export function rowDocuments(context: RenderContext, { docs, index }: ScreenRow): Html {
  const { words, ownLang, at, styles } = context;
  if (docs.length === 0) return html``;
  styles.add('attachments');
  const items = docs.map((link) => html`<li>${documentLine(context, link)}</li>`);
  return html`<section class="docs"${at('/table', 'rows', index, '_docs')}><h3${ownLang}>${words.documents}</h3><ul>${items}</ul></section>`;
}

function documentLine(
  context: RenderContext,
  { label, type, status, format }: TableRowDocumentDefinition,
): Html {
  const { sprite } = context;
  const kind = [type, format?.toUpperCase()].flatMap((part) => part || []);
  return html`${sprite.icon('file')}<span class="doc-name">${label}<span class="sub">${besides(kind)}</span></span>${statusBadge(context, status)}`;
}
