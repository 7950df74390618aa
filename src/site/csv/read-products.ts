import { NewProduct, ProductChanges } from '#validators/site';
import { csvText } from '../../base/csv.js';
import { describeViolations, type Violation } from '../../json/violations.js';
import { readFeatures, readPrice } from './cells.js';
import { readTable } from './read-table.js';
import type { CsvFault, CsvRow } from './table.js';

/** pure: what the rows of a CSV say of products, by the schemas of the API. */

/** What a row says: of the product with its id, or of a new one. */
export type ProductRow =
  | { readonly line: number; readonly id: number; readonly fields: Partial<NewProduct> }
  | { readonly line: number; readonly id?: undefined; readonly fields: NewProduct };

export interface ReadProducts {
  readonly rows: readonly ProductRow[];
  readonly faults: readonly CsvFault[];
}

/** Reads a CSV of products; every row with a fault is left out of `rows`. */
export function readProducts(bytes: Buffer): ReadProducts {
  const table = readTable(bytes);
  const faults: CsvFault[] = [...table.faults];
  const rows: ProductRow[] = [];
  const lineOfId = new Map<number, number>();
  for (const row of table.rows) {
    const read = readRow(row, lineOfId);
    if (Array.isArray(read)) faults.push(...read);
    else rows.push(read);
  }
  return { rows, faults: faults.sort((a, b) => a.line - b.line) };
}

/** A row as a product's fields, or what is wrong with it. `lineOfId`: the ids before it. */
function readRow({ line, cells }: CsvRow, lineOfId: Map<number, number>): ProductRow | CsvFault[] {
  const faults: CsvFault[] = [];
  const idText = cells.id?.trim() ?? '';
  const id = idText === '' ? undefined : Number(idText);
  if (id !== undefined) {
    const message = idFault(idText, lineOfId.get(id));
    if (message !== undefined) faults.push({ line, column: 'id', message });
    else lineOfId.set(id, line);
  }
  const fields = readFields(cells);
  if (typeof fields.price === 'string') {
    faults.push({ line, column: 'price', message: fields.price });
    delete fields.price;
  }
  if (id === undefined) {
    if (NewProduct(fields) && faults.length === 0) return { line, fields };
    return [...faults, ...faultsOf(line, NewProduct.errors)];
  }
  if (isEmpty(fields) || ProductChanges(fields)) {
    // Neither id nor order is a column's field: what is left is of a new product, too.
    return faults.length > 0 ? faults : { line, id, fields: fields as Partial<NewProduct> };
  }
  return [...faults, ...faultsOf(line, ProductChanges.errors)];
}

function idFault(text: string, lineBefore: number | undefined): string | undefined {
  if (!/^[1-9]\d{0,14}$/.test(text)) return 'must be the id of a product, or empty for a new one';
  return lineBefore === undefined ? undefined : `is in line ${lineBefore} already`;
}

/** The fields that the cells say, as the API takes them; the price as text where it is none. */
function readFields({ id: _, price, features, ...texts }: CsvRow['cells']) {
  const fields: Record<string, unknown> = {};
  for (const [name, cell] of Object.entries(texts)) fields[name] = csvText(cell);
  // An empty cell says nothing of the price: nobody gives things away by leaving it out.
  if (price !== undefined && price.trim() !== '') fields.price = readPrice(csvText(price));
  if (features !== undefined) fields.features = readFeatures(csvText(features));
  return fields;
}

function isEmpty(fields: object): boolean {
  return Object.keys(fields).length === 0;
}

function faultsOf(line: number, errors: readonly Violation[] | null | undefined): CsvFault[] {
  return describeViolations(errors ?? []).map(({ path, message }) => {
    const [, column, entry] = path.split('/');
    const where = entry === undefined ? '' : `entry ${Number(entry) + 1} `;
    return { line, ...(column ? { column } : {}), message: where + message };
  });
}
