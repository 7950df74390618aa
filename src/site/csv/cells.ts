import type { Product } from '#validators/site';
import { csvRecord } from '../../base/csv.js';
import { columns } from './read-table.js';

/**
 * Returns the price in a cell: `1850`, `1 850,50`, `1850.50`, `1,850.50` or `1.850,50`, with any kind of space between
 * groups of three digits, optionally followed by `₸`, `тг` or `KZT`. Returns an error message if the price is invalid
 * or ambiguous: `1,850` can mean 1850 or 1.85.
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
/** Exports use an exponent for very small prices. */
const bare = /^\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i;

/** Returns the number in JavaScript notation, or undefined if the text is not a number. */
function plainOf(text: string): string | undefined {
  if (bare.test(text)) return text.replace(',', '.');
  if (spaced.test(text)) return text.replace(/\s/g, '').replace(',', '.');
  if (commaGroups.test(text)) return text.replaceAll(',', '');
  if (pointGroups.test(text)) return text.replaceAll('.', '').replace(',', '.');
  return undefined;
}

/**
 * Returns the features in a cell, which are separated by `|`. Within a feature, `\|` is a bar and `\\` a backslash.
 * An empty cell has no features. A cell that contains only `\` has one empty feature.
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

/** Returns the cell for these features. It is the inverse of `readFeatures`. */
export function writeFeatures(features: readonly string[]): string {
  if (features.length === 1 && features[0] === '') return '\\';
  return features.map((feature) => feature.replace(/[\\|]/g, '\\$&')).join('|');
}

/** Returns the products as CSV, with a header. */
export function writeProducts(products: readonly Product[]): string {
  const records = products.map(({ features, ...product }) =>
    csvRecord(
      columns.map((column) => (column === 'features' ? writeFeatures(features) : product[column])),
    ),
  );
  return csvRecord([...columns]) + records.join('');
}
