import { pointer } from '../../json/pointers.js';
import { byKey, eachCell, plainText, toDay, toNumber } from '../definition/values.js';
import { listWords, plural } from '../findings/finding.js';
import { wordSuggestions } from '../findings/remedies.js';
import { didYouMean, quote } from '../text/quote.js';
import type { Rule } from './rule.js';

/** The most values that a message lists. @internal */
const maxWords = 12;

function describeValues(values: readonly string[]): string {
  if (values.length === 0) return 'it allows no values';
  const words = values.slice(0, maxWords).map((value) => quote(value));
  const more = values.length - words.length;
  return listWords(more > 0 ? [...words, plural(more, 'other')] : words, 'or');
}

export const cellValue: Rule = {
  id: 'cell-value',
  severity: 'warning',
  summary: 'A cell holds a value that its column does not allow',
  documentation:
    'A column with values allows only those. Another value is shown as it is, but does not match any filter or group.',
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
          const words = describeValues(values);
          const meant = didYouMean(text, values);
          return `${quote(text)} is not an allowed value of column ${quote(key)}: ${words}.${meant}`;
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
    'Cells of a column of type num are numbers, or texts that contain one, such as "1 200" or "12 %". Anything else is shown as text, cannot be sorted as a number, and does not count in a sum.',
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
    'Dates have the form YYYY-MM-DD and must exist. An event with an invalid date is listed last. A row with an invalid date is missing in the chart by day and is sorted last.',
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
