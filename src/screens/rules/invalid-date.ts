import { pointer } from '../../json/pointers.js';
import { byKey, eachCell, plainText, toDay } from '../definition/values.js';
import { quote } from '../text/quote.js';
import type { Rule } from './rule.js';

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
