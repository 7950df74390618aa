import { pointer } from '../../json/pointers.js';
import { listWords, plural } from '../check/findings.js';
import { wordSuggestions } from '../check/remedies.js';
import { byKey, eachCell, plainText } from '../definition/values.js';
import { quote } from '../text/quote.js';
import { didYouMean } from '../text/suggest.js';
import type { Rule } from './rule.js';

/** The most words of a list in a message; nobody reads longer ones in a sentence. @internal */
const mostWords = 12;

function describeValues(values: readonly string[]): string {
  if (values.length === 0) return 'it allows none';
  const words = values.slice(0, mostWords).map((value) => quote(value));
  const more = values.length - words.length;
  return listWords(more > 0 ? [...words, plural(more, 'other')] : words, 'or');
}

export const cellValue: Rule = {
  id: 'cell-value',
  severity: 'warning',
  summary: 'A cell holds a value that its column does not allow',
  documentation:
    'A column with values allows only those. A cell with another value is shown as it is, but belongs to no filter and no group.',
  examples: () => {
    const screen = (kind: string) => ({
      table: {
        columns: [{ key: 'kind', label: 'Kind', values: ['supply', 'lease'] }],
        rows: [{ kind }],
      },
    });
    return { bad: screen('suply'), finds: ['/table/rows/0/kind'], good: screen('supply') };
  },
  check({ data, definition }, report) {
    const { columns = [], rows = [] } = definition.table ?? {};
    const { statuses = {} } = definition;
    const limited = columns.flatMap(({ key, type, values }) =>
      values === undefined ? [] : { key, type, values, allowed: new Set(values) },
    );
    eachCell(rows, byKey(limited), (cell, index, key, { type, values, allowed }) => {
      const text = plainText(cell);
      if (text === '' || allowed.has(text)) return;
      // A word that is no status at all is the business of cell-status.
      if (type === 'status' && !Object.hasOwn(statuses, text)) return;
      const path = pointer('table', 'rows', index, key);
      report(
        path,
        () => {
          const words = describeValues(values);
          const meant = didYouMean(text, values);
          return `${quote(text)} is not among the values of column ${quote(key)}: ${words}.${meant}`;
        },
        () => wordSuggestions(data, path, text, values),
      );
    });
  },
};
