import type { Product } from '#validators/site';
import { csvRecord } from '../../base/csv.js';
import { writeFeatures } from './cells.js';
import { columns } from './table.js';

/** pure: products as CSV, which an import takes back as it is. */

/** The header and a record for each product, in their order. */
export function writeProducts(products: readonly Product[]): string {
  const records = products.map(({ features, ...product }) =>
    csvRecord(
      columns.map((column) => (column === 'features' ? writeFeatures(features) : product[column])),
    ),
  );
  return csvRecord([...columns]) + records.join('');
}
