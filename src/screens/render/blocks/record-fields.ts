import { escapeText, type Html, html, trusted } from '../../../base/html.js';
import type { Screen } from '../../normalise/normalise.js';
import type { ScreenRow } from '../../normalise/table.js';
import type { RenderContext } from '../context.js';
import { fieldHtml } from './cells.js';

/** A line of a record: a field, its name, and the address of what asks for it. */
interface RecordField {
  readonly key: string;
  readonly label: string;
  readonly path: string;
}

/**
 * What a reading pane says of a record below its own part, which shows the fields `shown`: the fields of the drawer,
 * and the columns that nothing else in the pane shows. Title and status stand in its head.
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
      // The page script writes a new status here, too.
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

/** The muted subtitle that a column gives to a field, or nothing. */
export function fieldSub(context: RenderContext, key: string | undefined, row: ScreenRow): Html {
  const sub = key === undefined ? undefined : context.known.columns.get(key)?.sub;
  const text = sub === undefined ? '' : fieldHtml(context, sub, row);
  return text ? html`<span class="sub">${trusted(text)}</span>` : html``;
}
