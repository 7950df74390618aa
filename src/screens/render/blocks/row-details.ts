import type { TableRowDocumentDefinition } from '#screen-definition';
import { drawEach, escapeText, type Html, html, trusted } from '../../../base/html.js';
import type { Screen } from '../../normalise/normalise.js';
import type { ScreenRow } from '../../normalise/table.js';
import { type RenderContext, rowTitle } from '../context.js';
import { generatedTag, statusBadge } from './badge.js';
import { fieldHtml } from './cells.js';
import { joinTexts } from './prose.js';

/**
 * Draws the details of every row. Without JavaScript, readers can expand them below the list. The page script moves
 * them to the drawer.
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

/** Draws the drawer fields as a list of names and values. */
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

/** Draws the agent's remarks on a row, with the label for generated text. */
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
  return html`${sprite.icon('file')}<span class="doc-name">${label}<span class="sub">${joinTexts(kind)}</span></span>${statusBadge(context, status)}`;
}

/** A field of a record, with its name and the JSON Pointer of its definition. */
interface RecordField {
  readonly key: string;
  readonly label: string;
  readonly path: string;
}

/**
 * Returns a function that draws the fields that a pane does not show elsewhere: the drawer fields, and the columns that
 * are neither `shown` nor in the pane's header.
 */
export function recordFields(
  context: RenderContext,
  shown: readonly (string | undefined)[],
): (row: ScreenRow) => Html {
  const fields = remainingFields(context.screen, shown);
  if (fields.length === 0) return () => html``;
  context.styles.add('fields');
  const { at, screen } = context;
  const status = screen.table?.statusColumn?.key;
  return (row) => {
    let text = '<dl>';
    for (const { key, label, path } of fields) {
      // The page script updates the status here, too.
      const mark = key === status ? ' data-state' : '';
      text += `<div${at(path).text}><dt>${escapeText(label)}<dd${mark}>${fieldHtml(context, key, row) || '–'}${fieldSub(context, key, row).text}</div>`;
    }
    return trusted(`${text}</dl>`);
  };
}

function remainingFields(
  { table, drawer }: Screen,
  shown: readonly (string | undefined)[],
): readonly RecordField[] {
  const columns = table?.columns ?? [];
  const seen = new Set([drawer.titleKey, table?.statusColumn?.key, ...shown]);
  const fields: RecordField[] = [];
  for (const [index, { key, label }] of drawer.ownFields.entries()) {
    fields.push({ key, label: label || key, path: `/drawer/fields/${index}` });
    seen.add(key);
  }
  for (const [index, { key, label }] of columns.entries()) {
    if (!seen.has(key)) {
      fields.push({ key, label: label || key, path: `/table/columns/${index}` });
    }
    seen.add(key);
  }
  return fields;
}

/** Draws the muted subtitle of a field, if its column has one. */
export function fieldSub(context: RenderContext, key: string | undefined, row: ScreenRow): Html {
  const sub = key === undefined ? undefined : context.known.columns.get(key)?.sub;
  const text = sub === undefined ? '' : fieldHtml(context, sub, row);
  return text ? html`<span class="sub">${trusted(text)}</span>` : html``;
}
