import { isolateDirection } from '../../base/text-direction.js';
import { announce, data, find, findAll, onClick, words } from './dom.js';
import type { Row } from './rows.js';

interface Sorting {
  readonly column: number;
  readonly direction: 1 | -1;
}

const collator = new Intl.Collator(data.locale, { numeric: true, sensitivity: 'base' });
/** Buttons in the headers of sortable columns. A narrow window shows `select` instead. */
const buttons = findAll('[data-sort]');
const byColumn = new Map(buttons.map((button) => [Number(button.dataset.sort), button]));
const select = find<HTMLSelectElement>('.sort-by select');
let sorting: Sorting | undefined;

/** Returns the rows in the selected order, or in the order of the definition if none is selected. */
export function sorted(rows: readonly Row[]): readonly Row[] {
  if (!sorting) return rows;
  const { column, direction } = sorting;
  const asText = byColumn.get(column)?.dataset.type === 'text';
  const keys = new Map(rows.map((row) => [row, keyOf(row, column, asText)]));
  return [...rows].sort((a, b) => {
    const [x, y] = [keys.get(a), keys.get(b)];
    if (typeof x === 'string' && typeof y === 'string') return collator.compare(x, y) * direction;
    // Rows without a value stay last in both directions.
    if (x === undefined || y === undefined)
      return Number(x === undefined) - Number(y === undefined);
    return (Number(x) - Number(y)) * direction;
  });
}

function keyOf({ element }: Row, column: number, asText: boolean): string | number | undefined {
  const cell = findAll('td', element)[column];
  if (!asText) return cell?.dataset.v === undefined ? undefined : Number(cell.dataset.v);
  const shown = cell?.firstChild;
  // A subtitle, or the number of an unnamed row, is not a value.
  const isNone = shown instanceof Element && shown.matches('.sub, [data-unnamed]');
  return (!isNone && shown?.textContent?.trim()) || undefined;
}

/** Shows the sort order in the column headers and in `select`, and announces it. */
function choose(next: Sorting | undefined): void {
  sorting = next;
  for (const button of buttons) {
    const head = button.closest('th');
    const on = next && Number(button.dataset.sort) === next.column;
    if (head) head.ariaSort = on ? (next.direction === 1 ? 'ascending' : 'descending') : 'none';
  }
  if (select) select.value = next ? optionOf(next) : '';
  announce(next ? words(data.words.sorted, describe(next)) : data.words.unsorted);
}

function describe({ column, direction }: Sorting): { column: string; direction: string } {
  return {
    column: byColumn.get(column)?.textContent ?? '',
    direction: direction === 1 ? data.words.ascending : data.words.descending,
  };
}

function optionOf({ column, direction }: Sorting): string {
  return `${column} ${direction}`;
}

/** Fills `select` with the order of the definition and with every sortable column in both directions. */
function offerOrders(): void {
  select?.append(new Option(data.words.unsorted, ''));
  for (const button of buttons) {
    for (const direction of [1, -1] as const) {
      const order = { column: Number(button.dataset.sort), direction };
      const { column, direction: name } = describe(order);
      select?.append(new Option(`${isolateDirection(column)}, ${name}`, optionOf(order)));
    }
  }
}

export function startSorting(onSort: () => void): void {
  offerOrders();
  onClick('[data-sort]', (button) => {
    const column = Number(button.dataset.sort);
    const again = sorting?.column === column && sorting.direction === 1;
    choose({ column, direction: again ? -1 : 1 });
    onSort();
  });
  select?.addEventListener('change', () => {
    const [column = 0, direction] = select.value.split(' ').map(Number);
    choose(select.value === '' ? undefined : { column, direction: direction === 1 ? 1 : -1 });
    onSort();
  });
}
