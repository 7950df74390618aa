import { find, findAll } from './dom.js';

/** A row of the list: a table row, or a line of a list with a reading pane. */
export interface Row {
  readonly element: HTMLElement;
  readonly index: number;
  /** What it is found by; read from the page when it is next needed. */
  searched: string | undefined;
}

/** What the rows stand in; null where the page shows no list. */
export const container = find('[data-rows]');

/** Whether the list is a table (rows open a drawer) or lines that open a pane. */
export const isTable = container?.dataset.rows === 'table';

/** Every row, in the order of the definition; new ones come first. */
export const rows: Row[] = findAll(
  ':scope > [data-row]',
  container ?? document.createElement('div'),
).map((element, index) => ({ element, index, searched: undefined }));

export function rowAt(index: number): Row | undefined {
  return rows.find((row) => row.index === index);
}

/** Days since 1970-01-01 of the date that the chart counts by. */
export function dayOf({ element: { dataset } }: Row): number | undefined {
  return dataset.day === undefined ? undefined : Number(dataset.day);
}
