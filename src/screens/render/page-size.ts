import { AppError } from '../../base/errors.js';
import { cellOf, plainText } from '../definition/values.js';
import type { Screen } from '../normalise/normalise.js';
import type { ScreenRow } from '../normalise/table.js';

/** Characters of a page. A string of JavaScript ends at 512 M, and browsers long before. */
const mostCharacters = 400_000_000;

/** What the page writes around each thing, in characters; measured, and rounded up. */
const around = {
  row: 220,
  cell: 30,
  field: 30,
  pane: 500,
  comparison: 320,
  pair: 170,
  document: 250,
  metric: 150,
  choice: 26,
};

/**
 * A page grows with its definition, but for what it repeats: columns, drawer fields and pairs in every
 * row, documents in every section that lists them, statuses in the create form for each of their columns.
 * Throws `too_large` where that would be more than a page can be.
 */
export function checkPageSize(screen: Screen): void {
  const size = rowsSize(screen) + documentsSize(screen) + metricsSize(screen) + choicesSize(screen);
  if (size <= mostCharacters) return;
  throw new AppError('too_large', `The page would be about ${Math.ceil(size / 1e6)} MB long.`, {
    hint: 'Give the table fewer rows, or its rows fewer columns, fields and pairs.',
  });
}

function rowsSize({ table, drawer, archetype, compare, scenario }: Screen): number {
  if (table === undefined) return 0;
  const fields = sum(drawer.fields, ({ key, label }) => around.field + (label || key).length);
  const actions = (scenario?.control.length ?? 0) + (scenario?.reject?.length ?? 0);
  const pairs = sum(compare?.pairs ?? [], ({ label }) => around.pair + label.length);
  const labels = (compare?.aLabel?.length ?? 0) + (compare?.bLabel?.length ?? 0);
  const columns = table.columns.length * around.cell;
  const pane = around.pane + fields + columns + actions;
  const own = { compare: pane + around.comparison + pairs + labels, inbox: pane };
  const list = archetype === 'compare' || archetype === 'inbox' ? own[archetype] : columns;
  const flags = drawer.flagsLabel?.length ?? 0;
  return table.rows.length * (around.row + fields + list + flags);
}

function documentsSize({ nav, table, drawer }: Screen): number {
  const sections = nav.flatMap(({ items }) => items).filter(({ view }) => view === 'documents');
  if (table === undefined || sections.length === 0) return 0;
  const titleOf = ({ cells }: ScreenRow): number =>
    plainText(cellOf(cells, drawer.titleKey)).length;
  const sizes = new Map<string | undefined, number>();
  for (const row of table.rows) {
    const size = row.docs.length > 0 ? around.document + titleOf(row) : 0;
    // A section without a type lists all of them.
    for (const { type } of row.docs) {
      sizes.set(undefined, (sizes.get(undefined) ?? 0) + size);
      if (type !== undefined) sizes.set(type, (sizes.get(type) ?? 0) + size);
    }
  }
  return sum(sections, ({ docType }) => sizes.get(docType) ?? 0);
}

function metricsSize({ sections, kpis }: Screen): number {
  const strips = sections.filter(({ shown }) => shown === 'kpis').length;
  const texts = sum(
    kpis,
    ({ label, value, hint = '', note = '' }) =>
      around.metric + label.length + value.length + hint.length + note.length,
  );
  return strips * texts;
}

function choicesSize({ table, statuses }: Screen): number {
  const columns = (table?.columns ?? []).filter(({ type }) => type === 'status').length;
  return columns * sum(statuses, ({ key, label }) => around.choice + key.length + label.length);
}

function sum<T>(items: readonly T[], sizeOf: (item: T) => number): number {
  return items.reduce((total, item) => total + sizeOf(item), 0);
}
