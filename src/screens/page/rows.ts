import { find, findAll } from './dom.js';

export interface Row {
  readonly element: HTMLElement;
  readonly index: number;
  /** The search index, created when it is first needed. */
  searched: string | undefined;
}

/** Parent element of the rows; null if the page has no list. */
export const container = find('[data-rows]');

/** True if the list is a table whose rows open a drawer; false if its lines open a reading pane. */
export const isTable = container?.dataset.rows === 'table';

/** All rows in the order of the definition. New rows come first. */
export const rows: Row[] = findAll(
  ':scope > [data-row]',
  container ?? document.createElement('div'),
).map((element, index) => ({ element, index, searched: undefined }));

export function rowAt(index: number): Row | undefined {
  return rows.find((row) => row.index === index);
}

/** Returns the date by which the chart counts a row, in days since 1970-01-01. */
export function dayOf({ element: { dataset } }: Row): number | undefined {
  return dataset.day === undefined ? undefined : Number(dataset.day);
}
