import type { Product } from '#validators/site';
import { csvRecord } from '../../base/csv.js';
import { columns } from './read-table.js';
/** Reading and writing single cells, and writing whole files. Pure. */

/**
 * Returns the price in a cell: `1850`, `1 850,50`, `1850.50`, `1,850.50` or `1.850,50`, with any kind of space between
 * groups of three digits, optionally followed by `₸`, `тг` or `KZT`. Returns an error text if the price is invalid, or
 * ambiguous like `1,850`: 1850 to some, 1.85 to others.
 */
export function readPrice(cell: string): number | string {
  const text = cell
    .trim()
    .replace(/(?:₸|KZT|тг\.?)$/i, '')
    .trimEnd();
  if (/^[1-9]\d{0,2},\d{3}$/.test(text)) {
    const [whole, rest] = text.split(',');
    return `is ambiguous: write ${whole}${rest} or ${whole}.${rest}`;
  }
  const plain = plainOf(text);
  if (plain === undefined) return 'must be a number such as 1850, 1 850,50 or 1850.50';
  return Number(plain);
}

const spaced = /^\d{1,3}(?:\s\d{3})+(?:[.,]\d+)?$/;
const commaGroups = /^\d{1,3}(?:,\d{3})+\.\d+$/;
const pointGroups = /^\d{1,3}(?:\.\d{3})+,\d+$/;
/** An export writes very small prices with an exponent. */
const bare = /^\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i;

/** Returns the number in JavaScript's notation; undefined if the text is not a number. */
function plainOf(text: string): string | undefined {
  if (bare.test(text)) return text.replace(',', '.');
  if (spaced.test(text)) return text.replace(/\s/g, '').replace(',', '.');
  if (commaGroups.test(text)) return text.replaceAll(',', '');
  if (pointGroups.test(text)) return text.replaceAll('.', '').replace(',', '.');
  return undefined;
}

/**
 * Returns the features in a cell, which `|` separates. `\\|` is a bar and `\\\\` a backslash within a feature. An empty
 * cell has no features; `\\` alone is one empty feature.
 */
export function readFeatures(cell: string): string[] {
  if (cell === '') return [];
  if (cell === '\\') return [''];
  const features: string[] = [];
  let feature = '';
  for (const [part] of cell.matchAll(/\\[\\|]|[^\\|]+|[\\|]/g)) {
    if (part === '|') {
      features.push(feature);
      feature = '';
    } else feature += part === '\\|' || part === '\\\\' ? part.slice(1) : part;
  }
  return [...features, feature];
}

/** Returns the cell that `readFeatures` reads as these features. */
export function writeFeatures(features: readonly string[]): string {
  if (features.length === 1 && features[0] === '') return '\\';
  return features.map((feature) => feature.replace(/[\\|]/g, '\\$&')).join('|');
}

/** Returns the products as CSV: a header, then one record for each. */
export function writeProducts(products: readonly Product[]): string {
  const records = products.map(({ features, ...product }) =>
    csvRecord(
      columns.map((column) => (column === 'features' ? writeFeatures(features) : product[column])),
    ),
  );
  return csvRecord([...columns]) + records.join('');
}
