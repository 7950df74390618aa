import { find, findAll } from './dom.js';

/** A row of the list: a table row, or a line of a list with a reading pane. */
export interface Row {
  readonly element: HTMLElement;
  readonly index: number;
  /** Lower-case text that is searched; read from the page when it is next needed. */
  text: string | undefined;
}

/** What the rows stand in; null where the page shows no list. */
export const container = find('[data-rows]');

/** Whether the list is a table (rows open a drawer) or lines that open a pane. */
export const isTable = container?.dataset.rows === 'table';

/** Every row, in the order of the definition; new ones come first. */
export const rows: Row[] = findAll(
  ':scope > [data-row]',
  container ?? document.createElement('div'),
).map((element, index) => ({ element, index, text: undefined }));

export function rowAt(index: number): Row | undefined {
  return rows.find((row) => row.index === index);
}

/** Lower case without the spaces around. */
export function fold(text: string): string {
  return text.trim().toLocaleLowerCase();
}

export function textOf(row: Row): string {
  const parts = isTable ? [...row.element.children] : [row.element];
  row.text ??= parts.map((part) => part.textContent?.toLocaleLowerCase()).join('\n');
  return row.text;
}

/** Days since 1970-01-01 of the date that the chart counts by. */
export function dayOf({ element: { dataset } }: Row): number | undefined {
  return dataset.day === undefined ? undefined : Number(dataset.day);
}
