import { pointer } from '../../json/pointers.js';
import { quote } from '../text/quote.js';
import type { Rule } from './rule.js';

export const duplicateColumn: Rule = {
  id: 'duplicate-column',
  severity: 'warning',
  summary: 'Two columns have the same key',
  documentation:
    'The key of a column is the field of the rows that it shows. Two columns with the same key show the same values, and sorting or filtering one of them means both.',
  examples: () => {
    const first = { key: 'id', label: 'Number' };
    return {
      bad: { table: { columns: [first, { key: 'id', label: 'Name' }], rows: [{ id: 'A-1' }] } },
      finds: ['/table/columns/1/key'],
      good: {
        table: {
          columns: [first, { key: 'name', label: 'Name' }],
          rows: [{ id: 'A-1', name: 'Lease' }],
        },
      },
    };
  },
  check({ definition }, report) {
    const seen = new Map<string, number>();
    for (const [index, { key }] of (definition.table?.columns ?? []).entries()) {
      const first = seen.get(key);
      if (first === undefined) seen.set(key, index);
      else
        report(
          pointer('table', 'columns', index, 'key'),
          `Column ${first} already has the key ${quote(key)}.`,
        );
    }
  },
};
