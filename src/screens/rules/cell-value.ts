import { listWords } from '../findings.js';
import { quote } from '../quote.js';
import { didYouMean } from '../suggest.js';
import { eachCell, plainText, pointer } from '../values.js';
import type { Rule } from './rule.js';

export const cellValue: Rule = {
  id: 'cell-value',
  severity: 'warning',
  summary: 'A cell holds a value that its column does not allow',
  documentation:
    'A column with values allows only those. A cell with another value is shown as it is, but belongs to no filter and no group.',
  examples: () => ({
    bad: {
      table: {
        columns: [{ key: 'kind', label: 'Kind', values: ['supply', 'lease'] }],
        rows: [{ kind: 'suply' }],
      },
    },
    finds: ['/table/rows/0/kind'],
    good: {
      table: {
        columns: [{ key: 'kind', label: 'Kind', values: ['supply', 'lease'] }],
        rows: [{ kind: 'supply' }],
      },
    },
  }),
  check({ definition }, report) {
    const { columns = [], rows = [] } = definition.table ?? {};
    const statuses = Object.keys(definition.statuses ?? {});
    for (const { key, values, type } of columns) {
      if (values === undefined) continue;
      const allowed = new Set(values);
      eachCell(rows, key, (cell, index) => {
        const text = plainText(cell);
        if (text === '' || allowed.has(text)) return;
        // A word that is no status at all is the business of cell-status.
        if (type === 'status' && !statuses.includes(text)) return;
        report(
          pointer('table', 'rows', index, key),
          `${quote(text)} is not among the values of column ${quote(key)}: ${
            listWords(
              values.map((value) => quote(value)),
              'or',
            ) || 'it allows none'
          }.${didYouMean(text, values)}`,
        );
      });
    }
  },
};
