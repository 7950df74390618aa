import { AppError, type ErrorDetail, exitCodes } from '../../base/errors.js';
import type { SiteStore } from '../store.js';
import { type ImportPlan, planImport } from './plan-import.js';
import { readProducts } from './read-products.js';
import type { CsvFault } from './table.js';

/** What came of an import, or would. */
export interface ImportCounts {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
}

export interface ImportOptions {
  readonly bytes: Buffer;
  /** Only say what would come of it. */
  readonly isDryRun: boolean;
}

/**
 * Imports a CSV of products, all of it or nothing: `validation_failed` (exit code 1) names every fault by line and
 * column, as `/line/3/price`, in `details`.
 */
export async function importProducts(
  store: Pick<SiteStore, 'listProducts' | 'importProducts'>,
  { bytes, isDryRun }: ImportOptions,
): Promise<ImportCounts> {
  const { rows, faults } = readProducts(bytes);
  const decide = (products: Parameters<typeof planImport>[1]): ImportPlan => {
    const plan = planImport(rows, products);
    const all = [...faults, ...plan.faults];
    if (all.length > 0) throw faulty(all);
    return plan;
  };
  const plan = isDryRun ? decide(await store.listProducts()) : await store.importProducts(decide);
  return {
    created: plan.added.length,
    changed: plan.changed.length,
    unchanged: plan.unchanged,
  };
}

/** The most faults that are reported; a file of 20,000 rows can have eight times as many. */
const mostFaults = 1_000;

function faulty(faults: readonly CsvFault[]): AppError {
  const sorted = [...faults].sort((a, b) => a.line - b.line);
  const details = sorted.slice(0, mostFaults).map(detailOf);
  const more = sorted.length - details.length;
  const rest = more > 0 ? [{ path: '', message: `and ${more} more` }] : [];
  const count = sorted.length === 1 ? 'a fault' : `${sorted.length} faults`;
  return new AppError('validation_failed', `The CSV has ${count}; nothing was changed.`, {
    details: [...details, ...rest],
    exitCode: exitCodes.failure,
  });
}

function detailOf({ line, column, message }: CsvFault): ErrorDetail {
  if (line === 0) return { path: '', message };
  return { path: `/line/${line}${column === undefined ? '' : `/${column}`}`, message };
}
