import { pointer } from '../../json/pointers.js';
import { byKey, eachCell, plainText, toDay, toNumber } from '../definition/values.js';
import { listWords, plural } from '../findings/finding.js';
import { wordSuggestions } from '../findings/remedies.js';
import { didYouMean, quote } from '../text/quote.js';
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

export const notANumber: Rule = {
  id: 'not-a-number',
  severity: 'warning',
  summary: 'A numeric column holds something else',
  documentation:
    'Cells of a column of type num are numbers, or texts that read as one, such as "1 200" or "12 %". Anything else is shown as text, cannot be sorted as a number and adds nothing to a sum.',
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

/** A day, after which a time may follow. */
const looksLikeDate = /^\d{4}-\d{2}-\d{2}(?:[T ]|$)/;

export const invalidDate: Rule = {
  id: 'invalid-date',
  severity: 'warning',
  summary: 'A date that does not exist',
  documentation:
    'Dates are written YYYY-MM-DD and have to exist. An event on a date that does not exist is listed after the others; a row whose date cannot be read is left out of the chart by day and sorts last.',
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
      if (looksLikeDate.test(detail))
        report(path, `${quote(detail)} does not exist in the calendar.`);
    }
    const { columns = [], rows = [] } = definition.table ?? {};
    const { bucket, dateKey } = definition.chart ?? {};
    const isCounted = (key: string): boolean => bucket !== undefined && dateKey === key;
    const dates = columns.filter(({ key, type }) => type === 'date' || isCounted(key));
    eachCell(rows, byKey(dates), (cell, index, key, { sortable }) => {
      const text = plainText(cell);
      if (text === '' || toDay(text) !== undefined) return;
      const path = pointer('table', 'rows', index, key);
      if (looksLikeDate.test(text)) report(path, `${quote(text)} does not exist in the calendar.`);
      else if (isCounted(key))
        report(path, `${quote(text)} is not written YYYY-MM-DD, so the chart cannot count it.`);
      else if (sortable)
        report(
          path,
          `${quote(text)} is not written YYYY-MM-DD, so the column cannot be sorted by date.`,
        );
    });
  },
};
