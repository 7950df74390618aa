import { pointer } from '../../json/pointers.js';
import { byKey, eachCell, plainText, toDay, toNumber } from '../definition/values.js';
import { listWords } from '../findings/finding.js';
import { wordSuggestions } from '../findings/remedies.js';
import { didYouMean, quote } from '../text/quote.js';
import type { Rule } from './rule.js';

/** Maximum number of values that a message lists. @internal */
const maxWords = 12;

function describeAllowed(values: readonly string[]): string {
  if (values.length === 0) return 'The column allows no values.';
  const words = values.slice(0, maxWords).map((value) => quote(value));
  const more = values.length - words.length;
  return `Use ${listWords(more > 0 ? [...words, `one of ${more} more`] : words, 'or')}.`;
}

export const cellValue: Rule = {
  id: 'cell-value',
  severity: 'warning',
  summary: 'A cell has a value that its column does not allow',
  documentation:
    'If a column lists values, its cells may contain only those values. Any other value is shown as is, but does not match any filter or group.',
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
      // cell-status reports unknown statuses.
      if (type === 'status' && !Object.hasOwn(statuses, text)) return;
      const path = pointer('table', 'rows', index, key);
      report(
        path,
        () => {
          const hint = didYouMean(text, values);
          return `${quote(text)} is not allowed in column ${quote(key)}. ${describeAllowed(values)}${hint}`;
        },
        () => wordSuggestions(data, path, text, values),
      );
    });
  },
};

export const notANumber: Rule = {
  id: 'not-a-number',
  severity: 'warning',
  summary: 'A cell of a numeric column is not a number',
  documentation:
    'Cells in a column of type num must be numbers, or strings that contain one, such as "1 200" or "12 %". Anything else is shown as text, cannot be sorted as a number, and is not included in sums.',
  examples: () => {
    const screen = (sum: unknown) => ({
      table: { columns: [{ key: 'sum', label: 'Sum', type: 'num' }], rows: [{ sum }] },
    });
    return { bad: screen('a lot'), finds: ['/table/rows/0/sum'], good: screen(1200) };
  },
  check({ definition }, report) {
    const { columns = [], rows = [] } = definition.table ?? {};
    const numbers = byKey(columns.filter(({ type }) => type === 'num'));
    eachCell(rows, numbers, (cell, index, key) => {
      if (cell === null || cell === '' || toNumber(cell) !== undefined) return;
      report(
        pointer('table', 'rows', index, key),
        `${quote(cell)} is not a number, but column ${quote(key)} has the type "num".`,
      );
    });
  },
};

/** A date, optionally with a time. */
const looksLikeDate = /^\d{4}-\d{2}-\d{2}(?:[T ]|$)/;

export const invalidDate: Rule = {
  id: 'invalid-date',
  severity: 'warning',
  summary: 'A date does not exist',
  documentation:
    'Dates must have the form YYYY-MM-DD and must exist. Events with an invalid date are listed last. Rows with an invalid date are sorted last, and the chart by day does not count them.',
  examples: () => {
    const screen = (date: string) => ({
      calendar: {
        events: [
          { date, title: 'Report' },
          { date: '2026-03-02', title: 'Payment' },
        ],
      },
    });
    return {
      bad: screen('2026-02-30'),
      finds: ['/calendar/events/0/date'],
      good: screen('2026-02-28'),
    };
  },
  check({ degradations, definition }, report) {
    for (const { path, detail } of degradations('date-invalid')) {
      if (looksLikeDate.test(detail)) report(path, `The date ${quote(detail)} does not exist.`);
    }
    const { columns = [], rows = [] } = definition.table ?? {};
    const { bucket, dateKey } = definition.chart ?? {};
    const isCounted = (key: string): boolean => bucket !== undefined && dateKey === key;
    const dates = columns.filter(({ key, type }) => type === 'date' || isCounted(key));
    eachCell(rows, byKey(dates), (cell, index, key, { sortable }) => {
      const text = plainText(cell);
      if (text === '' || toDay(text) !== undefined) return;
      const path = pointer('table', 'rows', index, key);
      if (looksLikeDate.test(text)) report(path, `The date ${quote(text)} does not exist.`);
      else if (isCounted(key))
        report(
          path,
          `${quote(text)} does not have the form YYYY-MM-DD, so the chart cannot count it.`,
        );
      else if (sortable)
        report(
          path,
          `${quote(text)} does not have the form YYYY-MM-DD, so the column cannot be sorted by date.`,
        );
    });
  },
};
