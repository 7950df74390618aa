import { removal } from '../check/remedies.js';
import { quote } from '../text/quote.js';
import type { Rule } from './rule.js';

export const columnWidth: Rule = {
  id: 'column-width',
  severity: 'warning',
  summary: 'The width of a column cannot be read',
  documentation:
    'The width of a column is a length such as 120px, 20%, 10rem or 12ch (a bare number counts as pixels). Any other text is ignored and the width follows the content.',
  examples: () => {
    const screen = (width: string) => ({
      table: { columns: [{ key: 'id', label: 'Number', width }], rows: [{ id: 'A-1' }] },
    });
    return { bad: screen('wide'), finds: ['/table/columns/0/width'], good: screen('120px') };
  },
  check({ degradations }, report) {
    for (const { path, detail } of degradations('width-unreadable')) {
      report(
        path,
        `${quote(detail)} is no width; write a length such as 120px, 20% or 12ch.`,
        () => ({
          suggestions: [removal(path, 'width')],
        }),
      );
    }
  },
};
