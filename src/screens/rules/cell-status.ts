import { quote } from '../text/quote.js';
import { didYouMean } from '../text/suggest.js';
import type { Rule } from './rule.js';

export const cellStatus: Rule = {
  id: 'cell-status',
  severity: 'warning',
  summary: 'A row has a status that does not exist',
  documentation:
    'The cell of a status column holds a key of statuses. A row with any other word is shown without colour and stands under no filter tab.',
  examples: () => ({
    bad: {
      statuses: { new: { label: 'New', tone: 'info' } },
      table: {
        columns: [{ key: 'state', label: 'State', type: 'status', values: ['new'] }],
        rows: [{ state: 'New' }],
      },
    },
    finds: ['/table/rows/0/state'],
    good: {
      statuses: { new: { label: 'New', tone: 'info' } },
      table: {
        columns: [{ key: 'state', label: 'State', type: 'status', values: ['new'] }],
        rows: [{ state: 'new' }],
      },
    },
  }),
  check({ degradations, definition }, report) {
    const statuses = Object.keys(definition.statuses ?? {});
    for (const { path, detail } of degradations('status-unknown', '/table')) {
      report(path, () => `${quote(detail)} is no key of statuses.${didYouMean(detail, statuses)}`);
    }
  },
};
