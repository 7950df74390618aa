import type { ScreenDefinition } from '#screen-definition';
import { pointer } from '../../json/pointers.js';
import { eachFieldReference } from '../normalise/field-references.js';
import { quote } from '../text/quote.js';
import { didYouMean } from '../text/suggest.js';
import type { Rule } from './rule.js';

function usedFields(definition: ScreenDefinition): ReadonlySet<string> {
  const { table, chart } = definition;
  const used = new Set(['_flags', '_docs']);
  const use = (key: string | undefined): void => {
    if (key !== undefined) used.add(key);
  };
  for (const { key, sub } of table?.columns ?? []) {
    use(key);
    use(sub);
  }
  eachFieldReference(definition, use);
  use(chart?.groupBy);
  use(chart?.dateKey);
  return used;
}

export const unusedRowField: Rule = {
  id: 'unused-row-field',
  severity: 'warning',
  summary: 'Rows carry a field that is shown nowhere',
  documentation:
    'A field of the rows is shown by a column, as the subtitle of a column (sub), in the drawer, by the blocks inbox and compare, or counted by the chart. A field that none of them names is dead weight, or the sign of a misspelt key. It is reported once, at the first row that has it.',
  examples: () => ({
    bad: {
      table: { columns: [{ key: 'id', label: 'Number' }], rows: [{ id: 'A-1', ownr: 'Dana' }] },
    },
    finds: ['/table/rows/0/ownr'],
    good: {
      table: {
        columns: [{ key: 'id', label: 'Number', sub: 'owner' }],
        rows: [{ id: 'A-1', owner: 'Dana' }],
      },
    },
  }),
  about: (path) => path.replace(/^\/table\/rows\/\d+\//, '/table/rows/*/'),
  check({ definition, rowFields }, _report, reportKey) {
    const used = usedFields(definition);
    for (const [key, { first, count }] of rowFields) {
      if (used.has(key)) continue;
      const rows = count === 1 ? '' : ` (in ${count} rows)`;
      reportKey(
        pointer('table', 'rows', first, key),
        () =>
          `Field ${quote(key)}${rows} is shown by no column and not in the drawer.${didYouMean(key, used)}`,
      );
    }
  },
};
