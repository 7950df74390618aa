import { wordRemedies } from '../check/remedies.js';
import { quote } from '../text/quote.js';
import { didYouMean } from '../text/suggest.js';
import type { Rule } from './rule.js';

export const unknownField: Rule = {
  id: 'unknown-field',
  severity: 'warning',
  summary: 'A reference names a field that no column and no row has',
  documentation:
    'columns[].sub, drawer.titleKey and drawer.fields[].key, the keys of inbox, the sides a and b of compare.pairs, chart.groupBy and chart.dateKey name fields of the rows. Where neither a column nor any row has the field, nothing is shown.',
  examples: () => ({
    bad: {
      table: { columns: [{ key: 'id', label: 'Number' }], rows: [{ id: 'A-1' }] },
      drawer: { titleKey: 'number', fields: [{ key: 'id', label: 'Number' }] },
    },
    finds: ['/drawer/titleKey'],
    good: {
      table: { columns: [{ key: 'id', label: 'Number' }], rows: [{ id: 'A-1' }] },
      drawer: { titleKey: 'id', fields: [{ key: 'id', label: 'Number' }] },
    },
  }),
  check({ data, degradations, rowFields, definition: { table } }, report) {
    const where = table === undefined ? 'there is no table' : 'no column and no row has it';
    const fields = new Set([...(table?.columns ?? []).map(({ key }) => key), ...rowFields.keys()]);
    for (const { path, detail } of degradations('key-unknown')) {
      report(
        path,
        () => `Field ${quote(detail)} does not exist: ${where}.${didYouMean(detail, fields)}`,
        () => wordRemedies(data, path, detail, fields),
      );
    }
  },
};
