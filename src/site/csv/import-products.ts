import type { Product } from '#validators/site';
import { NewProduct, ProductChanges } from '#validators/site';
import { csvText } from '../../base/csv.js';
import { AppError, type ErrorDetail, exitCodes } from '../../base/errors.js';
import { describeViolations, type Violation } from '../../json/violations.js';
import { completeProduct } from '../content.js';
import type { ProductImport, SiteStore } from '../store.js';
import { readFeatures, readPrice } from './cells.js';
import type { CsvFault, CsvRow } from './read-table.js';
import { readTable } from './read-table.js';

/** The counts of an import, or of a dry run. */
export interface ImportCounts {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
}

export interface ImportOptions {
  readonly bytes: Buffer;
  /** If true, the file is only checked. */
  readonly isDryRun: boolean;
}

/**
 * Imports a CSV file of products. If the file has errors, nothing is imported and `validation_failed` is thrown (exit
 * code 1). Its `details` locate each error by line and column, such as `/line/3/price`.
 */
export async function importProducts(
  store: Pick<SiteStore, 'products' | 'importProducts'>,
  { bytes, isDryRun }: ImportOptions,
): Promise<ImportCounts> {
  const { rows, faults } = readProducts(bytes);
  const decide = (products: Parameters<typeof planImport>[1]): ImportPlan => {
    const plan = planImport(rows, products);
    const all = [...faults, ...plan.faults];
    if (all.length > 0) throw faulty(all);
    return plan;
  };
  const plan = isDryRun ? decide(await store.products.list()) : await store.importProducts(decide);
  return {
    created: plan.added.length,
    changed: plan.changed.length,
    unchanged: plan.unchanged,
  };
}

/** Maximum number of errors that an import reports. */
const maxFaults = 1_000;

function faulty(faults: readonly CsvFault[]): AppError {
  const sorted = [...faults].sort((a, b) => a.line - b.line);
  const details = sorted.slice(0, maxFaults).map(detailOf);
  const more = sorted.length - details.length;
  const rest = more > 0 ? [{ path: '', message: `and ${more} more` }] : [];
  const count = sorted.length === 1 ? 'an error' : `${sorted.length} errors`;
  return new AppError('validation_failed', `The CSV has ${count}. Nothing was changed.`, {
    details: [...details, ...rest],
    exitCode: exitCodes.failure,
  });
}

function detailOf({ line, column, message }: CsvFault): ErrorDetail {
  if (line === 0) return { path: '', message };
  return { path: `/line/${line}${column === undefined ? '' : `/${column}`}`, message };
}

/** The changes that an import makes to the catalogue. */
interface ImportPlan extends ProductImport {
  readonly unchanged: number;
  /** Rows with an unknown product ID. */
  readonly faults: readonly CsvFault[];
}

/** Returns the changes that the rows make. A row with the stored values changes nothing. */
export function planImport(rows: readonly ProductRow[], products: readonly Product[]): ImportPlan {
  const byId = new Map(products.map((product) => [product.id, product]));
  const plan = {
    added: [] as Omit<Product, 'id' | 'order'>[],
    changed: [] as Product[],
    unchanged: 0,
    faults: [] as CsvFault[],
  };
  for (const row of rows) {
    if (row.id === undefined) {
      plan.added.push(completeProduct(row.fields));
      continue;
    }
    const product = byId.get(row.id);
    if (!product) {
      plan.faults.push({ line: row.line, column: 'id', message: 'is not the ID of a product' });
      continue;
    }
    if (isSame(product, row.fields)) plan.unchanged += 1;
    else plan.changed.push({ ...product, ...row.fields });
  }
  return plan;
}

function isSame(product: Product, fields: Partial<Product>): boolean {
  return Object.entries(fields).every(
    ([name, value]) => JSON.stringify(product[name as keyof Product]) === JSON.stringify(value),
  );
}

/** The fields in a row. A row with an ID changes that product; a row without an ID adds a product. */
type ProductRow =
  | { readonly line: number; readonly id: number; readonly fields: Partial<NewProduct> }
  | { readonly line: number; readonly id?: undefined; readonly fields: NewProduct };

interface ReadProducts {
  readonly rows: readonly ProductRow[];
  readonly faults: readonly CsvFault[];
}

/** Reads a CSV file of products. `rows` contains only the rows without errors. */
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

/** Returns the fields in a row, or its errors. `lineOfId` contains the IDs of earlier rows; this row's ID is added. */
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
    // There is no `order` column, and `id` was removed, so the fields are also valid in a new product.
    return faults.length > 0 ? faults : { line, id, fields: fields as Partial<NewProduct> };
  }
  return [...faults, ...faultsOf(line, ProductChanges.errors)];
}

function idFault(text: string, lineBefore: number | undefined): string | undefined {
  if (!/^[1-9]\d{0,14}$/.test(text))
    return 'must be the ID of a product, or empty for a new product';
  return lineBefore === undefined ? undefined : `is already on line ${lineBefore}`;
}

/** Returns the cells as fields of the API. The field of an invalid price is its error message. */
function readFields({ id: _, price, features, ...texts }: CsvRow['cells']) {
  const fields: Record<string, unknown> = {};
  for (const [name, cell] of Object.entries(texts)) fields[name] = csvText(cell);
  // An empty cell must not set the price to 0.
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
