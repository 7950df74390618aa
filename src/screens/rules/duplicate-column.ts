import { isObject, pointer, valueAt } from '../../json/pointers.js';
import type { Fix, Remedies } from '../check/fixes.js';
import { quote } from '../text/quote.js';
import type { Rule } from './rule.js';

/** A column that says what an earlier one says is drawn twice for nothing; any other may mean something. */
function copyRemedies(data: unknown, first: number, second: number): Remedies {
  const columns = valueAt(data, ['table', 'columns']);
  const [one, other] = [first, second].map((index) => valueAt(columns, [String(index)]));
  const fix: Fix = {
    title: 'Remove the second one',
    edits: [{ kind: 'remove', path: pointer('table', 'columns', second) }],
  };
  return isCopy(one, other) ? { fix } : { suggestions: [fix] };
}

/** Whether two columns say the same, in whatever order; the contract knows no deeper values in a column. */
function isCopy(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}

function isSame(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

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
  check({ data, definition }, report) {
    const seen = new Map<string, number>();
    definition.table?.columns.forEach(({ key }, index) => {
      const first = seen.get(key);
      if (first === undefined) seen.set(key, index);
      else
        report(
          pointer('table', 'columns', index, 'key'),
          `Column ${first} already has the key ${quote(key)}.`,
          () => copyRemedies(data, first, index),
        );
    });
  },
};
