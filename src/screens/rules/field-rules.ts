import type { ScreenDefinition } from '#screen-definition';
import { pointer } from '../../json/pointers.js';
import { wordRemedies } from '../findings/remedies.js';
import { eachFieldReference } from '../normalise/field-references.js';
import { didYouMean, quote } from '../text/quote.js';
import type { Rule } from './rule.js';

export const unknownField: Rule = {
  id: 'unknown-field',
  severity: 'warning',
  summary: 'A reference names an unknown field',
  documentation:
    'columns[].sub, drawer.titleKey, drawer.fields[].key, the keys in inbox, a and b in compare.pairs, chart.groupBy and chart.dateKey name row fields. If no column or row has the field, nothing is shown.',
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
    const where = table === undefined ? 'there is no table' : 'no column or row has it';
    const fields = new Set([...(table?.columns ?? []).map(({ key }) => key), ...rowFields.keys()]);
    for (const { path, detail } of degradations('key-unknown')) {
      report(
        path,
        () => `Unknown field ${quote(detail)}: ${where}.${didYouMean(detail, fields)}`,
        () => wordRemedies(data, path, detail, fields),
      );
    }
  },
};

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
  summary: 'A row field is never shown',
  documentation:
    'Row fields are shown in columns (also as subtitles, with sub), the drawer, inbox and compare, and are counted by the chart. A field that none of these name is unnecessary, or its key is misspelt. Each such field is reported once, at the first row that has it.',
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
          `Field ${quote(key)}${rows} is not shown in any column or in the drawer.${didYouMean(key, used)}`,
      );
    }
  },
};

export const compareSameField: Rule = {
  id: 'compare-same-field',
  severity: 'warning',
  summary: 'A field is compared with itself',
  documentation:
    'Each pair in a comparison names a field of source A and a field of source B. If both are the same field, they never differ.',
  examples: () => {
    const table = {
      columns: [
        { key: 'list_price', label: 'List price', type: 'num' },
        { key: 'invoice_price', label: 'Invoice price', type: 'num' },
      ],
      rows: [{ list_price: 31, invoice_price: 33.5 }],
    };
    const pair = { label: 'Price', a: 'list_price' };
    return {
      bad: { compare: { pairs: [{ ...pair, b: 'list_price' }] }, table },
      finds: ['/compare/pairs/0/b'],
      good: { compare: { pairs: [{ ...pair, b: 'invoice_price' }] }, table },
    };
  },
  check({ definition }, report) {
    for (const [index, { a, b }] of (definition.compare?.pairs ?? []).entries()) {
      if (a !== b || a === '') continue;
      report(pointer('compare', 'pairs', index, 'b'), `Field ${quote(a)} is compared with itself.`);
    }
  },
};
