import type { Product } from '#validators/site';
import { completeProduct } from '../content.js';
import type { ProductImport } from '../store.js';
import type { ProductRow } from './read-products.js';
import type { CsvFault } from './table.js';

/** pure: what an import does to the products that there are. */

export interface ImportPlan extends ProductImport {
  readonly unchanged: number;
  /** Rows about products that there are none of. */
  readonly faults: readonly CsvFault[];
}

/** Decides what rows change and add; a row that says what is so already changes nothing. */
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
      plan.faults.push({ line: row.line, column: 'id', message: `is the id of no product` });
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
