import { pointer } from '../../json/pointers.js';
import { byKey, eachCell, toNumber } from '../definition/values.js';
import { quote } from '../text/quote.js';
import type { Rule } from './rule.js';

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
