import type { Product } from '#validators/site';
import { csvRecord } from '../../base/csv.js';
import { columns } from './read-table.js';
/** pure: what single cells say, and how they are written. */

/**
 * A price as people and spreadsheets write it: `1850`, `1 850,50`, `1850.50`, `1,850.50`, `1.850,50`, with spaces of any
 * kind between groups of three digits and the tenge's sign, `тг` or `KZT` behind. Gives what is wrong as text: also
 * for `1,850`, which is 1850 to some and 1.85 to others.
 */
export function readPrice(cell: string): number | string {
  const text = cell
    .trim()
    .replace(/(?:₸|KZT|тг\.?)$/i, '')
    .trimEnd();
  if (/^[1-9]\d{0,2},\d{3}$/.test(text)) {
    const [whole, rest] = text.split(',');
    return `is read as ${whole}${rest} by some and as ${whole}.${rest} by others: write one of these`;
  }
  const plain = plainOf(text);
  if (plain === undefined) return 'must be a number such as 1850, 1 850,50 or 1850.50';
  return Number(plain);
}

const spaced = /^\d{1,3}(?:\s\d{3})+(?:[.,]\d+)?$/;
const commaGroups = /^\d{1,3}(?:,\d{3})+\.\d+$/;
const pointGroups = /^\d{1,3}(?:\.\d{3})+,\d+$/;
/** The exponent is how the smallest prices are exported. */
const bare = /^\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i;

/** The number as JavaScript writes it; undefined for what is none. */
function plainOf(text: string): string | undefined {
  if (bare.test(text)) return text.replace(',', '.');
  if (spaced.test(text)) return text.replace(/\s/g, '').replace(',', '.');
  if (commaGroups.test(text)) return text.replaceAll(',', '');
  if (pointGroups.test(text)) return text.replaceAll('.', '').replace(',', '.');
  return undefined;
}

/**
 * Features of a cell, parted by `|`. `\|` is a bar in a feature and `\\` a backslash; `\` alone is one
 * empty feature, as an empty cell has none.
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

/** The cell of features, which `readFeatures` gives back. */
export function writeFeatures(features: readonly string[]): string {
  if (features.length === 1 && features[0] === '') return '\\';
  return features.map((feature) => feature.replace(/[\\|]/g, '\\$&')).join('|');
}

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
