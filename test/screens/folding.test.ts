import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkContent } from '../../src/screens/check/check-file.js';
import type { FileReport } from '../../src/screens/findings/finding.js';
import { type Folding, openFolding } from '../../src/screens/findings/gather.js';
import { createPrettyReporter } from '../../src/screens/reporters/pretty.js';
import { createColors } from '../../src/terminal/colors.js';

const statuses = { done: { label: 'Done', tone: 'ok' } };
const columns = [
  { key: 'id', label: 'Id' },
  { key: 'state', label: 'State', type: 'status', values: ['done'] },
];

/** A definition with errors, warnings with and without fixes, and notes. */
const definition = fc.record({
  product: fc.constantFrom({ name: 'Contracts', entity: 'contract' }, { name: 'Contracts' }),
  statuses: fc.constant(statuses),
  layout: fc.constantFrom('queue', undefined),
  serach: fc.constantFrom({}, undefined, undefined),
  kpis: fc.array(
    fc.record({
      value: fc.constantFrom('1', ' '),
      label: fc.constantFrom('ROI', 'Open', '\u202edaeR'),
      hnit: fc.constantFrom('of 4', undefined),
    }),
    { maxLength: 8 },
  ),
  table: fc.record({
    columns: fc.constant(columns),
    rows: fc.array(
      fc.record({
        id: fc.string(),
        state: fc.constantFrom('done', 'Done', 'x'),
        extra: fc.constantFrom(1, undefined),
      }),
      { maxLength: 12 },
    ),
  }),
});

const lint = { suggestions: false };

async function checkAll(
  definitions: readonly object[],
  foldingOf: (index: number) => Folding | undefined,
): Promise<readonly FileReport[]> {
  const reports = [];
  for (const [index, each] of definitions.entries()) {
    const bytes = Buffer.from(JSON.stringify(each, null, 1));
    reports.push(await checkContent({ file: `${index}.json`, bytes, lint }, foldingOf(index)));
  }
  return reports;
}

function print(reports: readonly FileReport[]): string {
  const reporter = createPrettyReporter({ colors: createColors(false), width: 80, fold: true });
  const sum = (kind: keyof FileReport['counts']): number =>
    reports.reduce((total, { counts }) => total + counts[kind], 0);
  const totals = { errors: sum('errors'), warnings: sum('warnings'), infos: sum('infos') };
  const outcome = { ...totals, files: reports.length, maxWarnings: undefined, unreadable: 0 };
  return reports.map(reporter.file).join('') + reporter.end(outcome);
}

describe('folded findings', () => {
  it('prints the same output whether folded findings are described or only counted, on one or more threads', async () => {
    const files = fc.array(definition, { minLength: 2, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(files, fc.integer({ min: 1, max: 3 }), async (definitions, threads) => {
        const foldings = Array.from({ length: threads }, () => openFolding());
        const counted = await checkAll(definitions, (index) => foldings[index % threads]);
        expect(print(counted)).toBe(print(await checkAll(definitions, () => undefined)));
      }),
      { numRuns: 60 },
    );
  });

  it('does not describe folded findings', async () => {
    const folding = openFolding();
    const faulty = { product: { name: 'A', entity: 'b', extra: 1 }, layout: 'queue' };
    const reports = await checkAll(
      Array.from({ length: 6 }, () => faulty),
      () => folding,
    );
    expect(reports.map(({ findings }) => findings.length)).toEqual([2, 2, 2, 2, 2, 0]);
    expect(reports[5]?.folded).toEqual([
      { rule: 'deprecated-property', severity: 'warning', count: 1, fixable: 1 },
      { rule: 'unknown-property', severity: 'warning', count: 1, fixable: 0 },
    ]);
    expect(reports[5]?.counts).toEqual({ errors: 0, warnings: 2, infos: 0 });
  });

  it('does not fold errors, or the findings of a file that exceeds the limit', async () => {
    const folding = openFolding();
    const nav = Array.from({ length: 2_000 }, () => ({ label: '' }));
    const product = { name: 'A', entity: 'b' };
    const reports = await checkAll([{ product, nav }, { product, nav }, { nav }], () => folding);
    expect(reports.map(({ findings }) => findings.length)).toEqual([1_000, 1_000, 1_000]);
    expect(reports[2]?.findings[0]?.severity).toBe('error');
  });
});
